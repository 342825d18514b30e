//! Turns `statements/` and `migrations/` into constants, and numbers the `:name` parameters.
//!
//! A file `statements/<word>/<name>.sql` is spoken by all dialects that have no text of their own,
//! `<name>.<dialect>.sql`. A dialect may lack a script: there it is never run. A script is one or more statements, parted by
//! a semicolon at the end of a line; the kernel runs them as one transaction. `{{name}}` stands for a word of the
//! dialect (`build/dialects.rs`), for what is asked of a job (`build/asked.rs`), or for the text of
//! `statements/fragments/<name>.sql`, or of the dialect's own, which no dialect may lack that comes to it.

#[path = "build/asked.rs"]
mod asked;
#[path = "build/dialects.rs"]
mod dialects;

use std::{collections::BTreeMap, env, fmt::Write as _, fs, path::Path};

use dialects::DIALECTS;

/// Where the texts lie that stand in several statements.
const FRAGMENTS: &str = "fragments";

/// Texts by their names, `<word>/<name>`, and dialects.
type Texts = BTreeMap<String, BTreeMap<String, String>>;

fn main() {
    println!("cargo::rerun-if-changed=statements");
    println!("cargo::rerun-if-changed=migrations");
    let out = env::var("OUT_DIR").expect("cargo sets OUT_DIR");
    fs::write(Path::new(&out).join("statements.rs"), statements()).expect("OUT_DIR is writable");
    fs::write(Path::new(&out).join("migrations.rs"), migrations()).expect("OUT_DIR is writable");
}

/// A module for each folder of `statements`, with a script for each name in it.
fn statements() -> String {
    let fragments = texts(FRAGMENTS);
    let mut code = String::new();
    let mut all = String::from("/// Every script, for the tests.\npub static ALL: &[&Script] = &[");
    let words = sorted("statements").into_iter();
    for word in words.filter(|word| word != FRAGMENTS) {
        write!(
            code,
            "pub mod {word} {{\nuse super::{{Script, Statement}};\n"
        )
        .expect("strings grow");
        for (name, texts) in &texts(&word) {
            let constant = name[word.len() + 1..].to_uppercase();
            write!(
                code,
                "pub static {constant}: Script = Script {{ name: {name:?}"
            )
            .expect("strings grow");
            for dialect in DIALECTS {
                let text = texts.get(dialect).map_or("", String::as_str);
                let text = whole(text, dialect, &fragments);
                write!(code, ", {dialect}: &[{}]", numbered(&text, dialect)).expect("strings grow");
            }
            code.push_str(" };\n");
            write!(all, "&{word}::{constant}, ").expect("strings grow");
        }
        code.push_str("}\n");
    }
    code + &all + "];\n"
}

/// The files of a folder, by name and dialect, without their comments. A dialect's own goes before that of all.
fn texts(word: &str) -> Texts {
    let mut texts = Texts::new();
    let files = sorted(&format!("statements/{word}"));
    let stems = files.iter().map(|file| {
        let stem = file.strip_suffix(".sql");
        stem.unwrap_or_else(|| panic!("{word}/{file} is no .sql file"))
    });
    let (own, shared): (Vec<_>, Vec<_>) = stems.partition(|stem| stem.contains('.'));
    for stem in own {
        let (name, dialect) = stem.split_once('.').expect("it has a dialect");
        assert!(
            DIALECTS.contains(&dialect),
            "{word}/{stem}.sql: there is no dialect {dialect}"
        );
        let known = texts.entry(format!("{word}/{name}")).or_default();
        known.insert(dialect.to_owned(), statement(word, stem));
    }
    for name in shared {
        let known = texts.entry(format!("{word}/{name}")).or_default();
        assert!(
            known.len() < DIALECTS.len(),
            "nobody speaks {word}/{name}.sql: each dialect has its own"
        );
        for dialect in DIALECTS {
            let text = known.entry(dialect.to_owned());
            text.or_insert_with(|| statement(word, name));
        }
    }
    texts
}

fn statement(word: &str, stem: &str) -> String {
    uncommented(&read(&format!("statements/{word}/{stem}.sql")))
}

fn uncommented(text: &str) -> String {
    let lines = text.lines();
    let lines = lines.filter(|line| !line.trim_start().starts_with("--"));
    lines.fold(String::new(), |text, line| text + line + "\n")
}

/// A text with its words and fragments in their places.
fn whole(text: &str, dialect: &str, fragments: &Texts) -> String {
    let Some((before, rest)) = text.split_once("{{") else {
        return text.to_owned();
    };
    let (token, after) = rest.split_once("}}").expect("a token ends with }}");
    let fragment = || fragments.get(&format!("{FRAGMENTS}/{token}"))?.get(dialect);
    let said = dialects::said(token, dialect)
        .or_else(|| asked::said(token))
        .or_else(|| fragment().cloned());
    let said = said.unwrap_or_else(|| panic!("{dialect} has no word and no fragment {token}"));
    let text = format!("{before}{}{after}", said.trim_end());
    whole(&text, dialect, fragments)
}

