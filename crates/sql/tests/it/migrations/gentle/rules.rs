//! What no step may do, by its words. Each sentence says what to do instead.

/// Words of a statement, what may stand with them, and what to do instead.
const RULES: [(&[&str], &[&str], &str); 10] = [
    (
        &["ALTER TABLE", " TYPE "],
        &[],
        "changes a column's type: add a column of the new type, write both, read the new one a line later",
    ),
    (
        &["ALTER TABLE", " ADD COLUMN", " NOT NULL"],
        &[" DEFAULT "],
        "adds a column that must be filled: the line before does not fill it",
    ),
    (
        &["ALTER TABLE", " SET NOT NULL"],
        &[],
        "reads the whole table under a lock: add a CHECK that is NOT VALID, and validate it in a step of its own",
    ),
    (
        &["ALTER TABLE", " ADD ", " CHECK"],
        &[" NOT VALID", " ADD COLUMN"],
        "reads the whole table under a lock: add it as NOT VALID, and validate it in a step of its own",
    ),
    (
        &["ALTER TABLE", " ADD ", " FOREIGN KEY"],
        &[" NOT VALID"],
        "reads the whole table under a lock: add it as NOT VALID, and validate it in a step of its own",
    ),
    (&["VACUUM FULL"], &[], "writes the table anew under a lock"),
    (&["CLUSTER "], &[], "writes the table anew under a lock"),
    (
        &["DROP "],
        &["DROP INDEX CONCURRENTLY"],
        "takes away what the line before may read: do it a line later",
    ),
    (
        &[" RENAME "],
        &[],
        "takes away a name that the line before reads: add the new one beside it",
    ),
    (
        &["UPDATE "],
        &[" ON CONFLICT"],
        "writes rows in bulk under a lock: let a routine fill them in chunks",
    ),
];

/// Tables of a few rows, which an index is made of in no time: those who sign in.
const SMALL: [&str; 1] = ["USERS"];

/// What hurts in a step.
pub fn hurts(sql: &str) -> Vec<String> {
    let statements = statements(sql);
    let made: Vec<_> = statements.iter().filter_map(|sql| made(sql)).collect();
    let told = statements.iter().flat_map(|sql| {
        let broken = RULES
            .iter()
            .filter(|rule| is_broken(rule, sql) && !is_made_anew(sql, &statements));
        let words = broken.map(|(.., why)| (*why).to_owned());
        words.chain(computing(sql)).chain(locking(sql, &made))
    });
    told.collect()
}

fn is_broken((words, excuses, _): &(&[&str], &[&str], &str), sql: &str) -> bool {
    // A view is nothing but text: the next one stands in the same step.
    let is_view = sql.starts_with("CREATE OR REPLACE VIEW") || sql.starts_with("CREATE VIEW");
    !is_view
        && words.iter().all(|word| sql.contains(word))
        && !excuses.iter().any(|excuse| sql.contains(excuse))
}

/// Whether a view that goes comes again in the same step, all of which is one transaction.
fn is_made_anew(sql: &str, statements: &[String]) -> bool {
    let view = sql.strip_prefix("DROP VIEW IF EXISTS ");
    view.is_some_and(|view| {
        let anew = format!("CREATE VIEW {view} AS ");
        statements.iter().any(|sql| sql.starts_with(&anew))
    })
}

/// A default that is worked out is written into each row that is there.
fn computing(sql: &str) -> Option<String> {
    let default = sql.split(" DEFAULT ").nth(1)?.split([' ', ',']).next()?;
    let is_computed = sql.contains("ALTER TABLE") && default.contains('(');
    is_computed.then(|| {
        "adds a column with a computed default, which may write the table anew: add it without, and fill it later".to_owned()
    })
}

/// An index on a table that is in use is made beside the work; one on a table of the same step is not.
fn locking(sql: &str, made: &[String]) -> Option<String> {
    let rest = sql.strip_prefix("CREATE ")?;
    let is_index = rest.starts_with("INDEX ") || rest.starts_with("UNIQUE INDEX ");
    let table = rest.split(" ON ").nth(1)?.split([' ', '(']).next()?;
    let is_exempt = SMALL.contains(&table) || made.iter().any(|made| made == table);
    (is_index && !is_exempt && !rest.contains("INDEX CONCURRENTLY "))
        .then(|| format!("locks {table} while it makes an index: use CREATE INDEX CONCURRENTLY, in a step of its own"))
}

/// The table that a statement makes.
fn made(sql: &str) -> Option<String> {
    let rest = sql.strip_prefix("CREATE TABLE ")?;
    let name = rest.strip_prefix("IF NOT EXISTS ").unwrap_or(rest);
    name.split([' ', '(']).next().map(str::to_owned)
}

/// The statements of a step in capitals, each on one line, without comments.
fn statements(sql: &str) -> Vec<String> {
    let lines = sql
        .lines()
        .map(|line| line.split("--").next().unwrap_or_default());
    let plain = lines.collect::<Vec<_>>().join(" ").to_uppercase();
    let words = |part: &str| part.split_whitespace().collect::<Vec<_>>().join(" ");
    plain
        .split(';')
        .map(words)
        .filter(|part| !part.is_empty())
        .collect()
}

#[test]
fn what_hurts_is_named() {
    for (sql, word) in [
        (
            "ALTER TABLE jobs\n  ALTER COLUMN priority TYPE bigint;",
            "type",
        ),
        (
            "alter table jobs add column x uuid default gen_random_uuid();",
            "computed",
        ),
        ("ALTER TABLE jobs ADD COLUMN x text NOT NULL;", "filled"),
        (
            "ALTER TABLE jobs ALTER COLUMN key SET NOT NULL;",
            "whole table",
        ),
        (
            "ALTER TABLE jobs ADD CONSTRAINT c CHECK (priority > 0);",
            "NOT VALID",
        ),
        ("VACUUM FULL jobs;", "anew"),
        ("CLUSTER jobs USING jobs_pkey;", "anew"),
        ("CREATE INDEX more ON jobs (kind);", "CONCURRENTLY"),
        ("CREATE UNIQUE INDEX more ON jobs(kind);", "CONCURRENTLY"),
        ("ALTER TABLE jobs DROP COLUMN key;", "line before"),
        ("DROP VIEW job_places;", "line before"),
        (
            "DROP VIEW IF EXISTS held; CREATE VIEW held_too AS SELECT 1;",
            "line before",
        ),
        ("ALTER TABLE jobs RENAME COLUMN key TO name;", "line before"),
        ("UPDATE jobs SET priority = 0;", "chunks"),
    ] {
        let hurts = hurts(sql);

        assert!(
            hurts.iter().any(|why| why.contains(word)),
            "{sql}: {hurts:?}"
        );
    }
}

#[test]
fn what_widens_is_let_through() {
    let sql = "-- DROP nothing.\nCREATE TABLE more (id uuid PRIMARY KEY, name text NOT NULL CHECK (name <> ''));
        CREATE INDEX more_by_name ON more (name);
        ALTER TABLE jobs ADD COLUMN x bigint;
        ALTER TABLE jobs ADD COLUMN y integer NOT NULL DEFAULT 0;
        ALTER TABLE jobs ADD CONSTRAINT c CHECK (x > 0) NOT VALID;
        DROP INDEX CONCURRENTLY IF EXISTS z;
        CREATE INDEX CONCURRENTLY z ON jobs (x);
        CREATE OR REPLACE VIEW seen AS SELECT 1;
        DROP VIEW IF EXISTS heard;
        CREATE VIEW heard AS SELECT 1;";

    assert_eq!(hurts(sql), [""; 0]);
}
