//! Redis for the peer that needs it, as durable as its own documentation asks for.

use std::path::Path;

use anyhow::Result;

use super::{Server, free_port};

pub struct Redis {
    url: String,
    _server: Server,
}

impl Redis {
    pub fn start(folder: &Path) -> Result<Self> {
        let port = free_port()?;
        let number = port.to_string();
        let command = [
            "redis-server",
            "--port",
            &number,
            "--bind",
            "127.0.0.1",
            "--appendonly",
            "yes",
            "--appendfsync",
            "everysec",
            // No snapshots: they would fork in the middle of a measurement.
            "--save",
            "",
        ];
        Ok(Self {
            _server: Server::start(&command, folder, "redis.log", port)?,
            url: format!("redis://127.0.0.1:{port}"),
        })
    }

    pub fn url(&self) -> &str {
        &self.url
    }
}