fn numbered(plain: &str, dialect: &str) -> String {
    let mut code = String::new();
    for statement in plain
        .split(";\n")
        .map(str::trim)
        .filter(|text| !text.is_empty())
    {
        let (sql, names) = number(statement, dialect);
        write!(code, "Statement {{ sql: {sql:?}, params: &{names:?} }}, ").expect("strings grow");
    }
    code
}

/// Replaces `:name` by the dialect's numbered parameter, `::type` by its cast, and quotes reserved names; string literals stay.
fn number(statement: &str, dialect: &str) -> (String, Vec<String>) {
    let (mut sql, mut names) = (String::new(), Vec::<String>::new());
    let mut rest = statement.trim_end_matches(';');
    let mut quoted = false;
    while let Some(c) = rest.chars().next() {
        let after = &rest[c.len_utf8()..];
        if c == '\'' {
            quoted = !quoted;
        }
        let is_param = c == ':' && !quoted && after.starts_with(|c: char| c.is_ascii_lowercase());
        if c == ':' && after.starts_with(':') && !quoted {
            let (cast, after) = dialects::cast(&after[1..], dialect);
            sql.push_str(&cast);
            rest = after;
        } else if is_param {
            let end = after
                .find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
                .unwrap_or(after.len());
            let name = &after[..end];
            let position = names
                .iter()
                .position(|known| known == name)
                .unwrap_or_else(|| {
                    names.push(name.to_owned());
                    names.len() - 1
                });
            let mark = if dialect == "postgres" { '$' } else { '?' };
            write!(sql, "{mark}{}", position + 1).expect("strings grow");
            rest = &after[end..];
        } else if let Some(word) = dialects::reserved(&sql, rest, dialect).filter(|_| !quoted) {
            write!(sql, "\"{word}\"").expect("strings grow");
            rest = &rest[word.len()..];
        } else {
            sql.push(c);
            rest = after;
        }
    }
    (sql, names)
}

fn migrations() -> String {
    let mut code = String::new();
    let mut generation = 0;
    for dialect in DIALECTS {
        write!(
            code,
            "/// The steps of {dialect}, in order.\npub static {}: &[Step] = &[",
            dialect.to_uppercase()
        )
        .expect("strings grow");
        for file in sorted("migrations") {
            let Some(name) = step_of(&file, dialect) else {
                continue;
            };
            let sql = read(&format!("migrations/{file}"));
            let number = number_of(name);
            let (oldest, finalized) = oldest_program(&file, number, &sql);
            generation = generation.max(number);
            write!(
                code,
                "Step {{ name: {name:?}, sql: {sql:?}, oldest: {oldest}, finalized: {finalized} }}, "
            )
            .expect("strings grow");
        }
        code.push_str("];\n");
    }
    write!(
        code,
        "/// The generation of this program: the number of the last step it knows.\n\
         pub const GENERATION: u32 = {generation};\n"
    )
    .expect("strings grow");
    code
}

/// The name of the step that a file is for a dialect: `<step>.sql` is one of all, `<step>.<dialect>.sql` of one.
fn step_of<'a>(file: &'a str, dialect: &str) -> Option<&'a str> {
    let stem = file.strip_suffix(".sql")?;
    let (step, of) = stem.split_once('.').unwrap_or((stem, dialect));
    (of == dialect).then_some(step)
}

fn number_of(step: &str) -> u32 {
    let number = step
        .split('_')
        .next()
        .and_then(|number| number.parse().ok());
    number.unwrap_or_else(|| panic!("the name of the step {step} begins with no number"))
}

/// The generation of the oldest program that may run on what a step makes, before it is finalized and after.
fn oldest_program(file: &str, number: u32, sql: &str) -> (u32, u32) {
    let first = sql.lines().next().unwrap_or_default();
    let oldest = first.strip_prefix("-- Oldest program: ").and_then(|said| {
        let (oldest, finalized) = said.split_once(", finalized: ").unwrap_or((said, said));
        Some((oldest.parse().ok()?, finalized.parse().ok()?))
    });
    let oldest = oldest.filter(|(oldest, finalized)| {
        (1..=number).contains(oldest) && (*oldest..=number).contains(finalized)
    });
    oldest.unwrap_or_else(|| {
        panic!(
            "migrations/{file} must begin with `-- Oldest program: N`: N is the number of the last step of the \
             oldest program that may run on what it makes, or with `-- Oldest program: N, finalized: M` \
             (see docs/decisions/steps-and-programs.md)"
        )
    })
}

fn sorted(folder: &str) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{folder}: {error}"));
    let names = entries.map(|entry| entry.expect("it can be listed").file_name());
    let mut names: Vec<_> = names
        .map(|name| name.into_string().expect("names are UTF-8"))
        .collect();
    names.sort();
    names
}

fn read(path: &str) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"))
}
