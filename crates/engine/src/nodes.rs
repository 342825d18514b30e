//! The nodes: who is there, with a worker or without.

use baton_domain::{
    access::Permission,
    node::{REMEMBERED, SeenNode},
};

use crate::{Caller, Result};

impl Caller {
    /// Nodes that are there, or have gone not long ago.
    pub async fn nodes(&self) -> Result<Vec<SeenNode>> {
        self.needs(Permission::JobsRead)?;
        Ok(self.store().nodes(self.now() - REMEMBERED).await?)
    }
}
