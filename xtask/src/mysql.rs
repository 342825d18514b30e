//! MySQL for the tests: Debian has it in its unstable distribution only, so it is laid out in a folder of ours and not installed.
//!
//! Beside it lie the libraries it was built for, which are newer than the system's, and a data folder that is filled once. The
//! system's packages and their lists are not touched, and nobody has to be root.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};

use crate::run::succeeds;

/// Where it lies; `crates/lab/src/servers/mysql/fetched.rs` starts it from there.
const FOLDER: &str = "target/mysql";
/// Where it is put together: a folder that is there is whole.
const UNDER_WAY: &str = "target/mysql-under-way";

const PACKAGES: [&str; 2] = ["mysql-server-core", "mysql-client-core"];

const LOADER: &str = "usr/lib64/ld-linux-x86-64.so.2";
const LIBRARIES: &str = "usr/lib/x86_64-linux-gnu";
/// What the packages bring besides, and neither program reads.
const NEEDLESS: [&str; 6] = [
    "usr/share/doc",
    "usr/share/man",
    "usr/share/perl",
    "usr/lib/x86_64-linux-gnu/gconv",
    "usr/lib/x86_64-linux-gnu/perl",
    "usr/lib/x86_64-linux-gnu/perl-base",
];

/// Whoever tests comes over TCP, where a server that resolves no names knows nobody as `localhost`.
const LOGIN: &str =
    "CREATE USER root@'%' IDENTIFIED BY '';\nGRANT ALL ON *.* TO root@'%' WITH GRANT OPTION;\n";

/// Whether the tests can have it.
pub enum Mysql {
    IsThere,
    /// Not on this machine, and why.
    CannotBeHad(String),
}

/// Fetches it, unless it is there, and says in a line what came of it.
pub fn set_up() -> Mysql {
    let folder = Path::new(FOLDER);
    if folder.exists() {
        eprintln!("MySQL lies in {FOLDER}.");
        return Mysql::IsThere;
    }
    eprintln!("Fetching MySQL into {FOLDER}.");
    let fetched = fetch();
    let _ = fs::remove_dir_all(UNDER_WAY);
    match fetched {
        Ok(version) => {
            eprintln!("MySQL lies in {FOLDER}: {version}");
            Mysql::IsThere
        }
        Err(error) => {
            let why = format!("{error:#}").replace('\n', "; ");
            eprintln!("{}", left_out(&why));
            Mysql::CannotBeHad(why)
        }
    }
}

/// What is said where it cannot be had.
pub fn left_out(why: &str) -> String {
    format!("MySQL's own tests are left out, for it cannot be had here (MariaDB's are run): {why}")
}

fn fetch() -> Result<String> {
    ensure!(
        cfg!(all(target_os = "linux", target_arch = "x86_64")),
        "only the one of amd64 is started from a folder"
    );
    let _ = fs::remove_dir_all(UNDER_WAY);
    let under_way = std::path::absolute(UNDER_WAY)?;
    let root = under_way.join("root");
    fs::create_dir_all(&root)?;
    for package in packages(&under_way.join("apt"))? {
        quietly(Command::new("dpkg-deb").arg("-x").args([&package, &root]))?;
    }
    for needless in NEEDLESS {
        let _ = fs::remove_dir_all(root.join(needless));
    }
    fill(&root)?;
    let version = quietly(server(&root).arg("--version"))?;
    fs::rename(&root, FOLDER)?;
    let version = version.rsplit_once("Ver ").map_or(&*version, |(_, it)| it);
    Ok(version.trim().to_owned())
}

