//! The plans of MySQL and MariaDB, in a session of the store's own pool and for values that are asked for.

mod text;
mod values;

use baton_sql::{
    SqlStore,
    inside::{Kernel, Script},
};
use baton_testkit::Brand;
use mysql_async::{Conn, Row, prelude::Queryable};

use super::{WALKS, filling, hot_scripts};
use crate::{brands::on_each_brand, databases};

on_each_brand!(
    hot_statements_of_mysql_search_the_big_tables,
    a_claim_from_mysql_walks_the_line_in_its_order,
);

async fn hot_statements_of_mysql_search_the_big_tables(brand: Brand) {
    let (store, _url) = databases::mysql(brand).await;

    let mut faults = Vec::new();
    let mut stages = plans_of(brand, &store, &hot_scripts().collect::<Vec<_>>()).await;
    // MySQL looks into the indexes themselves before it walks over one: what it finds empty is.
    stages.retain(|(stage, _)| brand == Brand::Mariadb || stage.is_full());
    for (stage, plans) in stages {
        for plan in plans {
            let found = plan.faults(stage);
            faults.extend(found.map(|fault| format!("{}, {stage:?}: {fault}", plan.script)));
        }
    }

    faults.dedup();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

async fn a_claim_from_mysql_walks_the_line_in_its_order(brand: Brand) {
    let (store, _url) = databases::mysql(brand).await;
    let in_order = ["work/claim", "work/claim_limited"];
    let claims = hot_scripts().filter(|script| in_order.contains(&script.name));

    let stages = plans_of(brand, &store, &claims.collect::<Vec<_>>()).await;

    for (stage, plans) in stages {
        let walks: Vec<_> = plans
            .iter()
            .filter(|plan| plan.sql.contains("FOR UPDATE SKIP LOCKED"))
            .collect();
        assert_eq!(walks.len(), 2 * 4);
        for walk in walks {
            let mut steps = walk.steps.iter().filter(|step| step.kind != "INSERT");
            let (Some(step), None) = (steps.next(), steps.next()) else {
                panic!("{stage:?}: {walk:#?}")
            };
            let begins = ["ref", "range"].contains(&step.way.as_str()) && step.key == "PRIMARY";
            assert!(begins && !step.sorts(), "{stage:?}: {walk:#?}");
        }
    }
}

/// What the tables are like, and what is known of them.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Stage {
    EmptyAndNeverAnalysed,
    AnalysedWhileEmptyThenFilled,
    BelievedEmptyWhileFull,
    AnalysedWhileFull,
    AnalysedWhileFullThenDrained,
    AnalysedWhileDrainedAndEveryFactNumbered,
}

impl Stage {
    /// What a plan says of values that are not there is said of nothing: here they are.
    const fn is_full(self) -> bool {
        matches!(
            self,
            Self::AnalysedWhileEmptyThenFilled
                | Self::BelievedEmptyWhileFull
                | Self::AnalysedWhileFull
        )
    }
}

