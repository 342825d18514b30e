//! The frame of every page, and the pages of problems.

use baton_protocol::ProblemKind;

use super::markdown::{draw, escape};

/// A whole page.
pub fn frame(title: &str, body: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title} · Baton</title>\n<link rel=\"stylesheet\" href=\"/docs/style.css\">\n</head>\n\
         <body>\n<header><a class=\"name\" href=\"/docs\">Baton</a><nav><a href=\"/docs\">API</a>\
         <a href=\"/docs/problems\">Problems</a><a href=\"/openapi.json\">openapi.json</a></nav></header>\n\
         <main>\n{body}</main>\n</body>\n</html>\n",
        title = escape(title),
    )
}

/// The page of one kind of problem.
pub fn problem(kind: ProblemKind) -> String {
    frame(
        kind.title(),
        &format!("<article>{}</article>\n", draw(kind.page())),
    )
}

/// The list of all kinds.
pub fn problems() -> String {
    let rows: String = ProblemKind::ALL
        .iter()
        .map(|kind| {
            format!(
                "<tr><td>{}</td><td><a href=\"{}\"><code>{}</code></a></td><td>{}</td></tr>\n",
                kind.status(),
                kind.uri(),
                kind.as_str(),
                escape(kind.title())
            )
        })
        .collect();
    let body = format!(
        "<h1>Problems</h1>\n<p>Every error is one of these, as <code>application/problem+json</code> \
         (RFC 9457); <code>code</code> is the word to compare with.</p>\n\
         <table><thead><tr><th>status</th><th>code</th><th>what it means</th></tr></thead>\n\
         <tbody>\n{rows}</tbody></table>\n"
    );
    frame("Problems", &body)
}
