//! How long what a message says can become: told to its author, before anybody is to read it.

use super::{
    LONGEST_FILLED_BODY, LONGEST_FILLED_TITLE, Message, Placeholder, Texts, template::Template,
};
use crate::{job::FieldError, recipient};

/// How many bytes a name has at most: a platform, and the name of a time zone.
const LONGEST_NAME: usize = 64;
/// How many bytes a character has at most.
const CHARACTER: usize = 4;

impl Message {
    /// What is wrong with it by the longest values that its places can have.
    pub(super) fn worst_case(&self) -> Vec<FieldError> {
        let mut errors = self.too_long_texts(&self.texts);
        for (name, texts) in &self.translations {
            let wrong = self.too_long_texts(texts).into_iter();
            errors.extend(wrong.map(|error| error.within(&format!("translations.{name}"))));
        }
        errors
    }

    fn too_long_texts(&self, texts: &Texts) -> Vec<FieldError> {
        let texts = [
            ("title", &texts.title, LONGEST_FILLED_TITLE),
            ("body", &texts.body, LONGEST_FILLED_BODY),
        ];
        let wrong = |(field, text, most)| self.too_long(field, text, most);
        texts.into_iter().filter_map(wrong).collect()
    }

    fn too_long(&self, field: &str, text: &Template, most: usize) -> Option<FieldError> {
        let longest = text.longest(|place| self.longest_value(place));
        let weighs = |place: &&Placeholder| self.longest_value(place);
        let heaviest = text.places().max_by_key(weighs)?;
        (longest > most).then(|| {
            let message = format!(
                "can have {most} bytes at most once it is filled, and can become {longest}: {{{{{heaviest}}}}} \
                 alone can have {} each time; use fewer or shorter placeholders",
                self.longest_value(heaviest),
            );
            FieldError::new(field, message)
        })
    }

    fn longest_value(&self, place: &Placeholder) -> usize {
        match place {
            Placeholder::Id => CHARACTER * recipient::LONGEST_ID,
            Placeholder::Platform | Placeholder::TimeZone => LONGEST_NAME,
            Placeholder::Address(_) => CHARACTER * recipient::LONGEST_ADDRESS,
            Placeholder::Data(name) => self.values.get(name).map_or(0, String::len),
        }
    }
}
