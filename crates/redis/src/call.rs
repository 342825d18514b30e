//! Calls that hold only for a generation.

use baton_ports::hints::{HintError, Result};
use redis::{Cmd, FromRedisValue, Script};

use crate::{
    errors::{Kind, LinkError},
    hints::Inner,
    script::call,
};

impl Inner {
    /// Calls a script in the generation that is open. Where another one is, it looks which, and
    /// calls there.
    pub async fn call<T: FromRedisValue>(
        &self,
        script: &Script,
        command: impl Fn(i64) -> Cmd + Send + Sync,
    ) -> Result<T> {
        for _ in 0..2 {
            let generation = self.view.open()?;
            let answer = self.connection.call(script, &command(generation)).await;
            match self.heard(answer, Some(generation)).await? {
                Some(answer) => return Ok(answer),
                None => self.look_again().await?,
            }
        }
        Err(HintError::Building)
    }

    /// Draws the conclusions from an answer of this generation.
    pub async fn heard<T>(
        &self,
        answer: std::result::Result<T, LinkError>,
        generation: Option<i64>,
    ) -> Result<T> {
        match answer {
            Ok(answer) => {
                self.view.answered();
                Ok(answer)
            }
            Err(trouble) if trouble.kind == Kind::WrongType => {
                self.close(generation, &trouble).await;
                Err(HintError::Building)
            }
            Err(trouble) => {
                self.view.failed(&trouble);
                Err(HintError::Away(trouble.why))
            }
        }
    }

    /// What the sentinel says; `None` for anything that is not a generation.
    pub async fn sentinel(&self) -> std::result::Result<Option<i64>, LinkError> {
        let script = &self.scripts.sentinel;
        let command = call(script, &[self.keys.sentinel()], None);
        let value: Option<Vec<u8>> = self.connection.call(script, &command).await?;
        Ok(generation_of(value))
    }

    async fn look_again(&self) -> Result<()> {
        let generation = self.heard(self.sentinel().await, None).await?;
        self.view.moved_to(generation);
        Ok(())
    }

    /// Gives a generation up that somebody else has written to. Its keys go when the next one opens.
    async fn close(&self, generation: Option<i64>, trouble: &LinkError) {
        tracing::warn!(why = trouble.why, "hints are built anew");
        self.view.moved_to(None);
        let script = &self.scripts.close;
        let mut command = call(script, &[self.keys.sentinel()], None);
        command.arg(generation);
        if let Err(trouble) = self.connection.call::<u64>(script, &command).await {
            self.view.failed(&trouble);
        }
    }
}

/// Reads the sentinel; `None` for anything that is not a generation.
pub fn generation_of(value: Option<Vec<u8>>) -> Option<i64> {
    std::str::from_utf8(&value?).ok()?.parse().ok()
}
