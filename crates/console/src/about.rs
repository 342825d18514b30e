//! What a process says about itself: the settings that hold and where each comes from, and how it finds itself.
//!
//! Whoever starts the process knows both and hands them over: the console reads no settings.

use std::{fmt, sync::Arc};

use async_trait::async_trait;

/// What a process says about itself.
#[derive(Clone, Default)]
pub struct About {
    /// Every setting, by name.
    pub settings: Vec<Setting>,
    /// Who looks whether all is as it should be, if anybody does.
    pub examiner: Option<Arc<dyn Examiner>>,
}

/// A setting as it holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting {
    /// As the file of settings has it: `worker.slots`.
    pub name: String,
    /// What holds.
    pub value: SettingValue,
    /// Who said so.
    pub origin: Origin,
}

/// What a setting holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SettingValue {
    /// This.
    Shown(String),
    /// Something that is told nobody.
    Secret,
}

/// Who said what a setting is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// Nobody.
    Default,
    /// A file.
    File(String),
    /// A variable of the environment.
    Environment(String),
    /// A flag of the command line.
    CommandLine(String),
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::File(path) => write!(f, "file {path}"),
            Self::Environment(name) => write!(f, "environment {name}"),
            Self::CommandLine(flag) => write!(f, "command line {flag}"),
        }
    }
}

/// Looks whether all is as it should be, and stops nothing for it.
#[async_trait]
pub trait Examiner: Send + Sync {
    /// What is found. It waits for nothing for long.
    async fn examine(&self) -> Vec<Finding>;
}

/// One thing that was looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// How it was found.
    pub mark: Mark,
    /// What was looked at.
    pub subject: String,
    /// What was found.
    pub message: String,
}

/// How something was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// As it should be.
    Good,
    /// Odd, though it can be meant.
    Odd,
    /// In the way of something.
    Bad,
}
