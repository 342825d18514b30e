//! What somebody has typed, and what it can be.

use std::fmt::Display;

use baton_domain::job::is_key;

/// A longer text is no id, no key and no name.
const LONGEST: usize = 200;
/// A shorter one would be found everywhere.
const SHORTEST: usize = 2;
/// How many digits a part of an id has at least that names no sort.
const DIGITS: usize = 4;
/// How many digits an id has.
const ALL_DIGITS: usize = 32;
/// What stands in place of the beginning where an id is shown in little space.
const CUT: char = '…';

/// What somebody has typed.
pub struct Sought {
    text: String,
    lower: String,
    id: Option<PartOfId>,
}

/// The beginning or the end of an id.
#[derive(Debug, PartialEq, Eq)]
struct PartOfId {
    /// Of which sort, if that was said: `job`.
    sort: Option<String>,
    /// What stands of it behind the sort.
    rest: String,
    /// Whether it can only be the end.
    is_end: bool,
}

impl Sought {
    /// Reads what was typed.
    pub fn new(typed: &str) -> Self {
        let text: String = typed.trim().chars().take(LONGEST).collect();
        Self {
            lower: text.to_lowercase(),
            id: PartOfId::read(&text),
            text,
        }
    }

    /// What was typed.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// It as a key, if it can be one.
    pub fn key(&self) -> Option<&str> {
        Some(&*self.text).filter(|text| is_key(text))
    }

    /// Whether the store is asked for it.
    pub fn is_long_enough(&self) -> bool {
        self.text.chars().count() >= SHORTEST
    }

    /// Whether a name holds it.
    pub fn is_in(&self, name: &str) -> bool {
        name.to_lowercase().contains(&self.lower)
    }

    /// Whether it is the beginning or the end of an id.
    pub fn is_of(&self, id: impl Display) -> bool {
        let id = id.to_string();
        let parts = self.id.as_ref().zip(id.split_once('_'));
        parts.is_some_and(|(part, (sort, rest))| {
            let is_beginning = !part.is_end && rest.starts_with(&part.rest);
            part.can_be(sort) && (is_beginning || rest.ends_with(&part.rest))
        })
    }

    /// Whether it can be a part of an id of this sort.
    pub fn can_be(&self, sort: &str) -> bool {
        self.id.as_ref().is_some_and(|part| part.can_be(sort))
    }

    /// The cursor of a list, newest first, that goes on with the ids of this sort that begin so.
    pub fn cursor(&self, sort: &str) -> Option<String> {
        let part = self.id.as_ref().filter(|part| part.can_be(sort))?;
        let above = part.first_above().filter(|_| !part.is_end)?;
        Some(format!("{sort}_{above:032x}"))
    }
}

impl PartOfId {
    fn read(text: &str) -> Option<Self> {
        let (sort, rest) = match text.split_once('_') {
            Some((sort, rest)) => (Some(sort.to_lowercase()), rest),
            None => (None, text),
        };
        let uncut = rest.trim_start_matches(CUT);
        let is_end = uncut.len() < rest.len();
        let rest = uncut.to_lowercase();
        let is_plain = |c: char| c.is_ascii_hexdigit() || c == '-';
        let digits = rest.chars().filter(char::is_ascii_hexdigit).count();
        let least = if sort.is_some() { 1 } else { DIGITS };
        let is_id = rest.chars().all(is_plain) && (least..=ALL_DIGITS).contains(&digits);
        is_id.then_some(Self { sort, rest, is_end })
    }

    fn can_be(&self, sort: &str) -> bool {
        self.sort.as_deref().is_none_or(|said| said == sort)
    }

    /// The lowest number above all ids that begin so.
    fn first_above(&self) -> Option<u128> {
        let digits: String = self.rest.chars().filter(char::is_ascii_hexdigit).collect();
        let beginning = u128::from_str_radix(&digits, 16).ok()?;
        let missing = 4 * u32::try_from(ALL_DIGITS.checked_sub(digits.len())?).ok()?;
        let next = beginning.checked_add(1)?;
        match next.checked_shl(missing) {
            // Nothing lies above the highest: what is lost at the top would begin anew at nought.
            Some(above) if above >> missing == next => Some(above),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "job_0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b";

    #[test]
    fn an_id_is_known_by_its_beginning_and_its_end_with_and_without_its_sort() {
        for typed in [
            ID,
            "job_0199a1b2",
            "JOB_0199A1B2-C3",
            "0199a1b2-c3d4",
            "job_…3f4a5b",
            "…3f4a5b",
            "3f4a5b",
            " 0c1d2e3f4a5b ",
        ] {
            assert!(Sought::new(typed).is_of(ID), "{typed}");
        }
        for typed in [
            "cmp_0199a1b2",
            "job_0199a1b3",
            "job_…0199",
            "a5b",
            "order 7",
        ] {
            assert!(!Sought::new(typed).is_of(ID), "{typed}");
        }
    }

    #[test]
    fn what_no_key_can_be_is_no_key() {
        assert_eq!(Sought::new(" order 7 ").key(), Some("order 7"));
        assert_eq!(Sought::new("or\0der").key(), None);
        assert_eq!(Sought::new("").key(), None);
    }

    #[test]
    fn a_list_goes_on_right_above_the_ids_that_begin_so() {
        let cursor = |typed: &str| Sought::new(typed).cursor("job");

        let begun = cursor("job_0199a1b2").unwrap();
        let whole = cursor(ID).unwrap();

        assert_eq!(begun, "job_0199a1b3000000000000000000000000");
        assert_eq!(whole, "job_0199a1b2c3d47e5f8a9b0c1d2e3f4a5c");
        for other in ["…3f4a5b", "cmp_0199", "ffff", "quiz", ""] {
            assert_eq!(cursor(other), None, "{other}");
        }
    }

    #[test]
    fn a_name_holds_what_was_typed_in_any_case() {
        assert!(Sought::new("quiz").is_in("Daily Quiz"));
        assert!(Sought::new("").is_in("anything"));
        assert!(!Sought::new("quizz").is_in("Daily Quiz"));
    }
}
