//! A password, from a file, from whoever sits at the terminal, or from stdin.

use std::{
    io::{BufRead, IsTerminal, stdin},
    path::Path,
};

use crate::{config, exit::Failure};

/// How much of stdin is read for a line to end.
const LONGEST: u64 = 64 * 1024;

/// Reads it, without the line break at its end.
///
/// # Errors
/// When there is none; the message repeats nothing of it.
pub fn read(file: Option<&Path>) -> Result<String, Failure> {
    if let Some(file) = file {
        return config::secret_from_file(file)
            .map_err(|why| Failure::usage(why).then("It has to hold the password alone."));
    }
    if stdin().is_terminal() {
        return typed();
    }
    piped(stdin().lock())
}

/// Asked for twice: nobody sees what is typed.
fn typed() -> Result<String, Failure> {
    let ask = |prompt: &str| {
        rpassword::prompt_password(prompt)
            .map_err(|error| Failure::new(format!("no password could be read: {error}")))
    };
    let password = ask("Password: ")?;
    if password != ask("Again: ")? {
        return Err(Failure::usage("the two passwords differ").then("Nothing was changed."));
    }
    Ok(password)
}

fn piped(from: impl BufRead) -> Result<String, Failure> {
    let mut line = String::new();
    let read = from.take(LONGEST).read_line(&mut line);
    read.map_err(|error| Failure::usage(format!("no password could be read from stdin: {error}")))?;
    match line.trim_end_matches(['\r', '\n']) {
        "" => Err(Failure::usage("no password was given").then(
            "Name a file with --password-file, write it to stdin, or run this on a terminal to be asked for it.",
        )),
        line => Ok(line.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_the_first_line_without_its_end() {
        let password = piped(&b"correct horse battery\r\nmore\n"[..]);

        assert_eq!(password.unwrap(), "correct horse battery");
    }

    #[test]
    fn no_password_is_told_with_the_ways_to_give_one() {
        let refused = piped(&b"\n"[..]).unwrap_err();

        assert!(refused.text().contains("--password-file"), "{refused:?}");
    }
}
