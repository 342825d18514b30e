//! A send to a crowd: how many it reaches is typed before it is created, and has to hold still.

use super::draft::Draft;
use crate::{errors::PageError, view::count};

/// How many recipients are no crowd yet.
pub const CROWD: u64 = 10_000;
/// The part by which a crowd may have grown since it was shown: one tenth.
const GROWTH: u64 = 10;

/// Why a campaign is not created for so many, if it is not.
pub fn refusal(draft: &Draft, members: u64) -> Option<String> {
    if members <= CROWD {
        return None;
    }
    let Some(shown) = number(&draft.shown) else {
        return Some(tr!(
            "it is for {n} recipients, and nobody has seen that. Look at it, and type {digits} below",
            n = count(members),
            digits = members
        ));
    };
    if members > shown.saturating_add(shown / GROWTH) {
        return Some(tr!(
            "its audience has grown from {before} to {after} since it was shown. Look at it again, and type the new number below",
            before = count(shown),
            after = count(members)
        ));
    }
    (number(&draft.confirm) != Some(shown)).then(|| {
        tr!(
            "what was typed is not how many it is for. Type {digits} below if all of them are meant",
            digits = members
        )
    })
}

/// What is to be typed before so many are sent the same once more: their number, of a crowd.
pub fn typed(members: u64) -> Option<String> {
    (members > CROWD).then(|| members.to_string())
}

/// Whether a crowd was meant: the number that was shown was typed, and the crowd has about held still since.
pub fn check_typed(members: u64, typed: &str) -> Result<(), PageError> {
    let is_near = |shown: u64| members.abs_diff(shown) <= shown / GROWTH;
    if members <= CROWD || number(typed).is_some_and(is_near) {
        return Ok(());
    }
    Err(PageError::refused(
        tr!(
            "It would be sent to {n} recipients, and that is not what was typed.",
            n = count(members)
        ),
        tr!(
            "Nothing was sent. Look at how many there are, and type that number if all of them are meant."
        ),
    ))
}

/// A number, with or without its thousands apart.
fn number(text: &str) -> Option<u64> {
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    let is_number = text
        .chars()
        .all(|c| c.is_ascii_digit() || " ,.'_".contains(c));
    digits.parse().ok().filter(|_| is_number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(shown: &str, confirm: &str, members: u64) -> bool {
        let draft = Draft {
            shown: shown.to_owned(),
            confirm: confirm.to_owned(),
            ..Draft::default()
        };
        refusal(&draft, members).is_some()
    }

    #[test]
    fn a_few_are_never_asked_about() {
        assert!(!refused("", "", CROWD));
        assert!(!refused("5", "", CROWD));
    }

    #[test]
    fn a_crowd_needs_the_number_that_was_shown() {
        assert!(!refused("20000", "20000", 20_000));
        assert!(!refused("20000", " 20,000 ", 19_000));
        for typed in ["", "2000", "20000 or so", "-20000"] {
            assert!(refused("20000", typed, 20_000), "{typed:?}");
        }
        assert!(refused("", "20000", 20_000));
    }

    #[test]
    fn the_rest_of_a_crowd_needs_its_number_and_that_of_a_few_none() {
        let is_meant = |typed: &str, members| check_typed(members, typed).is_ok();

        assert!(is_meant("", CROWD));
        assert!(is_meant("20000", 20_000) && is_meant("20,000", 21_000));
        for wrong in ["", "100", "200000"] {
            assert!(!is_meant(wrong, 20_000), "{wrong:?}");
        }
        assert_eq!(typed(CROWD), None);
        assert_eq!(typed(CROWD + 1).as_deref(), Some("10001"));
    }

    #[test]
    fn a_crowd_may_grow_by_a_tenth_and_no_more() {
        assert!(!refused("20000", "20000", 22_000));
        assert!(refused("20000", "20000", 22_001));
        assert!(refused("9000", "9000", CROWD + 1));
    }
}
