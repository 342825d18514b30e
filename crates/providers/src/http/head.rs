//! The head of an answer: what is needed of it.

use std::mem::MaybeUninit;

use http::StatusCode;
use httparse::{Header, ParserConfig, Response, Status};

use super::body::Framing;

/// How many headers an answer may have.
const MOST_HEADERS: usize = 100;

/// The head of an answer.
#[derive(Debug)]
pub struct ResponseHead {
    pub status: StatusCode,
    pub retry_after: Option<String>,
    pub location: Option<String>,
    /// Its links, one after the other.
    pub link: Option<String>,
    /// How the end of its body is found, unless the request was one that is answered without.
    pub framing: Framing,
    /// Whether the target will take another request over this connection.
    pub keeps_open: bool,
}

/// An answer that is not HTTP.
#[derive(Debug, Clone, Copy, thiserror::Error)]
#[error("{0}")]
pub struct NotHttp(pub &'static str);

impl ResponseHead {
    /// Reads a head and says how long it is; `None` until all of it has come.
    pub fn read(received: &[u8]) -> Result<Option<(Self, usize)>, NotHttp> {
        let mut space = [const { MaybeUninit::uninit() }; MOST_HEADERS];
        let mut response = Response::new(&mut []);
        let parsed = ParserConfig::default().parse_response_with_uninit_headers(
            &mut response,
            received,
            &mut space,
        );
        match parsed {
            Ok(Status::Partial) => Ok(None),
            Ok(Status::Complete(length)) => Ok(Some((Self::of(&response)?, length))),
            Err(error) => Err(NotHttp(told(error))),
        }
    }

    fn of(response: &Response<'_, '_>) -> Result<Self, NotHttp> {
        let (headers, is_new) = (&*response.headers, response.version == Some(1));
        let status = response
            .code
            .and_then(|code| StatusCode::from_u16(code).ok());
        let status = status.ok_or(NotHttp("its status is none"))?;
        Ok(Self {
            status,
            retry_after: text(headers, "retry-after"),
            location: text(headers, "location"),
            link: joined(headers, "link"),
            framing: framing(status, headers, is_new)?,
            keeps_open: is_clear(headers)
                && match status {
                    StatusCode::SWITCHING_PROTOCOLS => false,
                    _ if is_new => !names(headers, "connection", "close"),
                    _ => names(headers, "connection", "keep-alive"),
                },
        })
    }

    /// Whether the answer proper is still to come.
    pub fn is_interim(&self) -> bool {
        self.status.is_informational() && self.status != StatusCode::SWITCHING_PROTOCOLS
    }
}

/// Whether nobody could read the end of this answer elsewhere than we do: it says only once how long it is,
/// and in plain letters. What comes after one that is not clear may be somebody else's words.
fn is_clear(headers: &[Header<'_>]) -> bool {
    let has = |name: &str| raw(headers, name).next().is_some();
    let is_plain = |name| raw(headers, name).all(<[u8]>::is_ascii);
    !(has("transfer-encoding") && has("content-length"))
        && ["transfer-encoding", "content-length", "connection"]
            .into_iter()
            .all(is_plain)
}

/// Where a body ends, by the rules of RFC 9112, section 6.3.
fn framing(status: StatusCode, headers: &[Header<'_>], is_new: bool) -> Result<Framing, NotHttp> {
    let is_bodiless = status.is_informational()
        || [StatusCode::NO_CONTENT, StatusCode::NOT_MODIFIED].contains(&status);
    if is_bodiless {
        return Ok(Framing::Length(0));
    }
    if !raw(headers, "transfer-encoding").all(<[u8]>::is_ascii) {
        return Ok(Framing::ToTheEnd);
    }
    if let Some(encodings) = raw(headers, "transfer-encoding").last() {
        let last = encodings.rsplit(|byte| *byte == b',').next();
        let last = last.unwrap_or_default().trim_ascii();
        return match (last.eq_ignore_ascii_case(b"chunked"), is_new) {
            (_, false) => Err(NotHttp("it is of HTTP/1.0, which has no Transfer-Encoding")),
            (true, _) => Ok(Framing::chunks()),
            (false, _) => Ok(Framing::ToTheEnd),
        };
    }
    let lengths = raw(headers, "content-length");
    let mut lengths = lengths.flat_map(|lengths| lengths.split(|byte| *byte == b','));
    let Some(first) = lengths.next() else {
        return Ok(Framing::ToTheEnd);
    };
    match length(first) {
        Some(known) if lengths.all(|other| length(other) == Some(known)) => {
            Ok(Framing::Length(known))
        }
        _ => Err(NotHttp("its Content-Length is none")),
    }
}

fn length(text: &[u8]) -> Option<u64> {
    let digits = text.trim_ascii();
    let is_number = digits.iter().all(u8::is_ascii_digit);
    is_number
        .then(|| std::str::from_utf8(digits).ok()?.parse().ok())
        .flatten()
}

fn text(headers: &[Header<'_>], name: &str) -> Option<String> {
    all(headers, name).next().map(str::to_owned)
}

fn joined(headers: &[Header<'_>], name: &str) -> Option<String> {
    let values: Vec<_> = all(headers, name).collect();
    (!values.is_empty()).then(|| values.join(", "))
}

fn names(headers: &[Header<'_>], name: &str, word: &str) -> bool {
    all(headers, name)
        .flat_map(|value| value.split(','))
        .any(|one| one.trim().eq_ignore_ascii_case(word))
}

fn all<'a>(headers: &'a [Header<'a>], name: &'a str) -> impl Iterator<Item = &'a str> {
    raw(headers, name).filter_map(|value| std::str::from_utf8(value).ok())
}

fn raw<'a>(headers: &'a [Header<'a>], name: &'a str) -> impl Iterator<Item = &'a [u8]> {
    headers
        .iter()
        .filter(move |header| header.name.eq_ignore_ascii_case(name))
        .map(|header| header.value)
}

fn told(error: httparse::Error) -> &'static str {
    use httparse::Error;
    match error {
        Error::HeaderName => "a header's name is none",
        Error::HeaderValue => "a header's value is none",
        Error::NewLine => "a line of its head does not end as it should",
        Error::Status => "its status is none",
        Error::Token => "its first line has a character too many",
        Error::TooManyHeaders => "it has too many headers",
        Error::Version => "it does not begin with HTTP/1",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> ResponseHead {
        let (head, length) = ResponseHead::read(text.as_bytes()).unwrap().unwrap();
        assert_eq!(length, text.len());
        head
    }

    #[test]
    fn a_body_ends_where_the_standard_says() {
        let table = [
            ("HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n", "Length(7)"),
            (
                "HTTP/1.1 200 OK\r\nContent-Length: 7, 7\r\nContent-Length: 7\r\n\r\n",
                "Length(7)",
            ),
            (
                "HTTP/1.1 204 No Content\r\nContent-Length: 7\r\n\r\n",
                "Length(0)",
            ),
            (
                "HTTP/1.1 304 Not Modified\r\nContent-Length: 7\r\n\r\n",
                "Length(0)",
            ),
            (
                "HTTP/1.1 200 OK\r\nContent-Length: 7\r\nTransfer-Encoding: Chunked\r\n\r\n",
                "Chunks(Size)",
            ),
            (
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked, gzip\r\n\r\n",
                "ToTheEnd",
            ),
            ("HTTP/1.1 200 OK\r\n\r\n", "ToTheEnd"),
        ];

        for (text, expected) in table {
            assert_eq!(format!("{:?}", read(text).framing), expected, "{text}");
        }
    }

    #[test]
    fn a_head_that_contradicts_itself_is_not_http() {
        for headers in [
            "Content-Length: 7\r\nContent-Length: 8",
            "Content-Length: 7, 8",
            "Content-Length: -1",
            "Content-Length: +1",
            "Content-Length: ",
            "Content-Length: 99999999999999999999999",
            "no colon",
        ] {
            let text = format!("HTTP/1.1 200 OK\r\n{headers}\r\n\r\n");

            assert!(ResponseHead::read(text.as_bytes()).is_err(), "{headers}");
        }
        let old = b"HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
        assert!(ResponseHead::read(old).is_err());
        assert!(ResponseHead::read(b"HTTP/1.1 099 Odd\r\n\r\n").is_err());
    }

    #[test]
    fn a_connection_is_kept_as_its_version_and_its_target_say() {
        for (text, keeps_open) in [
            ("HTTP/1.1 200 OK\r\n\r\n", true),
            (
                "HTTP/1.1 200 OK\r\nConnection: Keep-Alive, Close\r\n\r\n",
                false,
            ),
            ("HTTP/1.0 200 OK\r\n\r\n", false),
            ("HTTP/1.0 200 OK\r\nConnection: Keep-Alive\r\n\r\n", true),
            ("HTTP/1.1 101 Switching Protocols\r\n\r\n", false),
        ] {
            assert_eq!(read(text).keeps_open, keeps_open, "{text}");
        }
    }

    #[test]
    fn an_answer_that_can_be_read_in_two_ways_ends_its_connection() {
        for headers in [
            &b"Transfer-Encoding: chunked\r\nContent-Length: 5"[..],
            b"Content-Length: 0\r\nTransfer-Encoding: gzip, chunked",
            b"Transfer-Encoding: \xff\r\nContent-Length: 5",
            b"Transfer-Encoding: chunked\xc2\xa0",
            b"Transfer-Encoding: \xffchunked",
            b"Transfer-Encoding: chunked\r\nConnection: close\xff",
        ] {
            let text = [b"HTTP/1.1 200 OK\r\n", headers, b"\r\n\r\n"].concat();

            let (head, _) = ResponseHead::read(&text).unwrap().unwrap();

            assert!(!head.keeps_open, "{}", String::from_utf8_lossy(headers));
        }
    }

    #[test]
    fn a_length_in_bytes_that_are_no_digits_is_none() {
        for length in [&b"7\xff"[..], b"7\xc2\xa0", b"\xef\xbc\x97"] {
            let text = [b"HTTP/1.1 200 OK\r\nContent-Length: ", length, b"\r\n\r\n"].concat();

            assert!(ResponseHead::read(&text).is_err(), "{length:?}");
        }
    }

    #[test]
    fn a_head_is_read_once_all_of_it_is_there() {
        let text = b"HTTP/1.1 429 Slow\r\nretry-after: 7\r\nLocation: /x\r\n\r\nbody";
        let end = text.len() - 4;

        for length in 0..end {
            assert!(
                ResponseHead::read(&text[..length]).unwrap().is_none(),
                "{length}"
            );
        }

        let (head, length) = ResponseHead::read(text).unwrap().unwrap();
        assert_eq!((head.status.as_u16(), length), (429, end));
        assert_eq!(head.retry_after.as_deref(), Some("7"));
        assert_eq!(head.location.as_deref(), Some("/x"));
    }
}
