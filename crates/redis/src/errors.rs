//! What is wrong with Redis, as a sentence: what happened, what it means, what to do.

use std::time::Duration;

use redis::{ErrorKind, RedisError};

use crate::refusals::REFUSALS;

/// Why Redis did not do what it was asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkError {
    pub kind: Kind,
    /// The sentence.
    pub why: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// No answer, or no connection: it may be over in a moment.
    Silent,
    /// It answers, and what it says is that it does not do its work.
    Refusing,
    /// One of our keys holds something else: what it knew is lost.
    WrongType,
}

impl LinkError {
    /// What an error of the Redis at this address means.
    pub fn of(error: &RedisError, address: &str) -> Self {
        let text = format!("{} {}", error.code().unwrap_or_default(), error);
        if text.contains("WRONGTYPE") {
            return Self {
                kind: Kind::WrongType,
                why: format!(
                    "a key of ours on Redis at {address} holds something else (WRONGTYPE), \
                     so its hints are built anew: see who else writes to keys that begin with {{baton:"
                ),
            };
        }
        if let Some((_, means)) = REFUSALS.iter().find(|(word, _)| text.contains(word)) {
            return Self::refusing(format!("Redis at {address} {means}"));
        }
        if text.contains("certificate") {
            return Self::refusing(format!(
                "Redis at {address} shows a certificate that is not trusted here ({error}): \
                 add its authority to the system's or name it in SSL_CERT_FILE, and use the name it is for"
            ));
        }
        match error.kind() {
            ErrorKind::AuthenticationFailed => Self::refusing(format!(
                "Redis at {address} refuses our user or password (WRONGPASS): correct them in its URL"
            )),
            ErrorKind::Io => Self::silent(format!(
                "Redis at {address} cannot be reached ({error}): check that it runs, and the network between"
            )),
            _ => Self::refusing(format!("Redis at {address} answers with an error: {error}")),
        }
    }

    /// It has not answered for so long.
    pub fn slow(address: &str, waited: Duration) -> Self {
        Self::silent(format!(
            "Redis at {address} has not answered within {} ms: check whether it hangs, or is overloaded",
            waited.as_millis()
        ))
    }

    fn silent(why: String) -> Self {
        Self {
            kind: Kind::Silent,
            why,
        }
    }

    fn refusing(why: String) -> Self {
        Self {
            kind: Kind::Refusing,
            why,
        }
    }
}

#[cfg(test)]
mod tests {
    use redis::make_extension_error;

    use super::*;

    fn said(code: &str, detail: &str) -> LinkError {
        let error = make_extension_error(code.to_owned(), Some(detail.to_owned()));
        LinkError::of(&error, "host:6379")
    }

    #[test]
    fn each_refusal_of_redis_has_a_sentence_that_says_what_to_do() {
        let refusals = [
            (
                "OOM",
                "command not allowed when used memory > 'maxmemory'.",
                "maxmemory",
            ),
            (
                "READONLY",
                "You can't write against a read only replica.",
                "primary",
            ),
            (
                "LOADING",
                "Redis is loading the dataset in memory",
                "nothing to do",
            ),
            (
                "WRONGPASS",
                "invalid username-password pair or user is disabled.",
                "URL",
            ),
            ("NOAUTH", "Authentication required.", "password"),
            ("NOPERM", "No permissions to access a key", "grant"),
            (
                "ERR",
                "The user executing the script can't run this command or subcommand",
                "grant",
            ),
            ("MASTERDOWN", "Link with MASTER is down", "primary"),
            (
                "UNBLOCKED",
                "force unblock from blocking operation",
                "primary",
            ),
            ("MOVED", "1234 10.0.0.1:6379", "URL at that node"),
            ("CLUSTERDOWN", "Hash slot not served", "cluster info"),
            (
                "MISCONF",
                "Redis is configured to save RDB snapshots",
                "disk",
            ),
            (
                "NOREPLICAS",
                "Not enough good replicas to write.",
                "replicas",
            ),
            ("BUSY", "Redis is busy running a script.", "script kill"),
            ("ERR", "max number of clients reached", "maxclients"),
            ("ERR", "unknown command 'BLMOVE'", "6.2"),
        ];

        for (code, detail, advice) in refusals {
            let trouble = said(code, detail);

            assert_eq!(trouble.kind, Kind::Refusing, "{code}");
            assert!(
                trouble.why.starts_with("Redis at host:6379 "),
                "{}",
                trouble.why
            );
            assert!(trouble.why.contains(advice), "{}", trouble.why);
        }
    }

    #[test]
    fn a_certificate_that_is_not_trusted_is_no_silence() {
        let broken = std::io::Error::other("invalid peer certificate: UnknownIssuer");

        let trouble = LinkError::of(&RedisError::from(broken), "host:6379");

        assert_eq!(trouble.kind, Kind::Refusing);
        assert!(trouble.why.contains("SSL_CERT_FILE"), "{}", trouble.why);
    }

    #[test]
    fn an_error_within_a_script_means_what_it_means_without_one() {
        let within = |text: &str| {
            let detail = format!("Error running script (call to f_0a1b): @user_script:7: {text}");
            said("ERR", &detail)
        };

        let full =
            within("@user_script: 7: -OOM command not allowed when used memory > 'maxmemory'.");
        let wrong = within("WRONGTYPE Operation against a key holding the wrong kind of value");

        assert!(full.why.contains("is full (OOM)"), "{}", full.why);
        assert_eq!(wrong.kind, Kind::WrongType);
    }
}
