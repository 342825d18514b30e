//! The part of an address that a payload adds to that of a destination. It stays below it.

use url::Url;

use super::address::Address;

const SHAPE: &str =
    "must begin with one / and stay below the destination, such as \"/orders/7?notify=yes\"";

/// The address below a prefix, or what is wrong with the path.
pub fn below(prefix: &Url, path: &str) -> Result<Address, String> {
    if path.is_empty() {
        return Address::read(prefix.as_str());
    }
    check(path)?;
    let base = prefix.as_str().trim_end_matches('/');
    let asked = format!("{base}{path}");
    let address = Address::read(&asked)?;
    // Whoever reads it in another way than we do would be led elsewhere, so nothing may change on reading.
    let origin = prefix.origin().ascii_serialization();
    if address.url.as_str() != asked || address.url.origin().ascii_serialization() != origin {
        return Err(
            "has characters that must be written with %, such as %20 for a space".to_owned(),
        );
    }
    Ok(address)
}

/// Checks a path by itself, whatever it is to be below of.
pub fn check(path: &str) -> Result<(), String> {
    if path.is_empty() {
        return Ok(());
    }
    if !path.starts_with('/') || path.starts_with("//") || path.contains(['\\', '#']) {
        return Err(SHAPE.to_owned());
    }
    if !path.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(
            "has characters that must be written with %, such as %20 for a space".to_owned(),
        );
    }
    let path = path.split('?').next().unwrap_or_default();
    // Some receivers decode twice, and some leave out what follows a semicolon.
    let mut text = path.to_owned();
    loop {
        if climbs(&text) {
            return Err(
                "must not have a segment of dots, in whatever way it is written".to_owned(),
            );
        }
        let decoded = decode(&text);
        if decoded == text {
            return Ok(());
        }
        text = decoded;
    }
}

fn climbs(path: &str) -> bool {
    path.split(['/', '\\'])
        .map(|segment| segment.split(';').next().unwrap_or_default().trim())
        .any(|name| matches!(name, "." | ".."))
}

/// Replaces what is written with %, once.
fn decode(text: &str) -> String {
    let mut decoded = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let coded = after.get(..2).filter(|_| *first == b'%').and_then(hex);
        decoded.push(coded.unwrap_or(*first));
        rest = if coded.is_some() { &after[2..] } else { after };
    }
    String::from_utf8_lossy(&decoded).into_owned()
}

fn hex(digits: &[u8]) -> Option<u8> {
    let digits = std::str::from_utf8(digits).ok()?;
    let are_hex = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    are_hex
        .then(|| u8::from_str_radix(digits, 16).ok())
        .flatten()
}
