//! Which layer says what: the default, the file, the environment, the command line.

use std::{
    collections::BTreeMap,
    env, fmt, fs, io,
    path::{Path, PathBuf},
};

use clap::{ArgMatches, parser::ValueSource};

use super::{Config, DatabaseUrl, RedisUrl, check, variables, written};
use crate::{cli::Settings, exit::Failure};

/// The file that is read when none is named.
const USUAL_FILE: &str = "baton.toml";

/// The settings that hold, and where they come from.
#[derive(Debug)]
pub struct Loaded {
    pub config: Config,
    /// By `section.setting`; what is not in it has its default.
    pub origins: BTreeMap<String, Origin>,
    /// What is odd about them, though it can be meant.
    pub warnings: Vec<String>,
}

/// Where a setting comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// A file.
    File(PathBuf),
    /// A variable of the environment.
    Environment(String),
    /// The command line.
    Flag(String),
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => write!(f, "{}", path.display()),
            Self::Environment(name) => f.write_str(name),
            Self::Flag(flag) => f.write_str(flag),
        }
    }
}

/// The settings that have a flag and a variable: the flag's id, and the setting.
const FLAGS: [(&str, &str); 21] = [
    ("database", "database.url"),
    ("database_file", "database.url"),
    ("redis", "redis.url"),
    ("redis_file", "redis.url"),
    ("allow_unsafe_durability", "database.allow_unsafe"),
    ("allow_unverified_database", "database.allow_unverified"),
    ("listen", "server.listen"),
    ("hosts", "server.hosts"),
    ("data_dir", "server.data_dir"),
    ("roles", "server.roles"),
    ("tls_certificate", "server.tls_certificate"),
    ("tls_key", "server.tls_key"),
    ("trusted_proxies", "server.trusted_proxies"),
    ("dev", "server.dev"),
    ("insecure_no_auth", "server.insecure_no_auth"),
    ("lease", "worker.lease"),
    ("slots", "worker.slots"),
    ("grace", "worker.grace"),
    ("allow_private_targets", "http.allow_private_targets"),
    ("log", "log.level"),
    ("log_format", "log.format"),
];

/// Puts the layers on top of each other and checks what comes out.
pub fn load(settings: &Settings, matches: &ArgMatches) -> Result<Loaded, Failure> {
    let (mut config, mut origins) = read_file(settings.config.as_deref())?;
    let open_file = open_file(&config, settings.config.as_deref());
    lay_over(&mut config, settings, matches)?;
    for (flag, setting) in FLAGS {
        if let Some(origin) = origin_of(flag, matches) {
            origins.insert(setting.to_owned(), origin);
        }
    }
    for (setting, variable) in config.traces.lay_over(|name| env::var(name).ok())? {
        let origin = Origin::Environment(variable.to_owned());
        origins.insert(setting.to_owned(), origin);
    }
    put_passwords(&mut config)?;
    if config.database.url.is_empty() {
        config.database.url = DatabaseUrl::in_folder(&config.server.data_dir);
    }
    config.offer_a_provider_to_try();
    let mut warnings = check::all(&config)?;
    warnings.extend(open_file);
    warnings.extend(variables::unknown(env::vars_os().map(|(name, _)| name)));
    Ok(Loaded {
        config,
        origins,
        warnings,
    })
}

/// A file with secrets in it that others on this machine may read.
#[cfg(unix)]
fn open_file(config: &Config, named: Option<&Path>) -> Option<String> {
    use std::os::unix::fs::PermissionsExt;

    let path = named.unwrap_or_else(|| Path::new(USUAL_FILE));
    let mode = fs::metadata(path).ok()?.permissions().mode();
    (mode & 0o077 != 0 && config.has_secrets()).then(|| {
        format!(
            "{0} holds secrets and others on this machine can read it; close it with `chmod 600 {0}`",
            path.display()
        )
    })
}

#[cfg(not(unix))]
fn open_file(_: &Config, _: Option<&Path>) -> Option<String> {
    None
}

fn read_file(named: Option<&Path>) -> Result<(Config, BTreeMap<String, Origin>), Failure> {
    let path = named.unwrap_or_else(|| Path::new(USUAL_FILE));
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if named.is_none() && error.kind() == io::ErrorKind::NotFound => String::new(),
        Err(error) => {
            return Err(
                Failure::usage(format!("{} cannot be read: {error}", path.display()))
                    .then("Name the file of settings with --config or BATON_CONFIG."),
            );
        }
    };
    let config = text.parse().map_err(|error: toml::de::Error| {
        Failure::usage(format!(
            "{} is not a file of settings for Baton",
            path.display()
        ))
        .then(told(&text, &error))
        .then("Every setting is explained in docs/operations/configuration.md.")
    })?;
    Ok((config, origins_in(&text, path)))
}

