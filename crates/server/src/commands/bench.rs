//! `baton bench`: what this machine and database give, measured through the parts that `serve` runs.
//!
//! Every measurement works in a database made for it and dropped afterwards, however the command ends.
//! To add one: its name in `cli::Measurement`, its file in `measure/`, a line in [`measure()`].

mod crew;
mod figure;
mod ground;
mod hammer;
mod handlers;
mod keyed;
mod load;
mod machine;
mod mail;
mod measure;
mod report;
mod rig;
mod session;
mod stream;
mod target;
mod took;
mod witness;

use crate::{
    cli::{BenchArgs, Measurement},
    exit::{Exit, Failure},
    output::Output,
    shutdown::{self, Shutdown},
    telemetry, watchdog,
};

use ground::Ground;
use session::Session;

pub use target::serve as target;

pub async fn run(args: BenchArgs, output: &Output) -> Result<Exit, Failure> {
    if args.lines && output.is_json() {
        return Err(
            Failure::usage("--lines and --json are two forms of the same")
                .then("--lines writes a line for each workload, --json one document at the end."),
        );
    }
    let told = Shutdown::listen()?.soft;
    // A server writes its metrics as it works; so does what is measured here.
    telemetry::gathered()?;
    let ground = Ground::open(&args)?;
    let mut session = Session::new(&args, &ground, *output);
    let outcome = tokio::select! {
        outcome = measure_all(&mut session) => outcome.map(|()| Exit::Ok),
        death = ground.watchdog.died() => Err(watchdog::failure(&death)),
        () = told.cancelled() => Ok(Exit::Interrupted),
        () = shutdown::hung_up() => Ok(Exit::Interrupted),
    };
    match &outcome {
        Ok(Exit::Ok) => report::show(&session),
        Ok(_) => {}
        // What was found before a failure is worth as much, but is not the whole document.
        Err(_) => report::show_part(&session),
    }
    let cleared = ground.clear().await;
    outcome.and_then(|exit| cleared.map(|()| exit))
}

async fn measure_all(session: &mut Session<'_>) -> Result<(), Failure> {
    session.look().await?;
    report::announce(session);
    for measurement in session.args.chosen() {
        session.begin(measurement);
        measure(measurement, session).await?;
    }
    Ok(())
}

async fn measure(measurement: Measurement, session: &mut Session<'_>) -> Result<(), Failure> {
    match measurement {
        Measurement::Drain => measure::drain::run(session).await,
        Measurement::Batch => measure::batch::run(session).await,
        Measurement::Single => measure::single::run(session).await,
        Measurement::Latency => measure::latency::run(session).await,
        Measurement::Store => measure::store::run(session).await,
        Measurement::Snapshot => measure::snapshot::run(session).await,
        Measurement::Http => measure::http::run(session).await,
        Measurement::Api => measure::api::run(session).await,
        Measurement::History => measure::history::run(session).await,
        Measurement::Campaigns => measure::campaigns::run(session).await,
        Measurement::Memory => measure::memory::run(session).await,
        Measurement::Remote => measure::remote::run(session).await,
        Measurement::Fleet => measure::fleet::run(session).await,
    }
}
