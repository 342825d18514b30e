//! Who somebody is to a provider of sign-ins.

use ring::digest;

use super::{Digest, is_name};
use crate::hex;

/// How many letters of a digest tell two users apart whom providers call alike.
const TELLING: usize = 8;
/// The longest name of a user.
const LONGEST: usize = 64;

/// Somebody as a provider of sign-ins knows them. Only the two together stay theirs: names and addresses of mail are given to others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// The provider.
    pub issuer: String,
    /// Who they are there.
    pub subject: String,
}

impl Identity {
    /// What a store finds them by, whatever it makes of letters.
    #[must_use]
    pub fn digest(&self) -> Digest {
        let mut told = digest::Context::new(&digest::SHA256);
        told.update(self.issuer.as_bytes());
        // No URL has it, so no other two come to the same text.
        told.update(b"\0");
        told.update(self.subject.as_bytes());
        let mut digest = [0; 32];
        digest.copy_from_slice(told.finish().as_ref());
        digest
    }

    /// What a user can be called whom the provider calls by one of these, the best first. The later ones are nobody else's.
    #[must_use]
    pub fn names<'a>(&self, called: impl IntoIterator<Item = &'a str>) -> [String; 2] {
        let hex = hex(&self.digest());
        let telling = &hex[..TELLING];
        let plain = called.into_iter().find_map(plain);
        let plain = plain.unwrap_or_else(|| format!("user-{telling}"));
        let short = &plain[..plain.len().min(LONGEST - TELLING - 1)];
        let own = format!("{short}-{telling}");
        [plain, own]
    }
}

/// A text made a name, if enough is left of it.
fn plain(called: &str) -> Option<String> {
    let is_allowed = |c: char| is_name(&format!("a{c}"));
    let letters = called.trim().chars().flat_map(char::to_lowercase);
    let letters = letters.map(|c| if is_allowed(c) { c } else { '-' });
    let name: String = letters
        .skip_while(|c| !c.is_ascii_alphanumeric())
        .take(LONGEST)
        .collect();
    let name = name.trim_end_matches('-').to_owned();
    is_name(&name).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn identity(issuer: &str, subject: &str) -> Identity {
        Identity {
            issuer: issuer.to_owned(),
            subject: subject.to_owned(),
        }
    }

    #[test]
    fn the_same_subject_is_somebody_else_at_another_provider_and_by_another_letter() {
        let kim = identity("https://one.example", "Kim");

        for other in [
            identity("https://two.example", "Kim"),
            identity("https://one.example", "kim"),
            identity("https://one.example", "Kim "),
            identity("https://one.exampleK", "im"),
        ] {
            assert_ne!(kim.digest(), other.digest(), "{other:?}");
        }
        assert_eq!(kim.digest(), kim.clone().digest());
    }

    #[test]
    fn a_user_is_called_as_the_provider_does_in_plain_letters() {
        let kim = identity("https://one.example", "7");

        for (called, name) in [
            (vec!["Kim.Lee@Example.org"], "kim.lee@example.org"),
            (vec!["", "kim"], "kim"),
            (vec!["Kim Lee "], "kim-lee"),
            (vec!["..kim"], "kim"),
            (vec!["Müller"], "m-ller"),
        ] {
            let names = kim.names(called);

            assert_eq!(names[0], name);
            assert!(names.iter().all(|name| is_name(name)), "{names:?}");
        }
    }

    #[test]
    fn two_who_are_called_alike_can_be_told_apart_and_somebody_without_a_name_has_one() {
        let (one, other) = (
            identity("https://one.example", "1"),
            identity("https://one.example", "2"),
        );
        let long = "k".repeat(100);

        let [first, second] = [one.names([&*long]), other.names([&*long])];
        let nameless = one.names(["김", "!"]);

        assert_eq!(first[0], second[0]);
        assert_ne!(first[1], second[1]);
        for name in first.iter().chain(&second).chain(&nameless) {
            assert!(is_name(name), "{name}");
        }
        assert!(nameless[0].starts_with("user-"), "{nameless:?}");
    }
}
