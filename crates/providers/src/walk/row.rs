//! What is made of a row: JSON with places that the row fills.

use baton_domain::{
    entries::Entries,
    template::{Gap, Template, plain},
};
use serde_json::value::RawValue;

use super::pointer::{self, Pointer};

/// How deep a template can be.
const DEEPEST: usize = 32;

/// How many bytes are made of one row at most; what a job may have is less.
const MOST: usize = 4 * 1024 * 1024;

/// The member that stands for a value of the row, in an object that has no other.
const VALUE: &str = "$row";

/// JSON with places that a row fills.
#[derive(Debug, PartialEq)]
pub enum JsonTemplate {
    /// The same for every row.
    Fixed(String),
    /// A text with places.
    Text(TextTemplate),
    /// A value of the row, to the letter.
    Value(Pointer),
    Object(Vec<(String, Self)>),
    List(Vec<Self>),
}

impl JsonTemplate {
    /// All of the row.
    pub fn row() -> Result<Self, String> {
        Ok(Self::Value(Pointer::read("")?))
    }

    /// Reads one, or says what is wrong with it.
    pub fn read(raw: &RawValue) -> Result<Self, String> {
        Self::read_at(raw, 0)
    }

    fn read_at(raw: &RawValue, depth: usize) -> Result<Self, String> {
        if depth > DEEPEST {
            return Err(format!("is nested more than {DEEPEST} deep"));
        }
        let text = raw.get();
        let read = match text.as_bytes().first() {
            Some(b'"') => Self::read_text(text)?,
            Some(b'{') => Self::read_object(text, depth)?,
            Some(b'[') => Self::read_list(text, depth)?,
            _ => Self::Fixed(text.to_owned()),
        };
        Ok(match read.is_fixed() {
            true => Self::Fixed(text.to_owned()),
            false => read,
        })
    }

    fn read_text(text: &str) -> Result<Self, String> {
        let unescaped: String = serde_json::from_str(text)
            .map_err(|_| "has a text with an escape that stands for no character")?;
        TextTemplate::read(&unescaped).map(Self::Text)
    }

    fn read_object(text: &str, depth: usize) -> Result<Self, String> {
        let members = serde_json::from_str::<Entries<'_>>(text);
        let members = members.map_err(|error| error.to_string())?.0;
        if let Some((_, value)) = members.iter().find(|(name, _)| name == VALUE) {
            let pointer = serde_json::from_str::<String>(value.get()).ok();
            let pointer = pointer.filter(|_| members.len() == 1).ok_or_else(|| {
                format!("has a {VALUE:?} that is not written {{\"{VALUE}\": \"/pointer\"}}, alone")
            })?;
            let pointer = Pointer::read(&pointer);
            return Ok(Self::Value(
                pointer.map_err(|rule| format!("has a {VALUE:?} that {rule}"))?,
            ));
        }
        let members = members.into_iter().map(|(name, value)| {
            let value = Self::read_at(value, depth + 1)?;
            Ok((quoted(&name), value))
        });
        members.collect::<Result<_, String>>().map(Self::Object)
    }

    fn read_list(text: &str, depth: usize) -> Result<Self, String> {
        let items = serde_json::from_str::<Vec<&RawValue>>(text);
        let items = items.map_err(|error| error.to_string())?.into_iter();
        let items = items.map(|item| Self::read_at(item, depth + 1));
        items.collect::<Result<_, String>>().map(Self::List)
    }

    fn is_fixed(&self) -> bool {
        match self {
            Self::Fixed(_) => true,
            Self::Text(text) => text.is_fixed(),
            Self::Value(_) => false,
            Self::Object(members) => members.iter().all(|(_, value)| value.is_fixed()),
            Self::List(items) => items.iter().all(Self::is_fixed),
        }
    }

    /// The JSON text for a row, or what the row lacks.
    pub fn fill(&self, row: &RawValue) -> Result<String, String> {
        let mut text = String::new();
        self.write(row, &mut text)?;
        Ok(text)
    }

