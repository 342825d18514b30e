//! The scripts, and how they are called.

use redis::{Cmd, Script};

macro_rules! scripts {
    ($($(#[$doc:meta])* $name:ident = $file:literal;)*) => {
        /// A script for each command.
        pub struct Scripts {
            $($(#[$doc])* pub $name: Script,)*
        }

        impl Scripts {
            pub fn new() -> Self {
                Self {
                    $($name: Script::new(concat!(
                        include_str!("scripts/prelude.lua"),
                        include_str!(concat!("scripts/", $file, ".lua")),
                    )),)*
                }
            }
        }
    };
}

scripts! {
    offer = "offer";
    take = "take";
    drop = "drop";
    trim = "trim";
    give_back = "give_back";
    lengths = "lengths";
    consumers = "consumers";
    heartbeat = "heartbeat";
    close = "close";
    sentinel = "sentinel";
    probe = "probe";
}

/// A call of a script: its keys, of which the sentinel is the first, and its arguments, of which the
/// generation is the first.
pub fn call(script: &Script, keys: &[String], generation: Option<i64>) -> Cmd {
    let mut command = redis::cmd("EVALSHA");
    command.arg(script.get_hash()).arg(keys.len()).arg(keys);
    match generation {
        Some(generation) => command.arg(generation),
        None => command.arg(""),
    };
    command
}
