//! From rows to keys, users and sessions. Digests are kept as hexadecimal digits.

use baton_domain::{
    KeyId, UserId,
    access::{ApiKey, Digest, Identity, Session, User},
};
use baton_ports::store::Result;

use crate::row::{Cells, Row};

pub fn api_key(row: Row) -> Result<ApiKey> {
    let mut cells = row.cells("api_keys");
    let cells = &mut cells;
    Ok(ApiKey {
        id: KeyId::from_uuid(cells.uuid("id")?),
        name: cells.text("name")?,
        digest: digest(cells)?,
        permissions: cells.json("permissions")?,
        kinds: cells.json("kinds")?,
        queues: cells.json("queues")?,
        created_at: cells.time("created_at")?,
        created_by: cells.word("created_by")?,
        expires_at: cells.maybe_time("expires_at")?,
        revoked_at: cells.maybe_time("revoked_at")?,
        last_used_at: cells.maybe_time("last_used_at")?,
    })
}

/// A user, from the cells of `account`.
pub fn user(cells: &mut Cells) -> Result<User> {
    Ok(User {
        id: UserId::from_uuid(cells.uuid("id")?),
        name: cells.text("name")?,
        role: cells.word("role")?,
        password: cells.maybe_text("password")?,
        is_disabled: cells.truth("disabled")?,
        created_at: cells.time("created_at")?,
        signed_in_at: cells.maybe_time("signed_in_at")?,
        failures: cells.count("failures")?,
        retry_at: cells.maybe_time("retry_at")?,
        identity: identity(cells)?,
    })
}

fn identity(cells: &mut Cells) -> Result<Option<Identity>> {
    let (issuer, subject) = (cells.maybe_text("issuer")?, cells.maybe_text("subject")?);
    let both = issuer.zip(subject);
    Ok(both.map(|(issuer, subject)| Identity { issuer, subject }))
}

/// A session, and whose it is.
pub fn session(row: Row) -> Result<(Session, User)> {
    let mut cells = row.cells("sessions");
    let cells = &mut cells;
    let owner = UserId::from_uuid(cells.uuid("user_id")?);
    let session = Session {
        user: owner,
        digest: digest(cells)?,
        created_at: cells.time("created_at")?,
        idle_until: cells.time("idle_until")?,
        ends_at: cells.time("ends_at")?,
    };
    Ok((session, user(cells)?))
}

/// A digest as it is kept.
pub fn hex(digest: &Digest) -> String {
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn digest(cells: &mut Cells) -> Result<Digest> {
    cells.bytes("digest")
}
