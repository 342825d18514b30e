//! Words: enums whose variants are one word each, the same in the API, in SQL, in metrics and on pages.

use utoipa::openapi::{ObjectBuilder, RefOr, Schema, Type};

/// Makes an enum of a table of variants and words.
///
/// `as` is its name in the description of the API, where that is another one. `or` is what is said of a text that is
/// none of the words; without it no text is read as one. There `{words}` are the words, and `{text}` is the text.
macro_rules! words {
    (
        $(#[doc = $doc:literal])*
        $(#[derive($($also:ident),*)])?
        pub enum $name:ident $(as $schema:literal)? $(, or $otherwise:literal)? {
            $($(#[$about:meta])* $variant:ident = $word:literal,)*
        }
    ) => {
        $(#[doc = $doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
        $(#[derive($($also),*)])?
        pub enum $name {
            $($(#[$about])* #[serde(rename = $word)] $variant,)*
        }

        impl $name {
            /// Each of them, in the order of the table.
            pub const ALL: [Self; [$($word),*].len()] = [$(Self::$variant),*];

            /// The word for it, everywhere.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word,)* }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.as_str())
            }
        }

        $(impl std::str::FromStr for $name {
            type Err = String;

            fn from_str(text: &str) -> Result<Self, String> {
                let known = Self::ALL.into_iter().find(|one| one.as_str() == text);
                known.ok_or_else(|| {
                    $crate::words::refusal($otherwise, text, &Self::ALL.map(Self::as_str))
                })
            }
        })?

        impl utoipa::PartialSchema for $name {
            fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
                $crate::words::schema(concat!($($doc),*), Self::ALL.map(Self::as_str))
            }
        }

        impl utoipa::ToSchema for $name {
            fn name() -> std::borrow::Cow<'static, str> {
                [$($schema,)? stringify!($name)][0].into()
            }
        }
    };
}

pub(crate) use words;

/// What is said of a text that is none of the words.
pub(crate) fn refusal(sentence: &str, text: &str, words: &[&str]) -> String {
    let (last, others) = words.split_last().unwrap_or((&"", &[]));
    let listed = format!("{} or {last}", others.join(", "));
    sentence.replace("{words}", &listed).replace("{text}", text)
}

/// A choice of words, as the API describes it.
pub(crate) fn schema<const N: usize>(doc: &str, words: [&str; N]) -> RefOr<Schema> {
    ObjectBuilder::new()
        .schema_type(Type::String)
        .description(Some(doc.trim()))
        .enum_values(Some(words))
        .into()
}

#[cfg(test)]
mod tests {
    words! {
        /// A side.
        pub enum Side, or "{text} is neither {words}" {
            /// This one.
            Left = "left",
            /// That one.
            RightHand = "right_hand",
        }
    }

    #[test]
    fn a_word_is_the_same_in_text_and_in_json() {
        assert_eq!(Side::RightHand.to_string(), "right_hand");
        assert_eq!("right_hand".parse(), Ok(Side::RightHand));
        assert_eq!(
            serde_json::to_string(&Side::RightHand).unwrap(),
            "\"right_hand\""
        );
    }

    #[test]
    fn a_text_that_is_no_word_is_told_the_words() {
        let refused = "up".parse::<Side>().unwrap_err();

        assert_eq!(refused, "up is neither left or right_hand");
    }
}
