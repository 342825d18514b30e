//! What a provider is configured as, and what is wrong with it.

use std::{fmt, path::PathBuf};

use baton_domain::access::ClaimedRole;
use url::{Host, Url};

use crate::http::StartError;

/// The scope without which a provider says nothing of people.
const OPENID: &str = "openid";
/// Where browsers come back to, whatever stands before it.
const CALLBACK: &str = "/admin/sign-in/callback";

/// A provider as the configuration describes it.
#[derive(Clone)]
pub struct OidcConfig {
    /// What it calls itself, letter by letter.
    pub issuer: String,
    /// What it calls us.
    pub client_id: String,
    /// What proves to it that it is us, unless it wants no proof but that of the code.
    pub client_secret: Option<String>,
    /// What the button says.
    pub label: String,
    /// What it is asked to tell.
    pub scopes: Vec<String>,
    /// What decides what somebody may do.
    pub role: ClaimedRole,
    /// Where it sends browsers back to, if not to the address that they came from.
    pub redirect_url: Option<String>,
    /// A PEM file of authorities that are trusted for it, in place of those for all calls.
    pub ca: Option<PathBuf>,
}

impl fmt::Debug for OidcConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OidcConfig")
            .field("issuer", &self.issuer)
            .field("client_id", &self.client_id)
            .finish_non_exhaustive()
    }
}

/// A setting of a provider that cannot be.
#[derive(Debug, thiserror::Error)]
pub enum BadOidc {
    /// One of its own.
    #[error("access.oidc.{setting} {message}")]
    Setting {
        /// The setting.
        setting: &'static str,
        /// What is wrong with it, and what to do.
        message: String,
    },
    /// Its client cannot be made.
    #[error(transparent)]
    Client(#[from] StartError),
}

impl OidcConfig {
    /// Looks for settings that cannot be; nobody is asked.
    pub fn check(&self) -> Result<(), BadOidc> {
        let wrong = |setting, message: &str| {
            let message = message.to_owned();
            Err(BadOidc::Setting { setting, message })
        };
        let issuer = Url::parse(&self.issuer);
        if issuer.is_err() || issuer.is_ok_and(|url| !is_guarded(&url) || is_more(&url)) {
            return wrong(
                "issuer",
                "must be the URL that the provider calls itself by, such as \"https://sso.example/realms/ours\": https (http on loopback \
                 alone), without user, query and fragment",
            );
        }
        if self.client_id.trim().is_empty() {
            return wrong(
                "client_id",
                "is missing: it is what the provider calls this application by",
            );
        }
        if self.client_secret.as_deref().is_some_and(str::is_empty) {
            return wrong(
                "client_secret",
                "is empty: leave it out if the provider gives none",
            );
        }
        if self.label.trim().is_empty() || self.label.chars().count() > 60 {
            return wrong(
                "label",
                "must say in 1 to 60 letters what the button says, such as \"Sign in with Example\"",
            );
        }
        let is_word =
            |scope: &String| !scope.is_empty() && scope.bytes().all(|b| b.is_ascii_graphic());
        if !self.scopes.iter().any(|scope| scope == OPENID) || !self.scopes.iter().all(is_word) {
            return wrong(
                "scopes",
                "must be words, \"openid\" among them: without it a provider says nothing of people",
            );
        }
        if self.role.claim.trim().is_empty() {
            return wrong(
                "roles_claim",
                "is empty: name the claim that says what somebody may do, such as \"groups\"",
            );
        }
        if self.role.roles.is_empty() {
            return wrong(
                "roles",
                "gives nobody a role, so nobody could sign in: say which value of the claim gives which, such as { \"baton-admins\" = \
                 \"admin\" }",
            );
        }
        match &self.redirect_url {
            Some(text) if !is_callback(text) => wrong(
                "redirect_url",
                "must be the address of this server's pages and end in /admin/sign-in/callback, as in \
                 \"https://jobs.example/admin/sign-in/callback\": https (http on loopback alone)",
            ),
            _ => Ok(()),
        }
    }
}

/// Whether nobody on the way can read or change what is said there.
pub fn is_guarded(url: &Url) -> bool {
    let is_loopback = match url.host() {
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => return false,
    };
    url.scheme() == "https" || (url.scheme() == "http" && is_loopback)
}

fn is_more(url: &Url) -> bool {
    let has_user = !url.username().is_empty() || url.password().is_some();
    has_user || url.query().is_some() || url.fragment().is_some()
}

fn is_callback(text: &str) -> bool {
    let url = Url::parse(text);
    url.is_ok_and(|url| is_guarded(&url) && !is_more(&url) && url.path().ends_with(CALLBACK))
}

#[cfg(test)]
mod tests {
    use baton_domain::access::Role;

    use super::*;

    fn config() -> OidcConfig {
        OidcConfig {
            issuer: "https://sso.example/realms/ours".to_owned(),
            client_id: "baton".to_owned(),
            client_secret: Some("canary".to_owned()),
            label: "Sign in with Example".to_owned(),
            scopes: vec!["openid".to_owned()],
            role: ClaimedRole {
                claim: "groups".to_owned(),
                roles: [("admins".to_owned(), Role::Admin)].into(),
            },
            redirect_url: None,
            ca: None,
        }
    }

    #[test]
    fn what_can_be_is_taken() {
        let callback = "https://jobs.example/x/admin/sign-in/callback";
        let given = OidcConfig {
            redirect_url: Some(callback.to_owned()),
            ..config()
        };
        let local = OidcConfig {
            issuer: "http://127.0.0.1:8080".to_owned(),
            client_secret: None,
            ..config()
        };

        for config in [config(), given, local] {
            config.check().unwrap();
        }
    }

    #[test]
    fn what_cannot_be_is_refused_by_the_name_of_its_setting() {
        type Change = fn(&mut OidcConfig);
        let changes: [(&str, Change); 12] = [
            ("issuer", |c| c.issuer = String::new()),
            ("issuer", |c| c.issuer = "http://sso.example".to_owned()),
            ("issuer", |c| {
                c.issuer = "https://me:pw@sso.example".to_owned();
            }),
            ("issuer", |c| {
                c.issuer = "https://sso.example/?a=b".to_owned();
            }),
            ("client_id", |c| c.client_id = " ".to_owned()),
            ("client_secret", |c| c.client_secret = Some(String::new())),
            ("label", |c| c.label = String::new()),
            ("scopes", |c| c.scopes = vec!["profile".to_owned()]),
            ("scopes", |c| c.scopes.push("a b".to_owned())),
            ("roles", |c| c.role.roles.clear()),
            ("redirect_url", |c| {
                c.redirect_url = Some("https://jobs.example/".to_owned());
            }),
            ("redirect_url", |c| {
                c.redirect_url = Some("http://jobs.example/admin/sign-in/callback".to_owned());
            }),
        ];

        for (setting, change) in changes {
            let mut config = config();
            change(&mut config);
            let told = config.check().unwrap_err().to_string();

            assert!(
                told.starts_with(&format!("access.oidc.{setting} ")),
                "{told}"
            );
        }
    }

    #[test]
    fn the_secret_is_not_told() {
        assert!(!format!("{:?}", config()).contains("canary"));
    }
}
