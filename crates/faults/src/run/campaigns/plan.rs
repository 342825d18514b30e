//! What is sent: to whom, by which provider, how fast.

use std::{fmt::Write as _, time::Duration};

use baton_client::CreateCampaign;
use baton_domain::{
    job::{Backoff, Jitter, Strategy},
    message::MessageSpec,
};
use baton_lab::target::Target;
use rand::{RngExt, rngs::StdRng};
use serde_json::{Value, json};

use super::audience;

/// Providers, and what each answers.
const PROVIDERS: [(&str, &str); 4] = [
    ("steady", "/ok"),
    ("slow", "/slow/20"),
    ("flaky", "/flaky/1"),
    ("rude", "/reset/1"),
];
/// In how many seconds a campaign is to be sent, if that is not left open.
const SECONDS: std::ops::Range<f64> = 4.0..12.0;

/// The settings of the providers, which all are the target.
pub fn providers(target: &Target) -> String {
    let mut text = String::new();
    for (name, path) in PROVIDERS {
        let url = target.url(path);
        // A text takes what is written to it.
        let _ = write!(
            text,
            "\n[providers.{name}]\nkind = \"http\"\nurl = \"{url}\"\n"
        );
    }
    text
}

/// A campaign to everybody, as fast as can.
pub fn to_all(key: &str) -> CreateCampaign {
    campaign(key, json!({"all": true}), PROVIDERS[0].0)
}

/// Draws a campaign to some of so many recipients.
pub fn draw(chance: &mut StdRng, key: &str, recipients: u32) -> CreateCampaign {
    let audience = match chance.random_range(0..3) {
        0 => json!({"topic": audience::TOPICS[chance.random_range(0..audience::TOPICS.len())]}),
        _ => json!({"all": true}),
    };
    // One in two has a lane with others in it.
    let lane = chance.random::<bool>().then(|| key.to_owned());
    let (provider, _) = PROVIDERS[chance.random_range(0..PROVIDERS.len())];
    CreateCampaign {
        rate: rate(chance, recipients),
        lane,
        // Small, so that there are many chunks to be hurt in.
        chunk: Some(chance.random_range(40..400)),
        ..campaign(key, audience, provider)
    }
}

fn campaign(key: &str, audience: Value, provider: &str) -> CreateCampaign {
    CreateCampaign {
        name: key.to_owned(),
        category: "question".to_owned(),
        action: "push".to_owned(),
        audience,
        message: MessageSpec {
            title: "Your quiz is here".to_owned(),
            body: "Good morning, {{id}}!".to_owned(),
            ..MessageSpec::default()
        },
        provider: Some(provider.to_owned()),
        timeout: Some(Duration::from_secs(5)),
        backoff: Some(Backoff {
            strategy: Strategy::Exponential,
            base: Duration::from_millis(100),
            cap: Duration::from_millis(500),
            jitter: Jitter::Full,
        }),
        key: Some(key.to_owned()),
        ..CreateCampaign::default()
    }
}

/// As fast as can, or so that it takes a while.
pub fn rate(chance: &mut StdRng, recipients: u32) -> Option<f64> {
    let seconds = chance.random_range(SECONDS);
    (!chance.random_ratio(1, 3)).then(|| (f64::from(recipients) / seconds).round().max(1.0))
}
