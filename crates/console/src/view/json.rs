//! JSON for the eye: the text to the letter, only the white space is ours.

/// How much is shown, in bytes, white space included.
const PREVIEW: usize = 64 * 1024;

/// JSON text with one value a line. It is not read into numbers and back, so that long integers stay
/// as they came; what is no JSON comes out much as it went in.
pub fn pretty(json: &str) -> String {
    let mut text = Indented::default();
    for c in json.chars() {
        text.push(c);
        if text.text.len() >= PREVIEW {
            text.text.push('\n');
            text.text.push_str(tr!("… (cut; the API has all of it)"));
            break;
        }
    }
    text.text
}

#[derive(Default)]
struct Indented {
    text: String,
    depth: usize,
    in_string: bool,
    escaped: bool,
}

impl Indented {
    fn push(&mut self, c: char) {
        if self.in_string {
            self.text.push(c);
            self.in_string = self.escaped || c != '"';
            self.escaped = c == '\\' && !self.escaped;
            return;
        }
        match c {
            ' ' | '\n' | '\r' | '\t' => {}
            '"' => {
                self.in_string = true;
                self.text.push(c);
            }
            '{' | '[' => {
                self.text.push(c);
                self.depth += 1;
                self.break_line();
            }
            '}' | ']' => self.close(c),
            ',' => {
                self.text.push(c);
                self.break_line();
            }
            ':' => self.text.push_str(": "),
            c => self.text.push(c),
        }
    }

    fn close(&mut self, c: char) {
        self.depth = self.depth.saturating_sub(1);
        let content = self.text.trim_end().len();
        if self.text[..content].ends_with(['{', '[']) {
            self.text.truncate(content);
        } else {
            self.break_line();
        }
        self.text.push(c);
    }

    fn break_line(&mut self) {
        self.text.push('\n');
        // Depth is the text's own and can be thousands; the eye needs no more than this.
        self.text.push_str(&"  ".repeat(self.depth.min(40)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_integers_and_strings_stay_to_the_letter() {
        let text = pretty(r#"{"id":12345678901234567890123,"s":"a, {b}: \"c\"","e":[],"n":[1,2]}"#);

        assert_eq!(
            text,
            "{\n  \"id\": 12345678901234567890123,\n  \"s\": \"a, {b}: \\\"c\\\"\",\n  \"e\": [],\n  \"n\": [\n    1,\n    2\n  ]\n}"
        );
    }

    #[test]
    fn a_long_text_is_cut_and_says_so() {
        let text = pretty(&format!("\"{}\"", "é".repeat(PREVIEW)));

        assert!(text.len() < PREVIEW + 100);
        assert!(text.ends_with("the API has all of it)"));
    }
}
