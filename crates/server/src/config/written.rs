//! Secrets as they are written: the text itself, or the file that holds it.

use std::{fmt, fs::File, io::Read, path::Path};

use serde::{
    Deserialize, Deserializer,
    de::{self, MapAccess, SeqAccess, Visitor},
};

/// The longest file that can hold a secret.
const LONGEST: u64 = 64 * 1024;

/// A text that is written out, or `{ file = "path" }`.
pub struct TextOrFile(pub String);

/// Some of them, the newest first; one can stand without brackets.
pub struct TextsOrFile(pub Vec<String>);

/// Reads a secret from a file, without the line break at its end.
///
/// # Errors
/// When there is none; the message repeats nothing of what is in the file.
pub fn from_file(path: &Path) -> Result<String, String> {
    let place = path.display();
    let mut text = String::new();
    let read = File::open(path).and_then(|file| file.take(LONGEST + 1).read_to_string(&mut text));
    let read = read.map_err(|error| format!("the file {place} cannot be read: {error}"))?;
    if read as u64 > LONGEST {
        return Err(format!("the file {place} is too long to be a secret"));
    }
    match text.trim_end_matches(['\r', '\n']) {
        "" => Err(format!("the file {place} is empty")),
        text => Ok(text.to_owned()),
    }
}

struct One;

impl<'de> Visitor<'de> for One {
    type Value = String;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text or { file = \"path\" }")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<String, E> {
        Ok(text.to_owned())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<String, A::Error> {
        let wrong = || de::Error::custom("a secret that is not written out is `{ file = ... }`");
        let key: Option<String> = map.next_key()?;
        if key.as_deref() != Some("file") {
            return Err(wrong());
        }
        let path: String = map.next_value()?;
        match map.next_key::<String>()? {
            Some(_) => Err(wrong()),
            None => from_file(Path::new(&path)).map_err(de::Error::custom),
        }
    }
}

struct Many;

impl<'de> Visitor<'de> for Many {
    type Value = Vec<String>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text, { file = \"path\" }, or a list of them")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Vec<String>, E> {
        One.visit_str(text).map(|one| vec![one])
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Vec<String>, A::Error> {
        One.visit_map(map).map(|one| vec![one])
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Vec<String>, A::Error> {
        let mut all = Vec::new();
        while let Some(TextOrFile(one)) = seq.next_element()? {
            all.push(one);
        }
        Ok(all)
    }
}

impl<'de> Deserialize<'de> for TextOrFile {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(One).map(Self)
    }
}

impl<'de> Deserialize<'de> for TextsOrFile {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Many).map(Self)
    }
}
