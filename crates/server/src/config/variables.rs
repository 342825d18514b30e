//! Variables of the environment that look like settings and say nothing to this program: mostly a slip of the pen.

use std::{collections::BTreeSet, ffi::OsString};

use clap::{Command, CommandFactory};

use crate::{cli::Cli, remote};

/// What Kubernetes and Docker set for a service that is called `baton`.
const OF_SERVICES: [&str; 2] = ["BATON_SERVICE_", "BATON_PORT"];

/// A sentence for each of these names that is none of ours.
pub fn unknown(all: impl Iterator<Item = OsString>) -> Vec<String> {
    let command = Cli::command();
    let known: BTreeSet<_> = of(&command).chain([remote::KEY]).collect();
    let is_of_services = |name: &str| OF_SERVICES.iter().any(|start| name.starts_with(start));
    let names = all.filter_map(|name| name.into_string().ok());
    names
        .filter(|name| name.starts_with("BATON_") && !is_of_services(name))
        .filter(|name| !known.contains(name.as_str()))
        .map(|name| format!("{name} is no setting of Baton's and changes nothing; is it misspelt?"))
        .collect()
}

fn of(command: &Command) -> Box<dyn Iterator<Item = &str> + '_> {
    let own = command
        .get_arguments()
        .filter_map(|argument| argument.get_env()?.to_str());
    Box::new(own.chain(command.get_subcommands().flat_map(of)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variable_that_says_nothing_is_told_and_those_of_a_service_are_not() {
        let names = [
            "BATON_SLOT",
            "BATON_SLOTS",
            "BATON_LOG",
            "BATON_KEY",
            "BATON_KEY_FILE",
            "BATON_SERVICE_HOST",
            "BATON_PORT_7878_TCP",
            "HOME",
        ];

        let told = unknown(names.map(OsString::from).into_iter());

        assert_eq!(told.len(), 1, "{told:?}");
        assert!(told[0].starts_with("BATON_SLOT is"), "{told:?}");
    }
}
