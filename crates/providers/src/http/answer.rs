//! What an answer means: a table of statuses.

use baton_domain::{
    Timestamp,
    job::{Class, Failure, HIDDEN, Verdict},
};
use http::StatusCode;
use serde::Serialize;
use url::Url;

use super::{head::ResponseHead, retry_after::retry_after};

/// How much of a body is kept with an accepted job, in bytes.
pub const EXCERPT: usize = 4 * 1024;

/// How much of a body is told in a failure's message, in characters.
const QUOTE: usize = 200;

/// What a range of statuses means; the first that fits.
struct Meaning {
    from: u16,
    to: u16,
    /// `None` is acceptance.
    class: Option<Class>,
    /// What it means and what to do, where that is not plain.
    advice: &'static str,
}

const MEANINGS: [Meaning; 11] = [
    means(200, 299, None, ""),
    means(300, 399, Some(Class::Permanent), ""),
    means(
        401,
        401,
        Some(Class::Permanent),
        "it does not accept the credentials; check payload.headers",
    ),
    means(
        403,
        403,
        Some(Class::Permanent),
        "it does not permit this call; check the credentials in payload.headers",
    ),
    means(408, 408, Some(Class::Retry), ""),
    means(
        410,
        410,
        Some(Class::Gone),
        "it says that this address is gone for good",
    ),
    means(425, 425, Some(Class::Retry), ""),
    means(429, 429, Some(Class::Throttled), "it asks for patience"),
    means(
        400,
        499,
        Some(Class::Permanent),
        "it will not accept this call as it is",
    ),
    means(500, 599, Some(Class::Retry), ""),
    means(
        0,
        u16::MAX,
        Some(Class::Permanent),
        "this is no answer that HTTP knows for such a call",
    ),
];

const fn means(from: u16, to: u16, class: Option<Class>, advice: &'static str) -> Meaning {
    Meaning {
        from,
        to,
        class,
        advice,
    }
}

/// How much of the body of an answer is kept.
#[derive(Debug, Clone, Copy)]
pub enum BodyLimit {
    /// Its beginning, so many bytes at most; the status is what counts, and is not held up by the rest.
    Excerpt(usize),
    /// All of it, so many bytes at most; it is what was asked for.
    Whole(usize),
}

/// How much of a body has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// Its beginning, if anything.
    Part,
    /// All of it.
    Whole,
    /// More than was wanted.
    TooLong,
}

/// What is needed of an answer.
#[derive(Debug)]
pub struct HttpResponse {
    status: StatusCode,
    retry_after: Option<String>,
    location: Option<String>,
    link: Option<String>,
    body: Vec<u8>,
    extent: Extent,
    wanted: BodyLimit,
}

impl HttpResponse {
    /// The answer that a head begins, which is left without what it says.
    pub fn begun(head: &mut ResponseHead, wanted: BodyLimit) -> Self {
        Self {
            status: head.status,
            retry_after: head.retry_after.take(),
            location: head.location.take(),
            link: head.link.take(),
            body: Vec::new(),
            extent: Extent::Part,
            wanted,
        }
    }

    /// Keeps the next piece of the body, as far as it is wanted.
    pub fn keep(&mut self, chunk: &[u8]) {
        let (BodyLimit::Excerpt(most) | BodyLimit::Whole(most)) = self.wanted;
        let room = most - self.body.len();
        if chunk.len() > room {
            self.extent = Extent::TooLong;
        }
        self.body.extend_from_slice(&chunk[..chunk.len().min(room)]);
    }

    /// Takes note that the body has come to its end.
    pub fn end(&mut self) {
        if self.extent == Extent::Part {
            self.extent = Extent::Whole;
        }
    }

    /// How much of the body has come.
    pub const fn extent(&self) -> Extent {
        self.extent
    }

    /// The links of the answer, as its head says them.
    pub fn link(&self) -> Option<&str> {
        self.link.as_deref()
    }

    /// The same without what a receiver repeats of the credentials it was sent. What is cut off at the end
    /// may be the beginning of one.
    pub fn without(mut self, credentials: &[&[u8]]) -> Self {
        for credential in credentials {
            self.body = replaced(&self.body, credential);
            let is_begun = |length: &usize| self.body.ends_with(&credential[..*length]);
            if let Some(length) = (4..credential.len()).rev().find(is_begun) {
                self.body.truncate(self.body.len() - length);
            }
        }
        self
    }

