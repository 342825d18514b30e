//! Sign-ins at a provider: begun here, done there, and taken over when the browser comes back.

use std::{net::IpAddr, sync::Arc, time::Duration};

use baton_domain::{
    Timestamp, UserId,
    access::{Actor, Role, User},
    audit::AuditAction,
};
use baton_ports::{
    IdentityProvider,
    identity_provider::{AuthorizationRequest, AuthorizationResponse, Identified, ProviderError},
};
use serde_json::{Value, json};
use tokio::sync::{OnceCell, Semaphore};
use tracing::Instrument;

use super::{
    pending_sign_in::{PendingSignIn, SignInSeal},
    sessions::SignedIn,
};
use crate::{Caller, Engine, Error, Result, caller::Particulars};

/// How long somebody may take at the provider.
const AWAY: Duration = Duration::from_mins(10);
/// How many sign-ins ask the provider at once; it answers in a fraction of a second, or hangs.
const AT_ONCE: usize = 16;
/// The longest code that is passed on, in bytes.
const LONGEST_CODE: usize = 4_096;
/// The longest way back that is kept, in bytes: browsers keep no more than four kilobytes in all.
const LONGEST_WAY_BACK: usize = 1_000;
/// The longest word for what went wrong there.
const LONGEST_WORD: usize = 64;
/// In whose name users are added and changed as the provider says.
const NAME: &str = "sign-in";

/// Where sign-ins go to, if anywhere, and what they are sealed with.
pub struct Provider {
    known: std::sync::OnceLock<Arc<dyn IdentityProvider>>,
    seal: OnceCell<SignInSeal>,
    turns: Semaphore,
}

impl Default for Provider {
    fn default() -> Self {
        Self {
            known: std::sync::OnceLock::new(),
            seal: OnceCell::new(),
            turns: Semaphore::new(AT_ONCE),
        }
    }
}

/// A browser that is sent to the provider.
pub struct SignInRedirect {
    /// Where it goes.
    pub address: String,
    /// What it is to keep until it comes back.
    pub begun: String,
    /// For how long that is worth something.
    pub within: Duration,
}

/// What a browser says that comes back from the provider.
#[derive(Default)]
pub struct SignInCallback {
    /// What it has kept.
    pub begun: Option<String>,
    /// The state that the provider has sent back with it.
    pub state: String,
    /// What the provider gives its answer for.
    pub code: Option<String>,
    /// Why it gives none, in a word.
    pub error: Option<String>,
    /// Which provider says so.
    pub issuer: Option<String>,
    /// From where it comes, as limits count it, if that is known.
    pub address: Option<IpAddr>,
    /// The id of the request.
    pub request_id: Option<String>,
}

/// Why somebody who comes from the provider is not let in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotLetIn {
    /// No provider is configured.
    NoProvider,
    /// It was begun in another browser or too long ago, or somebody else sent it here.
    NotBegunHere,
    /// They have changed their mind there, or were refused.
    Canceled(String),
    /// There were too many, here or from this address: nobody looks before this moment.
    TooSoon(Timestamp),
    /// The provider could not say who they are.
    Provider(ProviderError),
    /// It knows them, and nothing that it says gives them a role; what decides that.
    NoRole(String),
    /// They are kept out here.
    KeptOut,
}

impl Engine {
    /// Lets people sign in at this provider as well. The first one stays.
    pub fn identify_by(&self, provider: Arc<dyn IdentityProvider>) {
        let _ = self.inner.authenticator.provider.known.set(provider);
    }

    /// Where people can sign in beside here.
    #[must_use]
    pub fn identity_provider(&self) -> Option<&Arc<dyn IdentityProvider>> {
        self.inner.authenticator.provider.known.get()
    }

    /// Where a browser ends its session at the provider as well. One that does not answer is no reason to say anything else.
    pub async fn provider_sign_out_url(&self) -> Option<String> {
        let asked = self.identity_provider()?.sign_out_url().await;
        asked
            .inspect_err(
                |why| tracing::warn!(%why, "nobody can be led to sign out at the provider"),
            )
            .ok()
            .flatten()
    }

