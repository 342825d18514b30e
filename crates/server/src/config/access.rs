//! The settings of access: a provider that people can sign in at, and what needs two people.

use std::{collections::BTreeMap, path::PathBuf};

use baton_domain::access::{ClaimedRole, Role};
use baton_providers::OidcConfig;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::values::Hidden;

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Access {
    /// How many recipients a campaign may have that one person sends alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub second_person_over: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub oidc: Option<Oidc>,
}

/// A provider of sign-ins that speaks OpenID Connect.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Oidc {
    #[serde(default)]
    pub issuer: String,
    #[serde(default)]
    pub client_id: String,
    pub client_secret: Option<Hidden>,
    #[serde(default = "label")]
    pub label: String,
    #[serde(default = "scopes")]
    pub scopes: Vec<String>,
    #[serde(default = "roles_claim")]
    pub roles_claim: String,
    #[serde(default)]
    pub roles: BTreeMap<String, Role>,
    pub redirect_url: Option<String>,
    pub ca: Option<PathBuf>,
}

fn label() -> String {
    "Sign in with your organisation".to_owned()
}

fn scopes() -> Vec<String> {
    ["openid", "profile", "email"].map(str::to_owned).into()
}

fn roles_claim() -> String {
    "groups".to_owned()
}

impl From<&Oidc> for OidcConfig {
    fn from(oidc: &Oidc) -> Self {
        let secret = oidc.client_secret.as_ref();
        Self {
            issuer: oidc.issuer.clone(),
            client_id: oidc.client_id.clone(),
            client_secret: secret.map(|secret| secret.reveal().to_owned()),
            label: oidc.label.clone(),
            scopes: oidc.scopes.clone(),
            role: ClaimedRole {
                claim: oidc.roles_claim.clone(),
                roles: oidc.roles.clone(),
            },
            redirect_url: oidc.redirect_url.clone(),
            ca: oidc.ca.clone(),
        }
    }
}
