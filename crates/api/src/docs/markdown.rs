//! The little Markdown that our own texts use, as HTML: headings, paragraphs, and code in a line.

/// Draws a text.
pub fn draw(text: &str) -> String {
    text.split("\n\n")
        .map(str::trim)
        .filter(|block| !block.is_empty())
        .map(block)
        .collect()
}

fn block(text: &str) -> String {
    if let Some(heading) = text.strip_prefix("## ") {
        format!("<h2>{}</h2>\n", line(heading))
    } else if let Some(heading) = text.strip_prefix("# ") {
        format!("<h1>{}</h1>\n", line(heading))
    } else {
        format!("<p>{}</p>\n", line(text))
    }
}

/// Draws one line: text between backticks is code.
pub fn line(text: &str) -> String {
    let mut html = String::with_capacity(text.len());
    for (i, part) in text.split('`').enumerate() {
        if i % 2 == 1 {
            html.push_str(&format!("<code>{}</code>", escape(part)));
        } else {
            html.push_str(&escape(part));
        }
    }
    html
}

/// Text that means nothing to HTML.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_paragraphs_and_code_are_drawn() {
        assert_eq!(
            draw("# One\n\nsay `a < b`\nnow\n"),
            "<h1>One</h1>\n<p>say <code>a &lt; b</code>\nnow</p>\n"
        );
    }
}
