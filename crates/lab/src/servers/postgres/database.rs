//! An empty database and how it goes away.

use anyhow::Result;

use super::server::Address;

/// An empty database, dropped with the value.
#[derive(Debug)]
pub struct Database {
    name: String,
    address: Address,
}

impl Database {
    pub(super) fn create(address: Address, name: String, template: &str) -> Result<Self> {
        // Copied as files: logged page by page, as PostgreSQL does unasked, it takes several times as long.
        let copied = "STRATEGY file_copy";
        address.execute(&format!(
            "CREATE DATABASE {name} TEMPLATE {template} {copied}"
        ))?;
        Ok(Self { name, address })
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// The database's URL.
    #[must_use]
    pub fn url(&self) -> String {
        self.address.url(&self.name)
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        // Best effort: the server may be down, and then the database goes with its home.
        let _ = self
            .address
            .execute(&format!("DROP DATABASE {} WITH (FORCE)", self.name));
    }
}
