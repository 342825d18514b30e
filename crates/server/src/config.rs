//! The settings: a default file that is their documentation, then a file, the environment, flags.
//!
//! To add a setting: its field and default in [`sections`], its lines in `config.default.toml`; if it
//! has a flag, also in `cli::Settings` and [`layers`].

mod access;
mod check;
mod destinations;
mod layers;
mod listen;
mod providers;
#[cfg(test)]
mod secrecy;
mod sections;
mod traces;
mod urls;
mod values;
mod variables;
mod written;

pub use layers::{Loaded, Origin, load};
pub use listen::Listen;
pub use providers::{Provider, ProviderKind};
pub use sections::{Config, Database, LogFormat, Redis, Role};
pub use urls::{DatabaseUrl, GatewayUrl, RedisUrl};
pub use values::{Network, address};
pub use written::from_file as secret_from_file;

/// The default file: every setting, its default, and why.
pub const DEFAULT_FILE: &str = include_str!("../config.default.toml");
