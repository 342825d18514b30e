//! An nginx with one worker that answers 200 to everything.

use std::fs;
use std::path::Path;

use anyhow::{Result, bail};

use super::{Server, free_port};
use crate::compare::machine;

const CONFIGURATION: &str = include_str!("../../../../benches/limits/nginx.conf");

pub struct HttpTarget {
    url: String,
    _server: Server,
}

impl HttpTarget {
    pub fn start(folder: &Path) -> Result<Self> {
        if machine::cores() < 2 {
            bail!(
                "the HTTP target needs a core of its own beside the sender's, and this machine has one"
            );
        }
        let port = free_port()?;
        let place = folder.display().to_string();
        let configuration = CONFIGURATION
            .replace("@FOLDER@", &place)
            .replace("@PORT@", &port.to_string());
        let file = folder.join("nginx.conf");
        fs::write(&file, configuration)?;
        let file = file.display().to_string();
        let log = folder.join("error.log").display().to_string();
        let command = ["taskset", "-c", "1", "nginx", "-e", &log, "-c", &file];
        Ok(Self {
            _server: Server::start(&command, folder, "nginx.log", port)?,
            url: format!("http://127.0.0.1:{port}/"),
        })
    }

    pub fn url(&self) -> &str {
        &self.url
    }
}
