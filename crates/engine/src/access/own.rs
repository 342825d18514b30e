//! One's own user: look at it, and change its password.

use std::net::IpAddr;

use baton_domain::{
    access::{Principal, User, UserChange},
    audit::AuditAction,
};
use baton_ports::store::UserChanged;
use serde_json::json;

use super::{
    SignIn, SignInRefused, SignedIn,
    users::{check_has_password, check_password, missing},
};
use crate::{Caller, Error, Result, caller::Particulars};

impl Caller {
    /// The user who asks.
    pub async fn own_user(&self) -> Result<User> {
        match self.actor().principal {
            Principal::User(id) => self.user(id).await,
            _ => Err(missing(&self.actor().name)),
        }
    }

    /// Changes the password of whoever asks and knows the one before. Each of their sessions ends with it, and one begins anew.
    /// A wrong one counts as it does at the sign-in.
    pub async fn change_own_password(
        &self,
        current: String,
        new: String,
        address: Option<IpAddr>,
    ) -> Result<Result<SignedIn, SignInRefused>> {
        let user = self.own_user().await?;
        check_has_password(&user)?;
        let request_id = self.actor().request_id.clone();
        let asked = SignIn {
            name: user.name.clone(),
            password: current,
            address,
            request_id: request_id.clone(),
        };
        // What a new one has to be is said before the old one is looked at, which counts; it is hashed after, for that takes what
        // everybody's sign-in takes.
        check_password(&new).map_err(|error| Error::Invalid(vec![error]))?;
        let recognized = match self.recognize(&asked).await? {
            Ok(recognized) => recognized,
            Err(refused) => return Ok(Err(refused)),
        };
        let password = self.hashed(Some(new)).await?;
        let change = UserChange {
            password: password.clone(),
            known_by: recognized.password,
            ..UserChange::default()
        };
        let particulars = Particulars {
            after: Some(json!({ "password": "changed" })),
            ..Particulars::default()
        };
        let store = self.audited(AuditAction::UserChange, user.id, particulars);
        let changed = store.change_user(user.id, &change).await?;
        self.inner.authenticator.forget_all();
        match changed {
            UserChanged::Changed => (),
            UserChanged::OtherPassword => return Ok(Err(SignInRefused::Wrong)),
            UserChanged::Missing | UserChanged::LastAdmin => return Err(missing(user.id)),
        }
        let user = User { password, ..user };
        let begun = self.begin(&user, request_id, None).await?;
        begun.map(Ok).ok_or(Error::Busy)
    }
}