/// What the scripts are planned like at each stage.
async fn plans_of(
    brand: Brand,
    store: &SqlStore,
    scripts: &[&'static Script],
) -> Vec<(Stage, Vec<Plan>)> {
    let Kernel::Mysql(mysql) = store.kernel() else {
        unreachable!()
    };
    let mut session = mysql.session().await.unwrap();
    let tables: Vec<String> = session.query(TABLES).await.unwrap();
    for table in &tables {
        let fixed = format!("ALTER TABLE {table} STATS_AUTO_RECALC = 0");
        session.query_drop(fixed).await.unwrap();
    }
    session.query_drop(values::HANDED_ON).await.unwrap();
    if brand == Brand::Mysql {
        session.query_drop(filling::SEQUENCES).await.unwrap();
    }
    let analyse = format!("ANALYZE TABLE {}", tables.join(", "));
    let drained = format!("{analyse}; {ALL_NUMBERED}");

    let mut stages = Vec::new();
    for (stage, change) in [
        (Stage::EmptyAndNeverAnalysed, "DO 0"),
        (
            Stage::AnalysedWhileEmptyThenFilled,
            &format!("{analyse}; {}", filling::MYSQL),
        ),
        (Stage::BelievedEmptyWhileFull, FORGOTTEN),
        (Stage::AnalysedWhileFull, &analyse),
        (Stage::AnalysedWhileFullThenDrained, DRAINED),
        (Stage::AnalysedWhileDrainedAndEveryFactNumbered, &drained),
    ] {
        session.query_drop(change).await.unwrap();
        stages.push((stage, plans(&mut session, scripts).await));
    }
    stages
}

const TABLES: &str = "SELECT table_name FROM information_schema.tables WHERE table_schema = database() AND table_type = 'BASE TABLE'";

/// The numbers of rows that were counted along go with the tables that were open; what was analysed of them stays.
const FORGOTTEN: &str = "FLUSH TABLES";

const DRAINED: &str = "DELETE FROM ready; DELETE FROM ready_batches; DELETE FROM waiting; DELETE FROM leases; DELETE FROM leased; DELETE FROM leased_blocks; DELETE FROM cancellations";

const ALL_NUMBERED: &str =
    "UPDATE facts SET last_seq = 20000 + id WHERE last_seq IS NULL; ANALYZE TABLE facts";

async fn plans(session: &mut Conn, scripts: &[&'static Script]) -> Vec<Plan> {
    let mut plans = Vec::new();
    for script in scripts {
        for statement in script.mysql {
            let Some(sql) = text::with_values(script.name, statement) else {
                continue;
            };
            let question = text::question(&sql);
            let said = session.query(&question).await;
            let said: Vec<Row> = said.unwrap_or_else(|error| panic!("{error}: {question}"));
            plans.push(Plan {
                script: script.name,
                sql,
                steps: said.iter().map(step).collect(),
            });
        }
    }
    plans
}

/// What EXPLAIN says of a statement.
#[derive(Debug)]
struct Plan {
    script: &'static str,
    sql: String,
    steps: Vec<Step>,
}

/// A row of it.
#[derive(Debug)]
struct Step {
    kind: String,
    table: String,
    way: String,
    key: String,
    extra: String,
}

fn step(row: &Row) -> Step {
    let word = |name| {
        row.get::<Option<String>, _>(name)
            .flatten()
            .unwrap_or_default()
    };
    Step {
        kind: word("select_type"),
        table: word("table"),
        way: word("type"),
        key: word("key"),
        extra: word("Extra"),
    }
}

impl Step {
    fn sorts(&self) -> bool {
        self.extra.contains("Using filesort")
    }
}

/// Reads the first row of an index only: whose table, in which script.
const ENDS_AT_ONE: (&str, &str) = ("queues/ready", "ready");

/// Reads all that is held, which is as little as all workers' slots: which table, in which script.
const READS_ALL: (&str, &str) = ("campaigns/sweep", "h");

impl Plan {
    fn faults(&self, stage: Stage) -> impl Iterator<Item = String> {
        let steps = self.steps.iter();
        steps.filter_map(move |step| {
            self.unplanned(step, stage)
                .or_else(|| self.whole(step, stage))
                .or_else(|| self.sorted(step))
        })
    }

    /// EXPLAIN has looked whether there are rows, found none, and planned no further.
    fn unplanned(&self, step: &Step, stage: Stage) -> Option<String> {
        let says = |words: &str| step.extra.to_lowercase().contains(words);
        // A single row of a single table, by its key.
        let is_lookup = says("const table") && !self.sql.contains("JOIN");
        let is_none = says("impossible") || says("no matching");
        // MySQL has answered a part by then that is a row of its own, and tells how.
        let is_answered = |other: &Step| {
            ["DERIVED", "SUBQUERY"].contains(&other.kind.as_str()) && !other.way.is_empty()
        };
        let is_lookup = is_lookup || self.steps.iter().any(is_answered);
        (stage.is_full() && is_none && !is_lookup && text::reads_a_big_table(&self.sql))
            .then(|| format!("{}, and there is no plan: {}", step.extra, self.sql))
    }

    fn whole(&self, step: &Step, stage: Stage) -> Option<String> {
        let Step { table, way, .. } = step;
        let is_whole = match way.as_str() {
            // For each row it is decided anew, by the statistics, whether a range is read or everything, unless an index is forced.
            "ALL" if step.extra.contains("Range checked") => !text::is_forced(table, &self.sql),
            "ALL" => READS_ALL != (self.script, table),
            // To walk over an index that is empty costs nothing, so it may be preferred to any search, even where it is forced.
            "index" => stage != Stage::EmptyAndNeverAnalysed && ENDS_AT_ONE != (self.script, table),
            _ => false,
        };
        // While a table is believed empty, what only reads it may take longer; what locks it must not lock everybody's rows.
        let matters = match stage {
            Stage::BelievedEmptyWhileFull => {
                text::locks(&step.kind, &self.sql) && text::is_shared(table, &self.sql)
            }
            _ => text::is_big(table, &self.sql),
        };
        // What is written is told of as if it were read.
        (is_whole && matters && step.kind != "INSERT")
            .then(|| format!("{way} {} reads all of {table}: {}", step.key, self.sql))
    }

    /// What was read up to a limit, and is put in order once more, is a page and no more.
    fn sorted(&self, step: &Step) -> Option<String> {
        let is_page = |step: &Step| step.table.starts_with("<derived");
        (WALKS.contains(&self.script) && step.sorts() && !self.steps.iter().any(is_page))
            .then(|| format!("sorts {}, which an index has in order", step.table))
    }
}