    pub const fn status(&self) -> u16 {
        self.status.as_u16()
    }

    /// The body as far as it was kept.
    pub fn body(&self) -> &[u8] {
        &self.body
    }

    /// What the table says of it, where the address and the credentials are those of a destination.
    pub fn verdict_at(&self, destination: &str, url: &Url, now: Timestamp) -> Verdict {
        let advice = match self.status.as_u16() {
            300..=399 => "redirects are not followed; put the final address into",
            401 | 403 => "it does not accept our credentials; mend",
            _ => return self.verdict(url, now),
        };
        let advice = format!("{advice} destinations.{destination} in the configuration");
        self.failed(Class::Permanent, &advice, url, now)
    }

    /// What the table says of it.
    pub fn verdict(&self, url: &Url, now: Timestamp) -> Verdict {
        let status = self.status.as_u16();
        let meaning = MEANINGS
            .iter()
            .find(|meaning| (meaning.from..=meaning.to).contains(&status));
        match meaning.and_then(|meaning| Some((meaning.class?, meaning.advice))) {
            None => self.accepted(),
            Some(_) if self.status.is_redirection() => self.redirect(url),
            Some((class, advice)) => self.failed(class, advice, url, now),
        }
    }

    /// It took the call.
    pub fn accepted(&self) -> Verdict {
        #[derive(Serialize)]
        struct Reply<'a> {
            status: u16,
            #[serde(skip_serializing_if = "str::is_empty")]
            body: &'a str,
        }

        let reply = Reply {
            status: self.status.as_u16(),
            body: &self.text(),
        };
        Verdict::Accepted {
            result: serde_json::to_string(&reply).ok(),
        }
    }

    fn redirect(&self, url: &Url) -> Verdict {
        let to = match self.location.as_deref().map(|location| url.join(location)) {
            Some(Ok(location)) => format!(
                "`{}{}`",
                location.origin().ascii_serialization(),
                location.path()
            ),
            Some(Err(_)) => "an address that cannot be read".to_owned(),
            None => "nowhere".to_owned(),
        };
        let message = format!(
            "{} answered {} and points to {to}; redirects are not followed, so put the final address \
             into payload.url",
            url.origin().ascii_serialization(),
            self.status,
        );
        Verdict::failed(Class::Permanent, "redirect", message)
    }

    /// It did not, in the way of a class.
    pub fn failed(&self, class: Class, advice: &str, url: &Url, now: Timestamp) -> Verdict {
        let mut message = format!(
            "{} answered {}",
            url.origin().ascii_serialization(),
            self.status
        );
        if !advice.is_empty() {
            message.push_str("; ");
            message.push_str(advice);
        }
        let quote = self.quote();
        if !quote.is_empty() {
            // In backticks, which failures of one cause are grouped without.
            message.push_str(&format!("; it said `{quote}`"));
        }
        let says_when = [Class::Retry, Class::Throttled].contains(&class);
        Verdict::Failed {
            failure: Failure::new(class, &format!("http_{}", self.status.as_u16()), message),
            retry_after: self
                .retry_after
                .as_deref()
                .filter(|_| says_when)
                .and_then(|text| retry_after(text, now)),
        }
    }

    /// The kept body as text; what is no text is replaced, and a character cut in two is left out.
    fn text(&self) -> String {
        let body = &self.body[..self.body.len().min(EXCERPT)];
        let whole = match std::str::from_utf8(body) {
            Err(error) if error.error_len().is_none() => &body[..error.valid_up_to()],
            _ => body,
        };
        // Databases refuse NUL in text.
        String::from_utf8_lossy(whole).replace('\0', "\u{fffd}")
    }

    fn quote(&self) -> String {
        let text = self.text().replace('`', "'");
        let mut words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        words.retain(|c| !c.is_control());
        match words.char_indices().nth(QUOTE) {
            Some((end, _)) => format!("{}…", &words[..end]),
            None => words,
        }
    }
}

/// The text with the mask in the place of a part. What has been written is not read again, so a part that
/// looks like the mask comes to an end as well.
fn replaced(text: &[u8], part: &[u8]) -> Vec<u8> {
    let mut told = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.windows(part.len()).position(|window| window == part) {
        told.extend_from_slice(&rest[..at]);
        told.extend_from_slice(HIDDEN.as_bytes());
        rest = &rest[at + part.len()..];
    }
    told.extend_from_slice(rest);
    told
}
