//! Every path that a server has, so that none can be forgotten.

use std::{
    collections::BTreeSet,
    io::{Read, Write},
    net::TcpStream,
};

use serde_json::Value;

use crate::support::Served;

/// What the console's router is made of, so that a page that is added is walked as well.
const CONSOLE: &str = include_str!("../../../console/src/lib.rs");
/// What the router of the whole server has besides.
const BESIDE: [&str; 5] = ["/", "/openapi.json", "/docs", "/nowhere", "/admin/nowhere"];

/// What stands in the place of something that a path leaves open.
pub trait Fill {
    /// All that may stand there; `before` is the part that stands before it.
    fn fill(&self, before: &str, open: &str) -> Vec<String>;
}

/// The same word for all.
pub struct Word(pub &'static str);

impl Fill for Word {
    fn fill(&self, _: &str, _: &str) -> Vec<String> {
        vec![self.0.to_owned()]
    }
}

/// Sends a request as a browser would that was led here by this name, and answers with all that comes.
pub fn ask(served: &Served, method: &str, path: &str, host: &str) -> String {
    let address = served.url.strip_prefix("http://").unwrap();
    let mut socket = TcpStream::connect(address).unwrap();
    let request = format!(
        "{method} {path} HTTP/1.1\r\nHost: {host}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    );
    socket.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    socket.read_to_string(&mut answer).unwrap();
    answer
}

/// The paths of the API that have one of these methods, as its description has them; what is open is filled.
pub fn of_the_api(served: &Served, methods: &[&str], fill: &impl Fill) -> BTreeSet<String> {
    let answer = ask(served, "GET", "/openapi.json", "localhost");
    let (_, body) = answer.split_once("\r\n\r\n").unwrap();
    let description: Value = serde_json::from_str(body).unwrap();
    let paths = description["paths"].as_object().unwrap().iter();
    let has_one = |item: &Value| methods.iter().any(|method| item.get(method).is_some());
    let paths = paths.filter(|(_, item)| has_one(item));
    paths.flat_map(|(path, _)| filled(path, fill)).collect()
}

/// Every path of the console, read from where its router is made, and those beside it.
pub fn of_the_pages(fill: &impl Fill) -> BTreeSet<String> {
    let routes = CONSOLE.split(".route(").skip(1);
    let paths = routes.filter_map(|rest| rest.split('"').nth(1));
    let paths = paths.chain([""]).map(|path| format!("/admin{path}"));
    let paths = paths.chain(BESIDE.map(str::to_owned));
    paths.flat_map(|path| filled(&path, fill)).collect()
}

/// The path with everything that may stand in place of what it leaves open.
fn filled(path: &str, fill: &impl Fill) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut before = "";
    for part in path.split('/').skip(1) {
        let open = part
            .strip_prefix('{')
            .and_then(|part| part.strip_suffix('}'));
        let words = open.map_or_else(|| vec![part.to_owned()], |open| fill.fill(before, open));
        let longer = |path: &String| -> Vec<_> {
            words.iter().map(|word| format!("{path}/{word}")).collect()
        };
        all = all.iter().flat_map(longer).collect();
        before = part;
    }
    all
}