    /// Sends a browser to the provider; it comes back to this address, and its user goes on to `next` then.
    pub async fn begin_sign_in(
        &self,
        redirect_url: &str,
        next: &str,
    ) -> Result<Result<SignInRedirect, NotLetIn>> {
        let Some(provider) = self.identity_provider() else {
            return Ok(Err(NotLetIn::NoProvider));
        };
        let Ok(_turn) = self.inner.authenticator.provider.turns.try_acquire() else {
            return Ok(Err(NotLetIn::TooSoon(self.now() + Duration::from_secs(1))));
        };
        let redirect_url = provider.redirect_url().unwrap_or(redirect_url);
        let next = if next.len() > LONGEST_WAY_BACK {
            "/"
        } else {
            next
        };
        let until = self.now() + AWAY;
        let begun = PendingSignIn::new(provider.issuer(), redirect_url, next, until);
        let address = match provider.authorization_url(&question(&begun)).await {
            Ok(address) => address,
            Err(error) => return Ok(Err(NotLetIn::Provider(error))),
        };
        Ok(Ok(SignInRedirect {
            address,
            begun: self.sign_in_seal().await?.seal(&begun),
            within: AWAY,
        }))
    }

    /// Begins a session for whoever comes back from the provider, and says where they wanted to go. It comes to its end whoever hangs
    /// up meanwhile.
    pub async fn finish_sign_in(
        &self,
        came: SignInCallback,
    ) -> Result<Result<(SignedIn, String), NotLetIn>> {
        let engine = self.clone();
        let done = tokio::spawn(async move { engine.take_back(came).await }.in_current_span());
        done.await
            .unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic()))
    }

    async fn take_back(
        &self,
        came: SignInCallback,
    ) -> Result<Result<(SignedIn, String), NotLetIn>> {
        let throttle = &self.inner.authenticator.throttle;
        let (address, request_id) = (came.address, came.request_id.clone());
        if let Some(address) = address
            && let Err(until) = throttle.try_address(address, self.now())
        {
            return Ok(Err(NotLetIn::TooSoon(until)));
        }
        let known = match self.whom(&came).await? {
            Ok(known) => known,
            Err(why) => {
                self.note_not_let_in(&why, None, &came).await;
                return Ok(Err(why));
            }
        };
        let let_in = self.let_in_identified(&known.0, request_id).await?;
        match &let_in {
            Ok(_) => address.into_iter().for_each(|one| throttle.forgive(one)),
            Err(why) => self.note_not_let_in(why, Some(&known.0), &came).await,
        }
        Ok(let_in.map(|signed_in| (signed_in, known.1)))
    }

    /// Who has come back, and where they wanted to go.
    async fn whom(&self, came: &SignInCallback) -> Result<Result<(Identified, String), NotLetIn>> {
        let Some(provider) = self.identity_provider() else {
            return Ok(Err(NotLetIn::NoProvider));
        };
        let kept = came.begun.as_deref();
        let begun = match kept {
            Some(kept) => self.sign_in_seal().await?.open(kept),
            None => None,
        };
        let now = self.now();
        let is_ours = |begun: &PendingSignIn| {
            !begun.is_over(now) && begun.issuer == provider.issuer() && begun.is_state(&came.state)
        };
        let Some(begun) = begun.filter(is_ours) else {
            return Ok(Err(NotLetIn::NotBegunHere));
        };
        if let Some(error) = &came.error {
            return Ok(Err(NotLetIn::Canceled(word(error))));
        }
        let code = came
            .code
            .as_deref()
            .filter(|code| code.len() <= LONGEST_CODE);
        let Some(code) = code else {
            return Ok(Err(NotLetIn::NotBegunHere));
        };
        let Ok(_turn) = self.inner.authenticator.provider.turns.try_acquire() else {
            return Ok(Err(NotLetIn::TooSoon(now + Duration::from_secs(1))));
        };
        let answer = AuthorizationResponse {
            code,
            issuer: came.issuer.as_deref(),
            question: question(&begun),
        };
        let identified = provider.identify(&answer, now).await;
        Ok(match identified {
            Ok(identified) => Ok((identified, begun.next)),
            Err(error) => Err(NotLetIn::Provider(error)),
        })
    }

    async fn let_in_identified(
        &self,
        known: &Identified,
        request_id: Option<String>,
    ) -> Result<Result<SignedIn, NotLetIn>> {
        let Some(role) = known.role else {
            return Ok(Err(NotLetIn::NoRole(known.decided_by.clone())));
        };
        let caller = self.caller(Actor {
            request_id: request_id.clone(),
            ..Actor::system(NAME)
        });
        let Some(user) = caller.user_as_known(known, role).await? else {
            return Ok(Err(NotLetIn::KeptOut));
        };
        let by = json!({ "by": "oidc", "issuer": known.identity.issuer });
        let begun = self.begin(&user, request_id, Some(by)).await?;
        Ok(begun.ok_or(NotLetIn::KeptOut))
    }

    async fn note_not_let_in(
        &self,
        why: &NotLetIn,
        known: Option<&Identified>,
        came: &SignInCallback,
    ) {
        let mut nobody = Actor::nobody();
        nobody.request_id.clone_from(&came.request_id);
        let known = known.map(|known| &known.identity);
        let after = json!({
            "by": "oidc",
            "address": came.address.map(|one| one.to_string()),
            "issuer": known.map(|one| &one.issuer),
            "subject": known.map(|one| &one.subject),
        });
        let object = "sign-in at a provider".to_owned();
        self.caller(nobody)
            .note_denial(object, &why.told(), Some(after))
            .await;
    }

    async fn sign_in_seal(&self) -> Result<&SignInSeal> {
        let ask = async || {
            let secret = self.inner.store.secret().await?;
            Ok::<_, Error>(SignInSeal::new(&secret))
        };
        let seal = &self.inner.authenticator.provider.seal;
        seal.get_or_try_init(ask).await
    }
}

