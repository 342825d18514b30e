//! What `baton campaigns` takes.

use std::{path::PathBuf, time::Duration};

use baton_domain::{CampaignId, Timestamp, duration};
use clap::{Args, Subcommand};

use super::notify::{Translations, translations};

#[derive(Debug, Subcommand)]
pub enum CampaignsCommand {
    /// Create a campaign, from a file or from options
    Create(Box<CampaignArgs>),
    /// Say what a campaign would do, and write nothing
    Preview(Box<CampaignArgs>),
    /// List campaigns, the newest first
    List {
        /// How many at most
        #[arg(long, default_value_t = 50, value_name = "N")]
        limit: u32,
    },
    /// Show a campaign, and why deliveries failed
    Show {
        /// Its id
        id: CampaignId,
    },
    /// Follow a campaign until it is done
    Watch {
        /// Its id
        id: CampaignId,
    },
    /// Stop a campaign: no new call within two seconds
    Stop(CommandArgs),
    /// Resume a campaign exactly where it was stopped
    Resume(CommandArgs),
    /// Approve a large campaign that somebody else has asked for, which starts it
    Approve {
        /// Its id
        id: CampaignId,
    },
    /// Cancel a campaign for good
    Cancel(CommandArgs),
    /// Change how many deliveries may start each second
    Rate {
        /// Its id
        id: CampaignId,
        /// Deliveries a second, or `none`
        rate: String,
    },
    /// Run failed deliveries again, all or those of one cause
    RetryFailed {
        /// Its id
        id: CampaignId,
        /// Those of this cause only, as `show` names it
        #[arg(long, value_name = "CAUSE")]
        cause: Option<String>,
    },
    /// Say the same to those whom a campaign that is done or canceled has not reached
    SendToRest(RestArgs),
}

#[derive(Debug, Args)]
pub struct RestArgs {
    /// Its id
    pub id: CampaignId,
    /// Only say how many they are, and why they have not got it
    #[arg(long)]
    pub preview: bool,
    /// What the new campaign is called, instead of `NAME, the rest`
    #[arg(long)]
    pub name: Option<String>,
    /// How many deliveries may start each second, instead of as many as with the other one
    #[arg(long, value_name = "NUMBER")]
    pub rate: Option<f64>,
}

#[derive(Debug, Args)]
pub struct CommandArgs {
    /// Its id
    pub id: CampaignId,
    /// Why, for those who look at it later
    #[arg(long, value_name = "TEXT")]
    pub reason: Option<String>,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Example: baton campaigns create --name 'Daily quiz' --category question --audience '{\"topic\": \"daily-quiz\"}' --title Quiz --body 'Good morning, {{id}}!'"
)]
pub struct CampaignArgs {
    /// The campaign as JSON, as the API takes it; - for stdin
    #[arg(conflicts_with_all = ["name", "category", "action", "audience", "title", "body", "translations", "provider", "send_at", "send_at_local", "lead", "rate", "lane", "key"])]
    pub file: Option<PathBuf>,
    /// What people call it
    #[arg(long, required_unless_present = "file")]
    pub name: Option<String>,
    /// popular, question, notice, activity, or a word of your own
    #[arg(long, default_value = "notice")]
    pub category: String,
    /// What becomes of each recipient: inbox, push or both
    #[arg(long, default_value = "push")]
    pub action: String,
    /// Whom it is for, as JSON
    #[arg(long, default_value = r#"{"all": true}"#, value_name = "JSON")]
    pub audience: String,
    /// One line
    #[arg(long, required_unless_present = "file")]
    pub title: Option<String>,
    /// What there is to say
    #[arg(long, required_unless_present = "file")]
    pub body: Option<String>,
    /// The title and the body in other languages, as JSON: {"ko": {"title": "...", "body": "..."}}
    #[arg(long, value_name = "JSON", value_parser = translations)]
    pub translations: Option<Translations>,
    /// Who delivers
    #[arg(long)]
    pub provider: Option<String>,
    /// Send it at this moment, such as 2026-01-31T09:00:00Z
    #[arg(long, value_name = "TIME")]
    pub send_at: Option<Timestamp>,
    /// Send it when each recipient's clock shows this time, such as 2026-01-31T09:00
    #[arg(long, value_name = "TIME")]
    pub send_at_local: Option<String>,
    /// Write its deliveries this long before
    #[arg(long, value_parser = duration::parse, value_name = "SPAN")]
    pub lead: Option<Duration>,
    /// Start this many deliveries a second at most
    #[arg(long, value_name = "N")]
    pub rate: Option<f64>,
    /// Where it waits for others
    #[arg(long)]
    pub lane: Option<String>,
    /// Your own key: the same key is the same campaign
    #[arg(long)]
    pub key: Option<String>,
}