/// The packages and all that they need, as files: `apt-get` is told of a machine on which nothing is installed.
fn packages(state: &Path) -> Result<Vec<PathBuf>> {
    if !succeeds(Command::new("apt-get").arg("--version")) {
        bail!("there is no apt-get");
    }
    for folder in ["lists/partial", "archives/partial"] {
        fs::create_dir_all(state.join(folder))?;
    }
    let files = [
        ("status", String::new()),
        ("debian.sources", source()?),
        ("apt.conf", settings(state)),
    ];
    for (name, text) in files {
        fs::write(state.join(name), text)?;
    }
    let apt = || {
        let mut apt = Command::new("apt-get");
        apt.env("APT_CONFIG", state.join("apt.conf")).args([
            "--quiet",
            "-o",
            "APT::Default-Release=",
        ]);
        apt
    };
    quietly(apt().arg("update"))?;
    let install = ["install", "--yes", "--download-only"];
    quietly(apt().args(install).args(PACKAGES))?;
    let files = fs::read_dir(state.join("archives"))?;
    let paths = files.map(|file| Ok(file?.path()));
    let paths: Vec<PathBuf> = paths.collect::<Result<_>>()?;
    let is_package = |path: &PathBuf| path.extension().is_some_and(|end| end == "deb");
    Ok(paths.into_iter().filter(is_package).collect())
}

/// The unstable distribution, from where the system has its own packages.
fn source() -> Result<String> {
    let mirror = mirror().context("apt's sources name no mirror of Debian's")?;
    Ok(format!(
        "Types: deb\nURIs: {mirror}\nSuites: sid\nComponents: main\nSigned-By: /usr/share/keyrings/debian-archive-keyring.gpg\n"
    ))
}

fn mirror() -> Option<String> {
    let listed = fs::read_dir("/etc/apt/sources.list.d")
        .into_iter()
        .flatten();
    let mut files: Vec<_> = listed.filter_map(|file| Some(file.ok()?.path())).collect();
    files.push("/etc/apt/sources.list".into());
    let texts = files
        .iter()
        .filter_map(|file| fs::read_to_string(file).ok());
    texts.into_iter().find_map(|text| {
        let lines = text
            .lines()
            .filter(|line| !line.trim_start().starts_with('#'));
        let mut words = lines.flat_map(str::split_whitespace);
        let is_mirror = |word: &&str| {
            word.starts_with("http") && word.trim_end_matches('/').ends_with("/debian")
        };
        words.find(is_mirror).map(str::to_owned)
    })
}

fn settings(state: &Path) -> String {
    let folder = state.display();
    format!(
        r#"Dir::State "{folder}";
Dir::State::status "{folder}/status";
Dir::Cache "{folder}";
Dir::Etc::sourcelist "{folder}/debian.sources";
Dir::Etc::sourceparts "{folder}/none";
Dir::Etc::preferencesparts "{folder}/none";
APT::Architecture "amd64";
APT::Sandbox::User "root";
APT::Install-Recommends "false";
Acquire::Languages "none";
Acquire::Retries "0";
Acquire::http::Timeout "20";
"#
    )
}

/// Fills a data folder with a login: the server of each test begins with a copy.
fn fill(root: &Path) -> Result<()> {
    let login = root.join("login.sql");
    fs::write(&login, LOGIN)?;
    let mut fill = server(root);
    fill.args([
        "--initialize-insecure",
        "--secure-file-priv=NULL",
        "--innodb-redo-log-capacity=8M",
    ]);
    fill.arg(format!("--datadir={}", root.join("data").display()));
    fill.arg(format!("--init-file={}", login.display()));
    quietly(&mut fill).context("its data folder cannot be filled")?;
    Ok(())
}

fn server(root: &Path) -> Command {
    let mut server = Command::new(root.join(LOADER));
    server.arg("--library-path").arg(root.join(LIBRARIES));
    server.arg(root.join("usr/sbin/mysqld"));
    server.args(["--no-defaults", "--user=root"]);
    server.arg(format!("--basedir={}", root.join("usr").display()));
    let messages = root.join("usr/share/mysql");
    server.arg(format!("--lc-messages-dir={}", messages.display()));
    server
}

/// Runs a command whose words matter only when it fails, and answers what it printed.
fn quietly(command: &mut Command) -> Result<String> {
    let program = command.get_program().display().to_string();
    let ran = command.stdin(Stdio::null()).output();
    let ran = ran.with_context(|| format!("`{program}` could not be started"))?;
    let said = String::from_utf8_lossy(&ran.stderr);
    let last = said.lines().rfind(|line| !line.trim().is_empty());
    ensure!(
        ran.status.success(),
        "`{program}` failed ({}): {}",
        ran.status,
        last.unwrap_or_default()
    );
    Ok(String::from_utf8_lossy(&ran.stdout).into_owned())
}
