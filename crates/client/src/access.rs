//! API keys and users, and what was done by whom.

use baton_protocol::{
    List,
    access::{
        AddUser, ApiKey, ChangeUser, CreateKey, CreatedKey, RotateKey, RotatedKey, SignedOut, User,
    },
    audit::{AuditEntry, AuditQuery},
};
use futures::Stream;
use reqwest::Method;

use crate::{Client, Result, lines, queues::LONGEST};

impl Client {
    /// Every API key, the newest first, those that are worth nothing any more among them.
    pub async fn keys(&self) -> Result<Vec<ApiKey>> {
        self.all_pages(self.url_with(&["keys"], &LONGEST)).await
    }

    /// Makes an API key, which is told this once.
    ///
    /// # Errors
    /// When it was refused, or no answer came; then a key may have been made that nobody knows.
    pub async fn create_key(&self, key: &CreateKey) -> Result<CreatedKey> {
        self.post_once(&["keys"], key).await
    }

    /// Puts a key with a new secret in the place of one, which is told this once.
    ///
    /// # Errors
    /// When there is no such key that is good, or no answer came; then a key may have been made that nobody knows.
    pub async fn rotate_key(&self, id: &str, how: &RotateKey) -> Result<RotatedKey> {
        self.post_once(&["keys", id, "rotate"], how).await
    }

    /// Takes an API key back.
    pub async fn revoke_key(&self, id: &str) -> Result<ApiKey> {
        self.post(&["keys", id, "revoke"], &()).await
    }

    /// Every user, by name.
    pub async fn users(&self) -> Result<Vec<User>> {
        self.all_pages(self.url_with(&["users"], &LONGEST)).await
    }

    /// Adds somebody who can sign in.
    pub async fn add_user(&self, user: &AddUser) -> Result<User> {
        self.post_once(&["users"], user).await
    }

    /// Changes a user; all their sessions end with it.
    pub async fn change_user(&self, name: &str, change: &ChangeUser) -> Result<User> {
        self.patch(&["users", name], change).await
    }

    /// Ends every session of a user.
    pub async fn sign_out(&self, name: &str) -> Result<SignedOut> {
        self.post(&["users", name, "sign-out"], &()).await
    }

    /// A page of the audit log, the newest first.
    pub async fn audit(&self, query: &AuditQuery) -> Result<List<AuditEntry>> {
        self.get_with(&["audit"], query).await
    }

    /// Every entry of what was done that matches, the newest first, as they come; with a limit so many at most.
    ///
    /// # Errors
    /// When the query was refused, or no answer came; later when the answer breaks off.
    pub async fn export_audit(
        &self,
        query: &AuditQuery,
    ) -> Result<impl Stream<Item = Result<AuditEntry>> + Send + use<>> {
        let url = self.url_with(&["audit", "export"], query);
        let response = self.stream(|| self.endless_request(Method::GET, &url));
        Ok(lines::read(response.await?))
    }
}