impl Caller {
    /// The user whom the provider knows, added or changed to what it says; `None` if they are kept out.
    async fn user_as_known(&self, known: &Identified, role: Role) -> Result<Option<User>> {
        let names = known
            .identity
            .names(known.called.iter().map(String::as_str));
        if let Some(user) = self.store().user_of(&known.identity).await? {
            return self.followed(user, &names, role).await;
        }
        for name in &names {
            let user = self.user_identified(name, known, role);
            let audited = self.audited(AuditAction::UserAdd, user.id, told(&user));
            if audited.add_user(&user).await? {
                return Ok(Some(user));
            }
            // Perhaps they have come twice at once, and are there by now.
            if let Some(user) = self.store().user_of(&known.identity).await? {
                return self.followed(user, &names, role).await;
            }
        }
        Err(Error::Busy)
    }

    async fn followed(&self, user: User, names: &[String], role: Role) -> Result<Option<User>> {
        if user.is_disabled {
            return Ok(None);
        }
        // Whoever has one of their names keeps it.
        let keeps = names.contains(&user.name);
        if keeps && user.role == role {
            return Ok(Some(user));
        }
        let names = if keeps {
            std::slice::from_ref(&user.name)
        } else {
            names
        };
        for name in names {
            let particulars = Particulars {
                before: Some(json!({ "name": user.name, "role": user.role })),
                after: Some(json!({ "name": name, "role": role, "by": "oidc" })),
                ..Particulars::default()
            };
            let audited = self.audited(AuditAction::UserChange, user.id, particulars);
            if audited.follow_provider(user.id, name, role).await? {
                self.inner.authenticator.forget_all();
                return Ok(self.store().user(user.id).await?);
            }
        }
        let user = self.store().user(user.id).await?;
        match user.filter(|user| !user.is_disabled) {
            Some(_) => Err(Error::Busy),
            None => Ok(None),
        }
    }

    fn user_identified(&self, name: &str, known: &Identified, role: Role) -> User {
        let now = self.now();
        User {
            id: UserId::new(now),
            name: name.to_owned(),
            role,
            password: None,
            is_disabled: false,
            created_at: now,
            signed_in_at: None,
            failures: 0,
            retry_at: None,
            identity: Some(known.identity.clone()),
        }
    }
}

impl NotLetIn {
    /// What the audit log is told.
    fn told(&self) -> String {
        match self {
            Self::NoProvider => "no provider of sign-ins is configured".to_owned(),
            Self::NotBegunHere => {
                "the sign-in was not begun in this browser, or too long ago, or its state is wrong"
                    .to_owned()
            }
            Self::Canceled(word) => format!("the provider has sent them back with {word:?}"),
            Self::TooSoon(_) => "there were too many sign-ins at once".to_owned(),
            Self::Provider(error) => error.to_string(),
            Self::NoRole(decided_by) => format!("{decided_by} gives them no role"),
            Self::KeptOut => "they are kept out".to_owned(),
        }
    }
}

/// The word of an error, without what else somebody may have written there.
fn word(error: &str) -> String {
    let letters = error
        .chars()
        .filter(|c| c.is_ascii_lowercase() || *c == '_');
    letters.take(LONGEST_WORD).collect()
}

fn question(begun: &PendingSignIn) -> AuthorizationRequest<'_> {
    AuthorizationRequest {
        state: begun.state(),
        nonce: begun.nonce(),
        verifier: begun.verifier(),
        redirect_url: &begun.redirect_url,
    }
}

fn told(user: &User) -> Particulars {
    let identity = user.identity.as_ref();
    let after: Value = json!({
        "name": user.name, "role": user.role, "by": "oidc",
        "issuer": identity.map(|one| &one.issuer), "subject": identity.map(|one| &one.subject),
    });
    Particulars {
        after: Some(after),
        ..Particulars::default()
    }
}
