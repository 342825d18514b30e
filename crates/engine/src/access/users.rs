//! Users: add, look at, change, keep out.

use std::time::Duration;

use baton_domain::{
    UserId,
    access::{
        Actor, NAME_RULE, NewUser, PASSWORD, Permission, Role, Secret, User, UserChange, UserPatch,
        is_name,
    },
    audit::AuditAction,
    job::FieldError,
    page::{Page, PageRequest},
};
use baton_ports::store::UserChanged;
use serde_json::json;

use crate::{Caller, Engine, Error, Result, caller::Particulars};

impl Caller {
    /// Adds somebody who can sign in.
    pub async fn add_user(&self, new: NewUser) -> Result<User> {
        self.needs(Permission::KeysAdmin)?;
        if !self.actor().permissions.include(new.role.permissions()) {
            return Err(self.refused(Error::Forbidden(new.role.permissions())));
        }
        let user = self.drawn(new).await?;
        let store = self.audited(AuditAction::UserAdd, user.id, added(&user));
        match store.add_user(&user).await? {
            true => Ok(user),
            false => Err(name_taken(&user.name)),
        }
    }

    /// Every user, by name.
    pub async fn users(&self, page: &PageRequest) -> Result<Page<User>> {
        self.needs(Permission::KeysAdmin)?;
        Ok(self.store().users(page).await?)
    }

    /// The user of a name.
    pub async fn user_named(&self, name: &str) -> Result<User> {
        self.needs(Permission::KeysAdmin)?;
        let user = self.store().user_named(name).await?;
        user.ok_or_else(|| missing(name))
    }

    /// Changes a user; all their sessions end with it. The last admin stays one.
    pub async fn change_user(&self, id: UserId, patch: UserPatch) -> Result<User> {
        self.needs(Permission::KeysAdmin)?;
        let before = self.user(id).await?;
        for role in [Some(before.role), patch.role].into_iter().flatten() {
            // Nobody rules over those who may more.
            if !self.actor().permissions.include(role.permissions()) {
                return Err(self.refused(Error::Forbidden(role.permissions())));
            }
        }
        if patch.password.is_some() {
            check_has_password(&before)?;
        }
        let particulars = Particulars {
            before: Some(json!({ "role": before.role, "disabled": before.is_disabled })),
            after: Some(json!({
                "role": patch.role, "disabled": patch.is_disabled,
                "password": patch.password.as_ref().map(|_| "changed"),
            })),
            ..Particulars::default()
        };
        let change = UserChange {
            role: patch.role,
            password: self.hashed(patch.password).await?,
            is_disabled: patch.is_disabled,
            known_by: None,
        };
        let store = self.audited(AuditAction::UserChange, id, particulars);
        let changed = store.change_user(id, &change).await?;
        self.inner.authenticator.forget_all();
        match changed {
            UserChanged::Changed => self.user(id).await,
            UserChanged::Missing | UserChanged::OtherPassword => Err(missing(id)),
            UserChanged::LastAdmin => Err(Error::LastAdmin(before.name)),
        }
    }

    pub(super) async fn user(&self, id: UserId) -> Result<User> {
        let user = self.store().user(id).await?;
        user.ok_or_else(|| missing(id))
    }

    pub(super) async fn hashed(&self, password: Option<String>) -> Result<Option<String>> {
        let Some(password) = password else {
            return Ok(None);
        };
        check_password(&password).map_err(|error| Error::Invalid(vec![error]))?;
        let hash = self.inner.authenticator.passwords.hash(password).await;
        hash.map(Some).map_err(|_| Error::Busy)
    }
}

/// How long a set-up token is worth something.
const SET_UP: Duration = Duration::from_hours(1);

impl Engine {
    /// Draws the token that the first user is added with, in the place of any before; `None` if there is a user already.
    /// Whoever starts the server is to keep it where only its operator can read it.
    pub async fn offer_set_up(&self) -> Result<Option<Secret>> {
        let token = Secret::draw();
        let until = self.now() + SET_UP;
        let is_offered = self
            .inner
            .store
            .offer_set_up(&token.digest(), until)
            .await?;
        Ok(is_offered.then_some(token))
    }

    /// Adds the first user, an admin, for whoever has the set-up token.
    pub async fn set_up(&self, token: &Secret, name: String, password: String) -> Result<User> {
        // Before a password is hashed, which takes a while.
        let (token, store) = (token.digest(), &self.inner.store);
        if !store.is_set_up_offered(&token, self.now()).await? {
            return Err(Error::SetUpOver);
        }
        let caller = self.caller(Actor {
            name: "set-up token".to_owned(),
            ..Actor::nobody()
        });
        let new = NewUser {
            name,
            role: Role::Admin,
            password,
        };
        let user = caller.drawn(new).await?;
        let audited = caller.audited(AuditAction::UserAdd, user.id, added(&user));
        match audited.set_up(&token, &user, self.now()).await? {
            true => Ok(user),
            false => Err(Error::SetUpOver),
        }
    }
}

impl Caller {
    /// A user with a hashed password, checked.
    async fn drawn(&self, new: NewUser) -> Result<User> {
        let mut errors = Vec::new();
        if !is_name(&new.name) {
            errors.push(FieldError::new("name", NAME_RULE));
        }
        errors.extend(check_password(&new.password).err());
        if !errors.is_empty() {
            return Err(Error::Invalid(errors));
        }
        let now = self.now();
        Ok(User {
            id: UserId::new(now),
            name: new.name,
            role: new.role,
            password: self.hashed(Some(new.password)).await?,
            is_disabled: false,
            created_at: now,
            signed_in_at: None,
            failures: 0,
            retry_at: None,
            identity: None,
        })
    }
}

/// What somebody may do who signs in at a provider would not follow that any more.
pub(super) fn check_has_password(user: &User) -> Result<()> {
    if user.identity.is_none() {
        return Ok(());
    }
    let rule = "cannot be given to somebody who signs in at a provider: what they may do would not follow it any more";
    Err(Error::Invalid(vec![FieldError::new("password", rule)]))
}

pub(super) fn check_password(password: &str) -> Result<(), FieldError> {
    if PASSWORD.contains(&password.chars().count()) {
        return Ok(());
    }
    let (least, most) = (PASSWORD.start(), PASSWORD.end());
    let rule = format!("must have {least} to {most} letters; a few words in a row are good");
    Err(FieldError::new("password", rule))
}

fn added(user: &User) -> Particulars {
    Particulars {
        after: Some(json!({ "name": user.name, "role": user.role })),
        ..Particulars::default()
    }
}

fn name_taken(name: &str) -> Error {
    Error::Invalid(vec![FieldError::new(
        "name",
        format!("is taken: there is a user {name} already"),
    )])
}

pub(super) fn missing(who: impl std::fmt::Display) -> Error {
    Error::NotFound {
        what: "user",
        id: who.to_string(),
    }
}
