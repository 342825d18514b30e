//! One run of the command: what is asked, and what was found so far.

use indicatif::ProgressBar;

use crate::{
    cli::{BenchArgs, Measurement},
    exit::Failure,
    output::Output,
};

use super::{figure::Figure, ground::Ground, machine::Machine, report, rig::Rig};

pub struct Session<'a> {
    pub args: &'a BenchArgs,
    pub ground: &'a Ground,
    pub output: Output,
    pub figures: Vec<Figure>,
    /// The machine as it was before.
    pub machine: Machine,
    /// What the database says of itself.
    pub settings: Vec<(String, String)>,
    /// What a reader of the figures has to know.
    pub warnings: Vec<String>,
    /// How many jobs a worker claims ahead of its slots.
    pub prefetch: Option<u32>,
    measuring: &'static str,
}

impl<'a> Session<'a> {
    pub fn new(args: &'a BenchArgs, ground: &'a Ground, output: Output) -> Self {
        Self {
            args,
            ground,
            output,
            figures: Vec::new(),
            machine: Machine::here(),
            settings: Vec::new(),
            warnings: Vec::new(),
            prefetch: None,
            measuring: "",
        }
    }

    /// Looks at what is measured on, before anything is.
    pub async fn look(&mut self) -> Result<(), Failure> {
        let rig = self.rig().await?;
        self.settings = rig.settings().await?;
        self.prefetch = Some(rig.prefetch());
        rig.take_down(self.ground).await
    }

    pub fn begin(&mut self, measurement: Measurement) {
        self.measuring = measurement.as_str();
        if !self.output.shows_progress() {
            self.output.say(format!("measuring {}", self.measuring));
        }
    }

    /// How many jobs go through, unless another number was asked for.
    pub fn jobs(&self, usual: u32) -> u32 {
        self.args.jobs.unwrap_or(usual)
    }

    /// A server's inside over an empty database.
    pub async fn rig(&self) -> Result<Rig, Failure> {
        Rig::build(self.args, self.ground).await
    }

    /// The same with so many slots, unless another number was asked for.
    pub async fn rig_with(&self, slots: u32) -> Result<Rig, Failure> {
        let args = BenchArgs {
            slots: self.args.slots.or(Some(slots)),
            ..self.args.clone()
        };
        Rig::build(&args, self.ground).await
    }

    /// Lets the database settle what came before, so that the next measurement does not pay for it.
    pub async fn checkpoint(&mut self, rig: &Rig) -> Result<(), Failure> {
        let warning = "this user may not CHECKPOINT, so each measurement also pays for what came before it; \
                       GRANT pg_checkpoint lets it";
        if !rig.checkpoint().await? && !self.warnings.iter().any(|known| known == warning) {
            self.output.say(format!("warning: {warning}"));
            self.warnings.push(warning.to_owned());
        }
        Ok(())
    }

    /// Takes a figure down.
    pub fn found(&mut self, figure: Figure) {
        let figure = figure.of(self.measuring);
        if self.args.lines {
            report::line(&figure, self.store(), &self.output);
        } else if self.output.shows_progress() {
            report::glance(&figure, &self.output);
        }
        self.figures.push(figure);
    }

    /// A bar for one step.
    pub fn bar(&self, total: u32, step: &str) -> ProgressBar {
        let bar = self.output.bar(total.into(), self.measuring);
        bar.set_message(step.to_owned());
        bar
    }

    /// A bar for callers that call for as long as was asked for.
    pub fn timed_bar(&self, callers: u32) -> ProgressBar {
        let span = u32::try_from(self.args.span.as_millis()).unwrap_or(u32::MAX);
        self.bar(span, &format!("ms, {callers} callers"))
    }

    /// The word for the kind of database.
    pub fn store(&self) -> &'static str {
        match self.args.database.as_deref() {
            Some(url) if url.starts_with("postgres") => "postgres",
            Some(url) if url.starts_with("mysql") || url.starts_with("mariadb") => "mysql",
            _ => "sqlite",
        }
    }
}
