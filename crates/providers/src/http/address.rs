//! Where a call goes: read from its URL once and remembered, as a queue mostly calls the same few.

use std::{collections::HashMap, sync::Arc};

use parking_lot::RwLock;
use url::{Position, Url};

/// The longest URL that is called, in bytes; common servers refuse longer ones.
const LONGEST: usize = 8_000;

/// How many addresses are remembered; then all are forgotten, and those in use come back by themselves.
const MOST: usize = 1_024;

/// Where a call goes.
#[derive(Debug)]
pub struct Address {
    pub url: Url,
}

/// The addresses that were read lately, by their text.
#[derive(Debug, Default)]
pub struct Addresses(RwLock<HashMap<String, Arc<Address>>>);

impl Addresses {
    /// Reads a URL, or says what is wrong with it.
    pub fn read(&self, text: &str) -> Result<Arc<Address>, String> {
        if let Some(known) = self.0.read().get(text) {
            return Ok(Arc::clone(known));
        }
        let address = Arc::new(Address::read(text)?);
        let mut known = self.0.write();
        if known.len() >= MOST {
            known.clear();
        }
        known.insert(text.to_owned(), Arc::clone(&address));
        Ok(address)
    }
}

impl Address {
    /// Reads a URL, or says what is wrong with it.
    pub fn read(text: &str) -> Result<Self, String> {
        let address = Self {
            url: read_url(text)?,
        };
        // They are written into the head of a request, where anything else could end a line.
        let is_plain = |part: &str| part.bytes().all(|byte| byte.is_ascii_graphic());
        if !is_plain(address.path()) || !is_plain(address.host()) {
            return Err("has characters that cannot be part of a request".to_owned());
        }
        Ok(address)
    }

    /// The path and the query, as a request names them.
    pub fn path(&self) -> &str {
        &self.url[Position::BeforePath..Position::AfterQuery]
    }

    /// The name and the port, as a request names them.
    pub fn host(&self) -> &str {
        &self.url[Position::BeforeHost..Position::AfterPort]
    }

    /// Where a connection to it leads to, such as `https://example.com:8443`.
    pub fn origin(&self) -> &str {
        &self.url[..Position::BeforePath]
    }
}

fn read_url(text: &str) -> Result<Url, String> {
    if text.len() > LONGEST {
        return Err(format!("must be at most {LONGEST} bytes long"));
    }
    let mut url = Url::parse(text)
        .map_err(|error| format!("is not a whole URL such as https://example.com/hook: {error}"))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err("must begin with http:// or https://".to_owned());
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(
            "must not carry a user name or password; put an Authorization header into \
             headers instead"
                .to_owned(),
        );
    }
    if url.host_str().is_none_or(str::is_empty) {
        return Err("must name a host".to_owned());
    }
    if url.port() == Some(0) {
        return Err("cannot be called on port 0".to_owned());
    }
    url.set_fragment(None);
    Ok(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_read_once_and_its_parts_are_those_of_its_url() {
        let addresses = Addresses::default();

        let first = addresses
            .read("HTTP://Example.com:80/a b?q=1#part")
            .unwrap();
        let second = addresses
            .read("HTTP://Example.com:80/a b?q=1#part")
            .unwrap();

        assert!(Arc::ptr_eq(&first, &second));
        assert_eq!(first.origin(), "http://example.com");
        assert_eq!(first.host(), "example.com");
        assert_eq!(first.path(), "/a%20b?q=1");
    }

    #[test]
    fn more_addresses_than_are_remembered_are_read_all_the_same() {
        let addresses = Addresses::default();

        let hosts = (0..=MOST).map(|i| {
            let address = addresses
                .read(&format!("https://h{i}.example:8443/"))
                .unwrap();
            address.host().to_owned()
        });

        let expected = (0..=MOST).map(|i| format!("h{i}.example:8443"));
        assert!(hosts.eq(expected));
        assert_eq!(addresses.0.read().len(), 1);
    }

    #[test]
    fn a_url_that_cannot_be_called_is_not_remembered() {
        let addresses = Addresses::default();

        let error = addresses.read("ftp://example.com/").unwrap_err();

        assert_eq!(error, "must begin with http:// or https://");
        assert!(addresses.0.read().is_empty());
    }
}
