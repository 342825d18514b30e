//! Generations: which one Redis knows, opening one, and forgetting the others.

use baton_ports::hints::{HintIdentity, Result};
use redis::{cmd, pipe};

use crate::{errors::LinkError, hints::Inner, info::Info};

/// Keys that one step of the search looks at.
const STEP: u32 = 1_000;

impl Inner {
    pub async fn look(&self) -> Result<HintIdentity> {
        let mut infos = pipe();
        infos
            .cmd("INFO")
            .arg("server")
            .cmd("INFO")
            .arg("replication");
        let infos = self.connection.ask_all::<(String, String)>(&infos).await;
        let (server, replication) = self.heard(infos, None).await?;
        let generation = self.heard(self.sentinel().await, None).await?;
        let run = Info::read(&server).get("run_id").to_owned();
        let line = Info::read(&replication).get("master_replid").to_owned();
        Ok(HintIdentity {
            generation,
            incarnation: format!("{run}/{line}"),
        })
    }

    pub async fn open(&self, generation: i64) -> Result<()> {
        self.view.answerable()?;
        let mut set = cmd("SET");
        set.arg(self.keys.sentinel()).arg(generation);
        self.heard(self.connection.ask::<()>(&set).await, None)
            .await?;
        self.view.moved_to(Some(generation));
        // What cannot be forgotten now is forgotten when the next one opens.
        let forgotten = self.forget_all_but(generation).await;
        self.heard(forgotten, None).await
    }

    async fn forget_all_but(&self, generation: i64) -> std::result::Result<(), LinkError> {
        let kept = self.keys.generation(generation);
        let mut cursor = 0_u64;
        loop {
            let mut scan = cmd("SCAN");
            scan.arg(cursor)
                .arg("MATCH")
                .arg(self.keys.generations())
                .arg("COUNT")
                .arg(STEP);
            let (next, keys): (u64, Vec<String>) = self.connection.ask(&scan).await?;
            let old: Vec<_> = keys
                .into_iter()
                .filter(|key| !key.starts_with(&kept))
                .collect();
            if !old.is_empty() {
                self.connection.ask::<u64>(cmd("UNLINK").arg(old)).await?;
            }
            if next == 0 {
                return Ok(());
            }
            cursor = next;
        }
    }
}