/// What is wrong, and where, in words that repeat nothing of the file but the name of a setting: the
/// line may hold a password.
fn told(text: &str, error: &toml::de::Error) -> String {
    let before = error.span().and_then(|span| text.get(..span.start));
    let line = before.map_or(1, |before| before.matches('\n').count() + 1);
    let setting = text
        .lines()
        .nth(line - 1)
        .and_then(|line| line.split_once('='));
    let setting = setting
        .map(|(name, _)| format!(", {}", name.trim()))
        .unwrap_or_default();
    format!("line {line}{setting}: {}", without_values(error.message()))
}

/// A message without the texts that were read: `invalid type: string "...", expected ...`.
fn without_values(message: &str) -> String {
    let mut parts = message.split('"');
    let first = parts.next().unwrap_or_default().to_owned();
    parts
        .enumerate()
        .fold(first, |told, (i, part)| match i % 2 {
            0 => told + "\"…\"",
            _ => told + part,
        })
}

fn origins_in(text: &str, path: &Path) -> BTreeMap<String, Origin> {
    let table: toml::Table = text.parse().unwrap_or_default();
    let mut origins = BTreeMap::new();
    for (section, settings) in &table {
        let names = settings.as_table().into_iter().flat_map(toml::Table::keys);
        for name in names {
            origins.insert(
                format!("{section}.{name}"),
                Origin::File(path.to_path_buf()),
            );
        }
    }
    origins
}

/// Passwords that are told apart from their URLs go into them; from here on there is one place for each.
fn put_passwords(config: &mut Config) -> Result<(), Failure> {
    let refused = |setting: &str, why: &str| {
        Failure::usage(format!("{setting}.password {why}")).then(format!(
            "Give it under [{setting}], in the file that {setting}.url names, or in the URL."
        ))
    };
    if let Some(password) = &config.database.password {
        let url = config.database.url.with_password(password.reveal());
        config.database.url = url.map_err(|why| refused("database", why))?;
    }
    if let Some(password) = &config.redis.password {
        let url = config.redis.url.with_password(password.reveal());
        config.redis.url = url.map_err(|why| refused("redis", why))?;
    }
    Ok(())
}

/// What a file holds that is named instead of a URL.
fn held(file: &Path) -> Result<String, Failure> {
    written::from_file(file).map_err(|message| {
        Failure::usage(message)
            .then("It has to hold the URL alone, and this user has to be able to read it.")
    })
}

fn lay_over(config: &mut Config, settings: &Settings, matches: &ArgMatches) -> Result<(), Failure> {
    fn set<T: Clone>(place: &mut T, value: Option<&T>) {
        if let Some(value) = value {
            place.clone_from(value);
        }
    }
    // A switch that nobody touched says nothing; one that the environment turns off does.
    let switch = |id: &str, value: bool| origin_of(id, matches).map(|_| value);

    set(&mut config.database.url, settings.database.as_ref());
    set(&mut config.redis.url, settings.redis.as_ref());
    if let Some(file) = &settings.database_file {
        config.database.url = DatabaseUrl::new(held(file)?);
    }
    if let Some(file) = &settings.redis_file {
        config.redis.url = RedisUrl::new(held(file)?);
    }
    set(&mut config.server.listen, settings.listen.as_ref());
    set(&mut config.server.hosts, settings.hosts.as_ref());
    set(
        &mut config.server.trusted_proxies,
        settings.trusted_proxies.as_ref(),
    );
    if let Some(file) = &settings.tls_certificate {
        config.server.tls_certificate = Some(file.clone());
    }
    if let Some(file) = &settings.tls_key {
        config.server.tls_key = Some(file.clone());
    }
    set(&mut config.server.data_dir, settings.data_dir.as_ref());
    set(&mut config.server.roles, settings.roles.as_ref());
    set(&mut config.worker.lease, settings.lease.as_ref());
    set(&mut config.worker.slots, settings.slots.as_ref());
    set(&mut config.worker.grace, settings.grace.as_ref());
    set(&mut config.log.level, settings.log.as_ref());
    set(&mut config.log.format, settings.log_format.as_ref());
    set(&mut config.server.dev, switch("dev", settings.dev).as_ref());
    set(
        &mut config.server.insecure_no_auth,
        switch("insecure_no_auth", settings.insecure_no_auth).as_ref(),
    );
    set(
        &mut config.database.allow_unsafe,
        switch("allow_unsafe_durability", settings.allow_unsafe_durability).as_ref(),
    );
    let allowed = settings.allow_unverified_database;
    set(
        &mut config.database.allow_unverified,
        switch("allow_unverified_database", allowed).as_ref(),
    );
    set(
        &mut config.http.allow_private_targets,
        switch("allow_private_targets", settings.allow_private_targets).as_ref(),
    );
    Ok(())
}

