//! Characters that are not seen and change what is: they turn the direction of what follows, or hide in a name.

use std::borrow::Cow;

/// Whether a character shows nothing by itself and deceives about what stands around it. Joiners are left
/// alone: scripts and emoji need them.
#[must_use]
pub const fn is_deceptive(c: char) -> bool {
    matches!(
        c,
        '\u{ad}'
            | '\u{34f}'
            | '\u{61c}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{180e}'
            | '\u{200b}'
            | '\u{200e}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{3164}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}'
    )
}

/// The text with each such character written out, as `\u{202e}`.
#[must_use]
pub fn visible(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || !text.chars().any(is_deceptive) {
        return Cow::Borrowed(text);
    }
    let mut told = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_deceptive(c) {
            told.extend(c.escape_unicode());
        } else {
            told.push(c);
        }
    }
    Cow::Owned(told)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_turns_or_hides_is_written_out_and_all_else_stays() {
        let turned = visible("gpj.\u{202e}exe\u{2066} a\u{200b}b\u{feff}\u{e0041}");
        let plain = "größe — \u{05e9}\u{05dc}\u{05d5}\u{05dd} 👩\u{200d}👧 \u{1b}\n";

        assert_eq!(
            turned,
            "gpj.\\u{202e}exe\\u{2066} a\\u{200b}b\\u{feff}\\u{e0041}"
        );
        assert!(matches!(visible(plain), Cow::Borrowed(text) if text == plain));
    }
}
