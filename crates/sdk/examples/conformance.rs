//! The worker that the conformance suite asks for (`sdks/conformance`): it does what its payloads say.

use std::{env, thread, time::Duration};

use baton_sdk::{App, Context, Error, Job, JobError};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

#[derive(Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
enum Order {
    Answer {
        #[serde(default)]
        with: Value,
    },
    Sleep {
        ms: u64,
    },
    Block {
        ms: u64,
    },
    Hang,
    Fail(Failing),
    Skip {
        why: Option<String>,
    },
    Snooze {
        after: Seconds,
    },
    Walk {
        items: u64,
        every: u64,
    },
    Key,
    Big {
        bytes: usize,
    },
}

#[derive(Serialize, Deserialize)]
struct Failing {
    class: String,
    code: String,
    #[serde(default)]
    message: String,
    retry_after: Option<Seconds>,
}

#[derive(Serialize, Deserialize)]
struct After {
    after: u64,
}

/// A span as payloads write it: `5s`, `250ms`.
#[derive(Clone, Serialize, Deserialize)]
struct Seconds(String);

impl Seconds {
    fn span(&self) -> Duration {
        let number = |text: &str| text.parse().unwrap_or_default();
        match (self.0.strip_suffix("ms"), self.0.strip_suffix('s')) {
            (Some(millis), _) => Duration::from_millis(number(millis)),
            (None, Some(seconds)) => Duration::from_secs(number(seconds)),
            (None, None) => Duration::ZERO,
        }
    }
}

#[derive(Clone, Serialize, Deserialize)]
struct Child {
    item: u64,
}

async fn obey(order: Order, ctx: Context, child: Job<Child>) -> Result<Value, JobError> {
    match order {
        Order::Answer { with } => Ok(with),
        Order::Sleep { ms } => {
            tokio::time::sleep(Duration::from_millis(ms)).await;
            Ok(json!({"slept": ms}))
        }
        Order::Block { ms } => {
            thread::sleep(Duration::from_millis(ms));
            Ok(json!({"blocked": ms}))
        }
        Order::Hang => {
            ctx.stopping().await;
            Err(JobError::snooze(Duration::from_secs(1)))
        }
        Order::Fail(failing) => Err(failure(failing)),
        Order::Skip { why } => Err(JobError::skip(why.as_deref().unwrap_or("nothing to do"))),
        Order::Snooze { after } => Err(JobError::snooze(after.span())),
        Order::Walk { items, every } => walk(items, every, &ctx, &child).await,
        Order::Key => Ok(json!(ctx.idempotency_key())),
        Order::Big { bytes } => Ok(json!("x".repeat(bytes))),
    }
}

fn failure(failing: Failing) -> JobError {
    let Failing {
        class,
        code,
        message,
        retry_after,
    } = failing;
    let after = retry_after.map(|span| span.span());
    let error = match class.as_str() {
        "permanent" => JobError::permanent(&code, message),
        "misconfigured" => JobError::misconfigured(&code, message),
        "gone" => JobError::gone(&code, message),
        "throttled" => {
            return JobError::throttled(after.unwrap_or(Duration::from_secs(10)), message)
                .with_code(&code);
        }
        _ => JobError::retry(&code, message),
    };
    match after {
        Some(span) => error.after(span),
        None => error,
    }
}

async fn walk(
    items: u64,
    every: u64,
    ctx: &Context,
    child: &Job<Child>,
) -> Result<Value, JobError> {
    let mut at = ctx.cursor::<After>()?.map_or(0, |cursor| cursor.after);
    while at < items {
        let chunk = at..items.min(at + every);
        at = chunk.end;
        let children = chunk.map(|item| {
            let key = format!("{}.{item}", ctx.job_id());
            child.args(&Child { item }).key(key)
        });
        let children: Vec<_> = children.collect();
        ctx.checkpoint(&After { after: at })
            .done(at)
            .total(items)
            .jobs(children)
            .await?;
    }
    Ok(json!({"walked": at}))
}

/// One thread for the handlers, as a handler that blocks is to block all of them.
#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let app = App::from_env()?;
    let (job, child) = (
        app.job::<Order>("conformance").returns::<Value>(),
        app.job::<Child>("conformance.child"),
    );
    let slots = env::var("BATON_SLOTS")
        .ok()
        .and_then(|text| text.parse().ok());
    let grace = env::var("BATON_GRACE").unwrap_or_else(|_| "5s".to_owned());
    app.worker()
        .slots(slots.unwrap_or(4))
        .grace(Seconds(grace).span())
        .handle(&job, move |order, ctx| obey(order, ctx, child.clone()))
        .run()
        .await?;
    Ok(())
}
