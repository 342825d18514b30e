use std::time::Duration;

use baton_sdk::{App, Context, Error, JobError};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
struct Resize {
    image: u64,
    width: u64,
}

async fn resize(args: Resize, ctx: Context) -> Result<u64, JobError> {
    if args.width == 0 {
        return Err(JobError::permanent("bad_width", "one pixel at least"));
    }
    println!("image {} under the key {}", args.image, ctx.idempotency_key());
    Ok(args.image * args.width)
}

#[tokio::main]
async fn main() -> Result<(), Error> {
    tracing_subscriber::fmt::init(); // what a worker has to tell, such as that no server answers
    let app = App::from_env()?; // BATON_URL, or http://127.0.0.1:7878; BATON_KEY if the server asks for a key
    let job = app.job::<Resize>("resize").timeout(Duration::from_secs(120)).returns::<u64>();

    if std::env::args().nth(1).as_deref() == Some("work") {
        app.worker().slots(16).handle(&job, resize).run().await?; // until SIGTERM
    } else {
        let order = job.args(&Resize { image: 7, width: 640 }).key("order-4711");
        let handle = order.enqueue().await?; // the same key again: the same job
        println!("{}", handle.result(Duration::from_secs(30)).await?);
    }
    Ok(())
}