fn origin_of(id: &str, matches: &ArgMatches) -> Option<Origin> {
    match matches.value_source(id)? {
        ValueSource::CommandLine => Some(Origin::Flag(format!("--{}", id.replace('_', "-")))),
        ValueSource::EnvVariable => {
            Some(Origin::Environment(format!("BATON_{}", id.to_uppercase())))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use clap::{Args, Command, FromArgMatches};

    use super::*;

    fn load_from(file: &str, flags: &[&str]) -> Result<Loaded, Failure> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("baton.toml");
        fs::write(&path, file).unwrap();
        let mut words = vec!["baton", "--config", path.to_str().unwrap()];
        words.extend(flags);
        let matches = Settings::augment_args(Command::new("baton")).get_matches_from(words);
        load(&Settings::from_arg_matches(&matches).unwrap(), &matches)
    }

    #[test]
    fn a_flag_goes_before_the_file_and_the_file_before_the_default() {
        let file = "[worker]\nslots = 7\nlease = \"10s\"\n";

        let loaded = load_from(file, &["--slots", "9"]).unwrap();

        assert_eq!(loaded.config.worker.slots, 9);
        assert_eq!(loaded.config.worker.lease, Duration::from_secs(10));
        assert_eq!(loaded.config.worker.grace, Duration::from_secs(30));
        assert_eq!(
            loaded.origins["worker.slots"],
            Origin::Flag("--slots".to_owned())
        );
        assert!(matches!(loaded.origins["worker.lease"], Origin::File(_)));
        assert!(!loaded.origins.contains_key("worker.grace"));
    }

    #[test]
    fn the_database_is_a_file_of_the_data_folder_unless_one_is_named() {
        let by_default = load_from("", &["--data-dir", "here"]).unwrap();
        let named = load_from("", &["--database", "postgres://db/jobs"]).unwrap();

        assert_eq!(
            by_default.config.database.url.reveal(),
            "sqlite://here/baton.db"
        );
        assert_eq!(named.config.database.url.reveal(), "postgres://db/jobs");
    }

    #[test]
    fn every_flag_stands_in_the_documentation_with_its_variable_and_its_setting() {
        let page = include_str!("../../../../docs/operations/configuration.md");

        for (id, setting) in FLAGS {
            let flag = id.replace('_', "-");
            let variable = id.to_uppercase();
            let row = format!("| `--{flag}` | `BATON_{variable}` | `{setting}` |");
            assert!(page.contains(&row), "{row}");
        }
    }

    #[test]
    fn what_this_build_does_not_speak_is_refused_by_name() {
        let oracle = load_from("", &["--database", "oracle://db/jobs"]).unwrap_err();
        let http = load_from("", &["--redis", "http://:secret@cache"]).unwrap_err();

        assert!(
            oracle.text().contains("is not the address of a database"),
            "{oracle:?}"
        );
        assert!(http.text().contains("http://@cache"), "{http:?}");
        assert!(!http.text().contains("secret"), "{http:?}");
    }

    #[test]
    fn what_makes_no_sense_is_refused_by_name() {
        for (file, name) in [
            (
                "[server]\nrequest_timeout = \"0s\"",
                "server.request_timeout",
            ),
            ("[limits]\npayload = 0", "limits.payload"),
            ("[worker.queues]\n\"a b\" = 1", "worker.queues"),
            ("[queues]\nallow = [\"mail\", \"\"]", "queues.allow"),
            (
                "[queues.wait_targets]\n\"m*\" = \"1s\"",
                "queues.wait_targets",
            ),
            ("[queues.wait_targets]\nmail = \"soon\"", "duration"),
            ("[log]\nlevel = \"inof\"", "inof"),
            ("[log]\nlevel = \"info,baton_worker\"", "baton_worker"),
        ] {
            let refused = load_from(file, &[]).unwrap_err();

            assert!(refused.text().contains(name), "{refused:?}");
        }
    }

    #[test]
    fn sentinels_can_be_named_in_place_of_a_redis_and_hide_the_password() {
        let url = "redis+sentinel://:hush@one:26379,two:26379/jobs";

        let named = load_from("", &["--redis", url]).unwrap();

        let told = named.config.redis.url.to_string();
        assert_eq!(named.config.redis.url.reveal(), url);
        assert!(
            !told.contains("hush") && told.contains("two:26379/jobs"),
            "{told}"
        );
    }

    #[test]
    fn there_is_no_redis_unless_one_is_named() {
        let by_default = load_from("", &[]).unwrap();
        let named = load_from("", &["--redis", "redis://cache:6379"]).unwrap();

        assert!(by_default.config.redis.url.is_empty());
        assert_eq!(named.config.redis.url.reveal(), "redis://cache:6379");
    }

    #[test]
    fn an_open_address_without_keys_is_refused_unless_it_is_meant() {
        let refused = load_from("", &["--listen", "0.0.0.0:7878"]).unwrap_err();
        let open = [
            "--listen",
            "0.0.0.0:7878",
            "--insecure-no-auth",
            "--hosts",
            "jobs.example",
        ];
        let meant = load_from("", &open);

        assert!(refused.text().contains("--insecure-no-auth"), "{refused:?}");
        assert!(meant.is_ok());
    }

    #[test]
    fn an_address_of_others_wants_its_names_and_tls_or_a_proxy_that_speaks_it() {
        let named = ["--listen", "0.0.0.0:7878", "--hosts", "jobs.example"];
        let with = |more: &[&str]| load_from("", &[&named, more].concat());
        let certificate = ["--tls-certificate", "tls.crt", "--tls-key", "tls.key"];
        let nameless = ["--listen", "0.0.0.0:7878", "--trusted-proxies", "10.0.0.7"];

        let bare = with(&[]).unwrap_err();
        let half = with(&certificate[..2]).unwrap_err();
        let hostless = load_from("", &nameless).unwrap_err();
        let itself = with(&certificate);
        let behind = with(&["--trusted-proxies", "10.0.0.7,fd00::/8"]);

        for way in ["server.tls_certificate", "server.trusted_proxies"] {
            assert!(bare.text().contains(way), "{bare:?}");
        }
        assert!(half.text().contains("server.tls_key"), "{half:?}");
        assert!(hostless.text().contains("--hosts"), "{hostless:?}");
        assert!(itself.is_ok() && behind.is_ok());
    }

    #[test]
    fn what_is_open_to_whoever_is_on_this_machine_is_open_to_nobody_else() {
        let here = load_from("", &["--dev"]).unwrap();
        let words = [
            "--dev",
            "--listen",
            "0.0.0.0:7878",
            "--hosts",
            "jobs.example",
        ];
        let elsewhere = load_from("", &words).unwrap_err();

        assert!(here.config.server.is_open());
        assert!(!load_from("", &[]).unwrap().config.server.is_open());
        assert!(elsewhere.text().contains("--dev"), "{elsewhere:?}");
        assert!(elsewhere.text().contains("access.md"), "{elsewhere:?}");
    }

    #[test]
    fn a_second_person_is_refused_where_nobody_says_who_they_are() {
        let two = "[access]\nsecond_person_over = 100\n";

        let kept = load_from(two, &[]).unwrap();
        let open = load_from(two, &["--dev"]).unwrap_err();

        assert_eq!(kept.config.access.second_person_over, Some(100));
        assert!(
            open.text().contains("access.second_person_over"),
            "{open:?}"
        );
    }

    #[test]
    fn an_open_address_is_refused_until_the_names_are_told_that_it_is_reached_under() {
        let open = ["--listen", "0.0.0.0:7878", "--insecure-no-auth"];
        let refused = load_from("", &open).unwrap_err();
        let in_file = load_from("[server]\nhosts = [\"jobs.example\"]\n", &open);
        let one_address = load_from("", &["--listen", "10.0.0.7:7878", "--insecure-no-auth"]);
        let with_a_port = load_from("", &[&open[..], &["--hosts", "jobs.example:7878"]].concat());

        assert!(refused.text().contains("--hosts"), "{refused:?}");
        assert!(with_a_port.unwrap_err().text().contains("port"));
        assert!(in_file.is_ok() && one_address.is_err());
    }
}
