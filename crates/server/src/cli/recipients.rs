//! What `baton recipients` takes.

use std::path::PathBuf;

use baton_domain::recipient;
use clap::{Args, Subcommand, ValueEnum};

#[derive(Debug, Subcommand)]
pub enum RecipientsCommand {
    /// Import a file of recipients: NDJSON or CSV, as long as you like
    Import(ImportArgs),
    /// Write a recipient down as it is described now, and make it if there is none
    Put(Box<PutArgs>),
    /// Show a recipient
    Show {
        /// Your own id
        #[arg(value_parser = id)]
        id: String,
    },
    /// Forget recipients
    Delete {
        /// Your own ids
        #[arg(required = true, value_parser = id)]
        ids: Vec<String>,
        /// Erase everything else that names or quotes them, too: deliveries, events, audiences
        #[arg(long)]
        erase: bool,
        /// Do not wait until they are erased
        #[arg(long, requires = "erase")]
        no_wait: bool,
    },
    /// List recipients, the newest first
    List {
        /// How many at most
        #[arg(long, default_value_t = 50, value_name = "N", conflicts_with = "all")]
        limit: usize,
        /// All of them
        #[arg(long)]
        all: bool,
    },
    /// Show what a recipient was told, the newest first, and how much of it is unread
    Inbox {
        /// Your own id
        #[arg(value_parser = id)]
        id: String,
        /// How many at most
        #[arg(long, default_value_t = 20, value_name = "N")]
        limit: u32,
    },
    /// Count the members of an audience, and show some
    Count(CountArgs),
}

#[derive(Debug, Args)]
#[command(
    after_help = "CSV has a header: id, platform, lat, lon, topics (news|quiz), enabled, time_zone, locale, address.push. \
Each line of NDJSON is an object with these fields, and addresses as an object. The same file again changes nothing."
)]
pub struct ImportArgs {
    /// The file, or - for stdin
    pub file: PathBuf,
    /// Read and check everything, and write nothing
    #[arg(long)]
    pub dry_run: bool,
    /// How the rows are written [default: as the name of the file says]
    #[arg(long)]
    pub format: Option<FileFormat>,
}

/// How the rows of a file are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FileFormat {
    /// A JSON object in each line
    Ndjson,
    /// Cells with commas between, under a header
    Csv,
}

#[derive(Debug, Args)]
#[command(after_help = "What is not given is empty from now on.")]
pub struct PutArgs {
    /// Your own id
    #[arg(value_parser = id)]
    pub id: String,
    /// What it is reached on: ios, android, web, or any word of your own
    #[arg(long)]
    pub platform: String,
    /// Degrees north of the equator
    #[arg(long, allow_negative_numbers = true, requires = "lon")]
    pub lat: Option<f64>,
    /// Degrees east of Greenwich
    #[arg(long, allow_negative_numbers = true, requires = "lat")]
    pub lon: Option<f64>,
    /// What it has opted in to; may be given several times
    #[arg(long = "topic", value_name = "TOPIC")]
    pub topics: Vec<String>,
    /// Send nothing to it at all
    #[arg(long)]
    pub disabled: bool,
    /// Where it is reached, such as push=TOKEN; may be given several times
    #[arg(long = "address", value_name = "CHANNEL=ADDRESS", value_parser = address)]
    pub addresses: Vec<(String, String)>,
    /// The IANA name of its time zone
    #[arg(long, value_name = "ZONE")]
    pub time_zone: Option<String>,
    /// The language it reads, by its BCP 47 name, such as ko or pt-BR
    #[arg(long, value_name = "LOCALE")]
    pub locale: Option<String>,
}

/// It becomes a part of an address, where `..` would go elsewhere.
fn id(text: &str) -> Result<String, String> {
    let id = Some(text).filter(|text| recipient::is_id(text));
    id.map(str::to_owned)
        .ok_or_else(|| format!("an id {}", recipient::ID_RULE))
}

fn address(text: &str) -> Result<(String, String), String> {
    let parted = text.split_once('=');
    let parted = parted.map(|(channel, address)| (channel.to_owned(), address.to_owned()));
    parted.ok_or_else(|| "expected a channel and an address, such as push=TOKEN".to_owned())
}

#[derive(Debug, Args)]
#[command(
    after_help = "Example: baton recipients count --audience '{\"all_of\": [{\"platform\": \"ios\"}, {\"topic\": \"news\"}]}'"
)]
pub struct CountArgs {
    /// Whom it means, as JSON
    #[arg(long, default_value = r#"{"all": true}"#, value_name = "JSON")]
    pub audience: String,
    /// How many of them to show
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub samples: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_that_would_lead_elsewhere_is_refused_with_the_rule() {
        let refused = [".", "..", "", " a"].map(|text| id(text).unwrap_err());

        assert!(refused.iter().all(|why| why.starts_with("an id must have")));
        assert_eq!(id("user 1/2"), Ok("user 1/2".to_owned()));
    }
}
