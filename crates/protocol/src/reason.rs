//! Why somebody asks for something, in a header that any request can have: the audit log keeps it beside what was done.
//!
//! A header has no room for all letters, so its text is UTF-8 with whatever is not plain written as `%E2%80%A6`. Plain text is itself.

/// The header.
pub const REASON: &str = "baton-reason";

/// How many letters a reason has at most.
pub const LONGEST: usize = 500;

/// A reason as a header carries it.
#[must_use]
pub fn to_header(reason: &str) -> String {
    let is_plain = |byte: u8| byte == b' ' || byte.is_ascii_graphic() && byte != b'%';
    let written = reason.bytes().map(|byte| match is_plain(byte) {
        true => char::from(byte).to_string(),
        false => format!("%{byte:02X}"),
    });
    written.collect()
}

/// The reason that a header carries; nothing if it says nothing.
pub fn of_header(header: &[u8]) -> Result<Option<String>, &'static str> {
    let text = String::from_utf8(decoded(header)).map_err(|_| "must be UTF-8, percent-encoded")?;
    let text = text.trim();
    if text.chars().any(char::is_control) {
        return Err("must not hold control characters");
    }
    if text.chars().count() > LONGEST {
        return Err("can have 500 characters at most");
    }
    Ok(Some(text.to_owned()).filter(|text| !text.is_empty()))
}

/// A percent sign that two digits do not follow is itself.
fn decoded(header: &[u8]) -> Vec<u8> {
    let (mut bytes, mut rest) = (Vec::with_capacity(header.len()), header);
    while let Some((first, others)) = rest.split_first() {
        let digits = others.split_at_checked(2).filter(|_| *first == b'%');
        let encoded = digits.and_then(|(digits, behind)| Some((byte_of(digits)?, behind)));
        let (byte, behind) = encoded.unwrap_or((*first, others));
        bytes.push(byte);
        rest = behind;
    }
    bytes
}

fn byte_of(digits: &[u8]) -> Option<u8> {
    let is_hex = digits.iter().all(u8::is_ascii_hexdigit);
    let text = std::str::from_utf8(digits).ok().filter(|_| is_hex)?;
    u8::from_str_radix(text, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_comes_out_of_its_header_as_it_went_in() {
        for reason in [
            "wrong message",
            "너무 많음…",
            "100% sure, 5%20 even",
            "\"it's\"",
        ] {
            let header = to_header(reason);

            assert!(header.is_ascii(), "{header}");
            assert_eq!(of_header(header.as_bytes()), Ok(Some(reason.to_owned())));
        }
    }

    #[test]
    fn what_somebody_typed_by_hand_is_read_as_well() {
        for (header, reason) in [
            ("50% of them", Some("50% of them")),
            ("너무 많음", Some("너무 많음")),
            ("  ", None),
        ] {
            let read = of_header(header.as_bytes());

            assert_eq!(read, Ok(reason.map(str::to_owned)), "{header}");
        }
    }

    #[test]
    fn what_is_no_text_or_a_long_one_is_refused() {
        let long = "a".repeat(LONGEST + 1);

        for header in ["%FF", "a%0Ab", "%00", &long] {
            assert!(of_header(header.as_bytes()).is_err(), "{header}");
        }
    }
}