    fn write(&self, row: &RawValue, text: &mut String) -> Result<(), String> {
        match self {
            Self::Fixed(json) => text.push_str(json),
            Self::Text(template) => text.push_str(&quoted(&template.fill(row)?)),
            Self::Value(pointer) => {
                let value = pointer.find(row);
                let value =
                    value.ok_or_else(|| format!("has nothing at {:?}", pointer.to_string()))?;
                text.push_str(value.get());
            }
            Self::Object(members) => {
                let mut before = "{";
                for (name, value) in members {
                    text.push_str(before);
                    text.push_str(name);
                    text.push(':');
                    value.write(row, text)?;
                    before = ",";
                }
                text.push('}');
            }
            Self::List(items) => {
                let mut before = "[";
                for item in items {
                    text.push_str(before);
                    item.write(row, text)?;
                    before = ",";
                }
                text.push(']');
            }
        }
        if text.len() > MOST {
            return Err(format!("makes more than {MOST} bytes of payload"));
        }
        Ok(())
    }
}

/// A text with places that a row fills: `{{/id}}`.
#[derive(Debug, PartialEq)]
pub struct TextTemplate(Template<Pointer>);

impl TextTemplate {
    /// Reads one, or says what is wrong with it.
    pub fn read(text: &str) -> Result<Self, String> {
        let place = |name: &str| {
            Pointer::read(name).map_err(|_| {
                format!(
                    "asks for {{{{{name}}}}}, which is no value of a row: it {}, between the braces",
                    pointer::RULE
                )
            })
        };
        Template::read(text, place).map(Self)
    }

    pub fn is_fixed(&self) -> bool {
        self.0.places().next().is_none()
    }

    /// The text for a row, or what the row lacks.
    pub fn fill(&self, row: &RawValue) -> Result<String, String> {
        let value = |place: &Pointer| place.find(row).and_then(|found| plain(found.get()));
        self.0.fill(MOST, value).map_err(|gap| match gap {
            Gap::Missing(place) => {
                let place = place.to_string();
                format!("has no text, number or truth at {place:?}")
            }
            Gap::TooLong => format!("makes a text of more than {MOST} bytes"),
        })
    }
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(template: &str) -> Result<JsonTemplate, String> {
        JsonTemplate::read(serde_json::from_str(template).unwrap())
    }

    fn filled(template: &str, row: &str) -> Result<String, String> {
        read(template)?.fill(serde_json::from_str(row).unwrap())
    }

    #[test]
    fn places_are_filled_and_all_else_stays_to_the_letter() {
        let template = r#"{"url": "https://a/{{/id}}?n={{/n}}", "n": {"$row": "/n"}, "fixed": {"x": 1.10}, "all": [{"$row": ""}]}"#;
        let row = r#"{"id": "a\"b", "n": 12345678901234567890}"#;

        let text = filled(template, row).unwrap();

        assert_eq!(
            text,
            r#"{"url":"https://a/a\"b?n=12345678901234567890","n":12345678901234567890,"fixed":{"x": 1.10},"all":[{"id": "a\"b", "n": 12345678901234567890}]}"#
        );
    }

    #[test]
    fn a_row_that_is_a_text_is_its_own_value() {
        assert_eq!(filled(r#"["{{}}"]"#, r#""seven""#).unwrap(), r#"["seven"]"#);
    }

    #[test]
    fn what_fills_a_place_is_never_read_again() {
        let text = filled(r#"["{{/a}}"]"#, r#"{"a": "{{/b}}", "b": 1}"#).unwrap();

        assert_eq!(text, r#"["{{/b}}"]"#);
    }

    #[test]
    fn a_row_that_lacks_a_value_is_told_and_not_guessed() {
        for (template, lacks) in [
            (r#""{{/b}}""#, "has no text, number or truth at \"/b\""),
            (r#""{{/a}}""#, "has no text, number or truth at \"/a\""),
            (r#"{"$row": "/b"}"#, "has nothing at \"/b\""),
        ] {
            assert_eq!(filled(template, r#"{"a": null}"#).unwrap_err(), lacks);
        }
        assert_eq!(
            filled(r#"{"$row": "/a"}"#, r#"{"a": null}"#).unwrap(),
            "null"
        );
    }

    #[test]
    fn what_no_row_can_fill_is_refused() {
        for template in [
            r#""{{id}}""#,
            r#""{{/id""#,
            r#"{"$row": "id"}"#,
            r#"{"$row": 7}"#,
            r#"{"$row": "/id", "more": 1}"#,
        ] {
            assert!(read(template).is_err(), "{template}");
        }
        let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
        assert!(read(&deep).unwrap_err().contains("nested"));
    }
}
