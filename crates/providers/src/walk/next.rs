//! How the next page is found.

use baton_domain::template::plain;
use serde::Deserialize;
use serde_json::value::RawValue;
use url::{Url, form_urlencoded};

use super::pointer::Pointer;

/// What says how, as a sentence.
pub const RULE: &str = "must be {\"cursor\": \"/meta/next\", \"param\": \"after\"} (what stands there goes into that parameter of the url), \
     {\"url\": \"/links/next\"} (the address of the next page stands there), or \"link\" (it is in the header Link, as rel=next)";

/// How the next page is found.
#[derive(Debug, PartialEq)]
pub enum Next {
    /// What stands here goes into this parameter of the first page's address.
    Cursor(Pointer, String),
    /// Its address stands here.
    Url(Pointer),
    /// The answer's head has it.
    Link,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Said {
    Word(String),
    Cursor(SaidCursor),
    Url(SaidUrl),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SaidCursor {
    cursor: String,
    param: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SaidUrl {
    url: String,
}

impl Next {
    /// Reads how, or says what is wrong.
    pub fn read(raw: &RawValue) -> Result<Self, &'static str> {
        match serde_json::from_str(raw.get()).map_err(|_| RULE)? {
            Said::Word(word) if word == "link" => Ok(Self::Link),
            Said::Cursor(said) if !said.param.is_empty() && !said.cursor.is_empty() => {
                let pointer = Pointer::read(&said.cursor).map_err(|_| RULE)?;
                Ok(Self::Cursor(pointer, said.param))
            }
            Said::Url(said) if !said.url.is_empty() => {
                Ok(Self::Url(Pointer::read(&said.url).map_err(|_| RULE)?))
            }
            _ => Err(RULE),
        }
    }

    /// What a page says of the next one, as the walk's cursor keeps it; nothing when it is the last.
    pub fn said(&self, document: &RawValue, link: Option<&str>) -> Result<Option<String>, String> {
        let pointer = match self {
            Self::Link => return Ok(link.and_then(next_link).map(str::to_owned)),
            Self::Cursor(pointer, _) | Self::Url(pointer) => pointer,
        };
        let Some(found) = pointer.find(document) else {
            return Ok(None);
        };
        match found.get() {
            "null" | "false" | "\"\"" => Ok(None),
            text => plain(text).map(Some).ok_or_else(|| {
                format!(
                    "what stands at {:?} says of no next page: it is neither a text nor a number",
                    pointer.to_string()
                )
            }),
        }
    }

    /// The address of a page, by what another one that was found at an address has said of it.
    pub fn url(&self, first: &Url, present: &Url, said: &str) -> Result<Url, String> {
        match self {
            Self::Cursor(_, param) => Ok(with_param(first, param, said)),
            Self::Url(_) | Self::Link => {
                let mut url = present
                    .join(said)
                    .map_err(|error| format!("is no address: {error}"))?;
                url.set_fragment(None);
                Ok(url)
            }
        }
    }
}

/// An address whose query says this of a parameter, once, and is all else the same.
fn with_param(url: &Url, param: &str, value: &str) -> Url {
    let is_other = |pair: &&str| {
        let name = form_urlencoded::parse(pair.as_bytes()).next();
        name.is_none_or(|(name, _)| name != param)
    };
    let others: Vec<_> = url
        .query()
        .unwrap_or_default()
        .split('&')
        .filter(is_other)
        .collect();
    let others = others.join("&");
    let mut url = url.clone();
    url.set_query(
        Some(&others)
            .filter(|text| !text.is_empty())
            .map(String::as_str),
    );
    url.query_pairs_mut().append_pair(param, value);
    url
}

/// The target of rel=next in a header Link (RFC 8288).
fn next_link(mut rest: &str) -> Option<&str> {
    loop {
        let (_, after) = rest.split_once('<')?;
        let (target, after) = after.split_once('>')?;
        let end = end_of_parameters(after);
        if is_next(&after[..end]) {
            return Some(target.trim());
        }
        rest = &after[end..];
    }
}

/// Where the parameters of a link end: at a comma that stands in no quotes.
fn end_of_parameters(text: &str) -> usize {
    let mut is_quoted = false;
    let mut is_escaped = false;
    let end = text.bytes().position(|byte| {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if is_quoted => is_escaped = true,
            b'"' => is_quoted = !is_quoted,
            b',' => return !is_quoted,
            _ => {}
        }
        false
    });
    end.unwrap_or(text.len())
}

/// Whether the first rel among parameters has the word next.
fn is_next(parameters: &str) -> bool {
    let relation = parameters.split(';').find_map(|one| {
        let (name, value) = one.split_once('=')?;
        let is_rel = name.trim().eq_ignore_ascii_case("rel");
        is_rel.then(|| value.trim().trim_matches('"'))
    });
    relation.is_some_and(|words| {
        words
            .split_ascii_whitespace()
            .any(|word| word.eq_ignore_ascii_case("next"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Next, &'static str> {
        Next::read(serde_json::from_str(text).unwrap())
    }

    #[test]
    fn a_cursor_goes_into_its_parameter_and_leaves_the_rest_of_the_query() {
        let next = read(r#"{"cursor": "/next", "param": "after"}"#).unwrap();
        let first = Url::parse("https://a.example/users?q=a%20b&after=0&limit=5").unwrap();
        let page = serde_json::from_str(r#"{"next": "x&y="}"#).unwrap();

        let said = next.said(page, None).unwrap().unwrap();
        let url = next.url(&first, &first, &said).unwrap();

        assert_eq!(
            url.as_str(),
            "https://a.example/users?q=a%20b&limit=5&after=x%26y%3D"
        );
    }

    #[test]
    fn an_address_is_read_from_where_its_page_was_found() {
        let next = read(r#"{"url": "/next"}"#).unwrap();
        let first = Url::parse("https://a.example/v1/users").unwrap();

        let url = next.url(&first, &first, "?page=2#top").unwrap();

        assert_eq!(url.as_str(), "https://a.example/v1/users?page=2");
    }

    #[test]
    fn the_next_link_is_found_among_others() {
        for (header, wanted) in [
            (
                "<https://a/1>; rel=\"prev\", <https://a/3,4>; title=\"a, <b>\"; rel=next",
                Some("https://a/3,4"),
            ),
            ("</2>; rel=\"last next\"", Some("/2")),
            ("</2>; REL=NEXT", Some("/2")),
            ("</2>; rel=nextish", None),
            ("</2", None),
            ("", None),
        ] {
            assert_eq!(next_link(header), wanted, "{header}");
        }
    }

    #[test]
    fn a_page_that_says_nothing_is_the_last() {
        let next = read(r#"{"cursor": "/next", "param": "after"}"#).unwrap();

        for page in [
            "{}",
            r#"{"next": null}"#,
            r#"{"next": ""}"#,
            r#"{"next": false}"#,
        ] {
            assert_eq!(
                next.said(serde_json::from_str(page).unwrap(), None),
                Ok(None),
                "{page}"
            );
        }
        let odd = serde_json::from_str(r#"{"next": {"a": 1}}"#).unwrap();
        assert!(next.said(odd, None).is_err());
    }

    #[test]
    fn what_says_nothing_of_the_kind_is_refused() {
        for text in [
            "7",
            "\"links\"",
            "{}",
            r#"{"cursor": "/next"}"#,
            r#"{"cursor": "next", "param": "after"}"#,
            r#"{"cursor": "/next", "param": ""}"#,
            r#"{"url": ""}"#,
            r#"{"url": "/a", "cursor": "/b", "param": "c"}"#,
        ] {
            assert_eq!(read(text), Err(RULE), "{text}");
        }
    }
}
