//! What `baton schedules` takes.

use std::time::Duration;

use baton_domain::duration;
use clap::{Args, Subcommand};

#[derive(Debug, Subcommand)]
pub enum SchedulesCommand {
    /// Make something again and again, by a cron line in a time zone
    Create(Box<CreateArgs>),
    /// List schedules, the newest first
    List {
        /// How many at most
        #[arg(long, default_value_t = 50, value_name = "N")]
        limit: u32,
    },
    /// Show a schedule
    Show {
        /// Its id
        id: String,
    },
    /// Stop a schedule until it is resumed
    Pause {
        /// Its id
        id: String,
    },
    /// Have a paused schedule go on
    Resume {
        /// Its id
        id: String,
    },
    /// Have a schedule fire now, out of turn
    Fire {
        /// Its id
        id: String,
    },
    /// Show the next times of a schedule
    Next {
        /// Its id
        id: String,
        /// How many
        #[arg(long, default_value_t = 5, value_name = "N")]
        count: u32,
    },
    /// Show what a schedule has made, the latest first
    Fires {
        /// Its id
        id: String,
        /// How many at most
        #[arg(long, default_value_t = 50, value_name = "N")]
        limit: u32,
    },
    /// Forget a schedule; what it has made stays
    Delete {
        /// Its id
        id: String,
    },
}

#[derive(Debug, Args)]
#[command(
    after_help = "Example: baton schedules create 'daily quiz' --cron '0 9 * * *' --time-zone Asia/Seoul --lead 10m --kind http \
--payload '{\"url\": \"https://example.com/quiz\"}'"
)]
pub struct CreateArgs {
    /// What it is called
    pub name: String,
    /// 5 fields (minute, hour, day of month, month, day of week), or 6 with seconds in front
    #[arg(long, value_name = "LINE")]
    pub cron: String,
    /// The IANA name of the time zone whose clock it goes by
    #[arg(long, default_value = "UTC", value_name = "ZONE")]
    pub time_zone: String,
    /// The kind of the job that it makes
    #[arg(long, required_unless_present = "campaign")]
    pub kind: Option<String>,
    /// The arguments of the job's handler: JSON, @FILE, or - for stdin
    #[arg(long, default_value = "{}", value_name = "JSON")]
    pub payload: String,
    /// The campaign that it makes instead: JSON, @FILE, or - for stdin
    #[arg(long, value_name = "JSON", conflicts_with_all = ["kind", "payload", "queue", "expires_after"])]
    pub campaign: Option<String>,
    /// The queue of the job
    #[arg(long)]
    pub queue: Option<String>,
    /// How long after its time the job is still of use, such as 4h
    #[arg(long, value_parser = duration::parse, value_name = "DURATION")]
    pub expires_after: Option<Duration>,
    /// How long before its time it fires, such as 10m
    #[arg(long, value_parser = duration::parse, value_name = "DURATION")]
    pub lead: Option<Duration>,
    /// What becomes of missed times: skip, latest or all [default: latest]
    #[arg(long, value_name = "POLICY")]
    pub missed: Option<String>,
    /// How many missed times are made up for, with --missed all
    #[arg(long, value_name = "N")]
    pub missed_max: Option<i64>,
}
