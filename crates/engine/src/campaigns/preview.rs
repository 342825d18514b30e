//! What a campaign would do, before it does anything.

use std::collections::BTreeMap;

use baton_domain::{
    access::Permission,
    campaign::{CampaignDefinition, CampaignSpec, NewCampaign},
    job::FieldError,
    message::{Filled, Message},
    recipient::Recipient,
};
use baton_ports::store::AudienceRange;

use crate::{Caller, Error, Result};

/// How many members are looked at one by one.
const LOOK: usize = 20_000;
/// How many are read at once.
const PAGE: u32 = 2_000;
/// How many samples there are, and one more for each text that these leave out.
const SAMPLES: usize = 10;
/// How many of those who lack a value are named.
const NAMED: usize = 10;

/// What a campaign would do now.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CampaignPreview {
    /// How many members its audience has, exactly.
    pub members: u64,
    /// How many members were looked at one by one, those who came first.
    pub looked_at: u64,
    /// Why how many of those would get nothing.
    pub skipped: BTreeMap<&'static str, u64>,
    /// How many of those would read each translation, if they are told anything; all others read the message as it is.
    pub translations: BTreeMap<String, u64>,
    /// What some of them would read: each text at least once that any of them would.
    pub samples: Vec<Sample>,
    /// What is missing: a provider that brings it, and what fills the message, for some of those who lack it.
    pub missing: Vec<String>,
}

/// What one recipient would read.
#[derive(Debug, Clone, PartialEq)]
pub struct Sample {
    /// Who.
    pub recipient: Recipient,
    /// In which translation, if in any.
    pub translation: Option<String>,
    /// What.
    pub message: Filled,
}

impl Caller {
    /// How many members the audience of a campaign would have, if it were created now.
    pub async fn count_campaign(&self, spec: CampaignSpec) -> Result<u64> {
        self.needs(Permission::CampaignsSend)?;
        let campaign = NewCampaign::from_spec(spec, self.now()).map_err(Error::Invalid)?;
        let until = self.store().joined().await?;
        let audience = &campaign.plan.audience;
        Ok(self.store().count_members(audience, until).await?.members)
    }

    /// What a campaign would do, if it were created now.
    pub async fn preview_campaign(&self, spec: CampaignSpec) -> Result<CampaignPreview> {
        self.needs(Permission::CampaignsSend)?;
        let campaign = NewCampaign::from_spec(spec, self.now()).map_err(Error::Invalid)?;
        let plan = &campaign.plan;
        let message = Message::from_spec(plan.message.clone()).map_err(Error::Invalid)?;
        let until = self.store().joined().await?;
        let count = self.store().count_members(&plan.audience, until).await?;
        let provider = self
            .settings()
            .provider_of(plan.action, plan.provider.as_deref());
        let mut preview = CampaignPreview {
            members: count.members,
            translations: message
                .translations()
                .map(|name| (name.to_owned(), 0))
                .collect(),
            missing: provider.err().as_ref().map(told).into_iter().collect(),
            ..CampaignPreview::default()
        };
        let mut after = Some(0);
        while let Some(from) = after.filter(|_| preview.looked_at < LOOK as u64) {
            let walk = AudienceRange {
                audience: &plan.audience,
                after: from,
                until,
            };
            let page = self.store().members(&walk, PAGE).await?;
            for recipient in page.recipients {
                preview.look_at(recipient, plan, &message);
            }
            after = page.next;
        }
        if !self.may(Permission::RecipientsRead) {
            preview.samples.clear();
            preview.translations.clear();
            preview.missing.retain(|lack| lack.starts_with("provider:"));
        }
        let shown = preview.samples.len() as u64;
        self.note_people(
            "samples of a campaign".to_owned(),
            Some(shown).filter(|n| *n > 0),
        )
        .await?;
        Ok(preview)
    }
}

fn told(wrong: &FieldError) -> String {
    format!("{}: {}", wrong.field, wrong.message)
}

impl CampaignPreview {
    fn look_at(&mut self, recipient: Recipient, plan: &CampaignDefinition, message: &Message) {
        self.looked_at += 1;
        let translation = message.translation_of(&recipient.profile);
        match plan.fill(&recipient, message) {
            Ok(_) => self.count_reader(translation),
            Err(skip) => *self.skipped.entry(skip.as_str()).or_default() += 1,
        }
        let is_new = self.samples.len() < SAMPLES || !self.has_sample(translation);
        match message.fill(&recipient.profile) {
            Ok(message) if is_new => {
                self.samples.push(Sample {
                    translation: translation.map(str::to_owned),
                    recipient,
                    message,
                });
            }
            Err(error) if self.missing.len() < NAMED => self.missing.push(error.to_string()),
            _ => {}
        }
    }

    fn count_reader(&mut self, translation: Option<&str>) {
        let readers = translation.and_then(|name| self.translations.get_mut(name));
        if let Some(readers) = readers {
            *readers += 1;
        }
    }

    fn has_sample(&self, translation: Option<&str>) -> bool {
        let mut samples = self.samples.iter();
        samples.any(|sample| sample.translation.as_deref() == translation)
    }
}
