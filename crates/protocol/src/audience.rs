//! Audiences: which recipients are meant.

use baton_domain::audience::Audience;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::{FieldError, recipient::Recipient};

/// One condition, or some combined.
///
/// An object with one field: `{"all": true}`, `{"platform": "ios"}`, `{"topic": "daily-quiz"}` (who has
/// opted in), `{"within": {"lat": 37.57, "lon": 126.98, "radius_m": 5000}}`, `{"ids": ["a", "b"]}`; or
/// `{"all_of": [...]}`, `{"any_of": [...]}`, `{"not": {...}}` of these. 8 levels and 100 conditions at
/// most, and 10,000 ids.
#[derive(Debug, ToSchema)]
#[schema(as = Audience, value_type = Object, example = json!({"all_of": [{"platform": "ios"}, {"topic": "daily-quiz"}]}))]
#[expect(dead_code, reason = "it only describes the domain's Audience")]
pub struct AudienceSchema(Value);

/// Whom an audience means, before anything is sent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PreviewAudience {
    /// The audience.
    #[schema(value_type = AudienceSchema)]
    pub audience: Value,
    /// How many of its members to show; 10 if nothing is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 0, maximum = 100)]
    pub samples: Option<u32>,
}

impl PreviewAudience {
    const SAMPLES: u32 = 10;
    const MOST_SAMPLES: u32 = 100;

    /// The audience, and how many samples are wanted.
    pub fn read(&self) -> Result<(Audience, u32), Vec<FieldError>> {
        let samples = self.samples.unwrap_or(Self::SAMPLES);
        let mut errors = Vec::new();
        if samples > Self::MOST_SAMPLES {
            errors.push(FieldError::new("samples", "must lie between 0 and 100"));
        }
        match Audience::read("audience", &self.audience) {
            Ok(audience) if errors.is_empty() => Ok((audience, samples)),
            Ok(_) => Err(errors),
            Err(wrong) => {
                errors.extend(wrong.into_iter().map(FieldError::from));
                Err(errors)
            }
        }
    }
}

/// Whom an audience means at this moment.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct AudiencePreview {
    /// How many recipients belong to it, exactly.
    pub count: u64,
    /// How many of them are disabled, and would be skipped.
    pub disabled: u64,
    /// Some of them, those who came first.
    pub samples: Vec<Recipient>,
}
