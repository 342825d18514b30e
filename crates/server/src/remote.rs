//! The client that commands speak through: which server, by which key, and who vouches for it.

use std::{env, fs, net::IpAddr, path::Path};

use baton_client::{Client, KeyToken};

use crate::{cli::Globals, config, exit::Failure, output::Output};

/// The variable that holds a key itself. There is no such argument: every user of a machine sees those.
pub const KEY: &str = "BATON_KEY";

/// A client as the command line and the environment describe it.
///
/// # Errors
/// When what was named cannot be read, before anything is sent.
pub fn client(globals: &Globals, output: &Output) -> Result<Client, Failure> {
    client_of(&globals.url, globals, output)
}

fn client_of(address: &str, globals: &Globals, output: &Output) -> Result<Client, Failure> {
    let client = match &globals.ca {
        Some(file) => Client::trusting(address, &authorities(file)?)?,
        None => Client::new(address)?,
    };
    let client = match &globals.because {
        Some(reason) => client.because(reason),
        None => client,
    };
    let Some(key) = key(globals)? else {
        return Ok(client);
    };
    if is_in_the_clear(client.address()) {
        output.say(format!(
            "the key goes to {} unencrypted, where others on the way can read it; use https://",
            client.address()
        ));
    }
    Ok(client.with_key(&key))
}

/// A client of each server of an installation: addresses with commas between.
pub fn clients(globals: &Globals, output: &Output) -> Result<Vec<Client>, Failure> {
    let addresses = globals.url.split(',').map(str::trim);
    let clients = addresses.map(|address| client_of(address, globals, output));
    clients.collect()
}

fn authorities(file: &Path) -> Result<String, Failure> {
    fs::read_to_string(file).map_err(|error| {
        Failure::usage(format!("{} cannot be read: {error}", file.display()))
            .then("--ca names a file with the certificate of an authority, in PEM.")
    })
}

/// The key that is shown; a file goes before the variable that holds one.
fn key(globals: &Globals) -> Result<Option<KeyToken>, Failure> {
    if let Some(file) = &globals.key_file {
        let text = config::secret_from_file(file).map_err(|why| {
            Failure::usage(why)
                .then("It has to hold an API key alone, as `baton keys create` prints it.")
        })?;
        return read(&text, &file.display().to_string()).map(Some);
    }
    match env::var(KEY) {
        Ok(text) if !text.is_empty() => read(&text, KEY).map(Some),
        Err(env::VarError::NotUnicode(_)) => Err(none(KEY, "it is no text")),
        _ => Ok(None),
    }
}

fn read(text: &str, place: &str) -> Result<KeyToken, Failure> {
    KeyToken::read(text.trim()).map_err(|error| none(place, &error.to_string()))
}

fn none(place: &str, why: &str) -> Failure {
    Failure::usage(format!("{place} holds no API key: {why}"))
        .then("Nothing was sent. `baton keys create` prints a key in full, once; if it is lost, make another one.")
}

/// Whether whoever is between this machine and the server can read along.
fn is_in_the_clear(address: &str) -> bool {
    let Some(rest) = address.strip_prefix("http://") else {
        return false;
    };
    let authority = rest.split('/').next().unwrap_or_default();
    let host = match authority.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => authority.split(':').next().unwrap_or_default(),
    };
    let is_loopback = host.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback());
    host != "localhost" && !is_loopback
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_read_by_others_only_on_its_way_to_another_machine_by_plain_http() {
        for own in [
            "http://127.0.0.1:7878",
            "http://[::1]:7878",
            "http://localhost",
        ] {
            assert!(!is_in_the_clear(own), "{own}");
        }
        assert!(!is_in_the_clear("https://jobs.example"));
        assert!(is_in_the_clear("http://jobs.example:7878/baton"));
    }

    #[test]
    fn a_text_that_is_no_key_is_refused_without_a_word_of_it() {
        let refused = read("bat_tulip42", "/run/key").unwrap_err().text();

        assert!(
            refused.contains("/run/key") && !refused.contains("tulip42"),
            "{refused}"
        );
    }
}
