//! Locales: the languages that people read, by their BCP 47 names.

use icu_locale_core::LanguageIdentifier;

/// What a locale may be called, as a sentence.
pub const RULE: &str = "must be a language by its BCP 47 name, such as ko, pt-BR or zh-Hant";

/// How many bytes the name of a locale can have: RFC 5646 (4.4.1) has none that needs more.
pub const LONGEST: usize = 35;

/// The name of a locale as it is written, whatever its capitals: `PT_br` is `pt-BR`. `None`: it names no language.
#[must_use]
pub fn name(text: &str) -> Option<String> {
    let read = LanguageIdentifier::try_from_str(&text.replace('_', "-")).ok()?;
    let name = read.to_string();
    (!read.language.is_unknown() && name.len() <= LONGEST).then_some(name)
}

/// The locale and those that stand in for it, each wider than the one before: `zh-Hant-TW`, `zh-Hant`, `zh` (RFC 4647, 3.4).
pub fn lookup(name: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(name), |name| Some(name.rsplit_once('-')?.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_locale_is_known_by_its_name_however_a_phone_writes_it() {
        for (text, known) in [
            ("ko", "ko"),
            ("KO-kr", "ko-KR"),
            ("pt_BR", "pt-BR"),
            ("zh-hant-tw", "zh-Hant-TW"),
            ("es-419", "es-419"),
            ("sl-rozaj", "sl-rozaj"),
        ] {
            assert_eq!(name(text).as_deref(), Some(known), "{text}");
        }
    }

    #[test]
    fn what_is_no_language_has_no_name() {
        for text in [
            "",
            "k",
            "korean language",
            "ko ",
            "und",
            "und-KR",
            "*",
            "-ko",
            "ko-",
            "한국어",
            "1",
            "ko\0",
            "de-1901-1994-1996-aluku-baku1926-boont",
        ] {
            assert_eq!(name(text), None, "{text:?}");
        }
    }

    #[test]
    fn a_language_stands_in_for_its_scripts_and_regions_and_for_nothing_else() {
        let tried: Vec<_> = lookup("zh-Hant-TW").collect();

        assert_eq!(tried, ["zh-Hant-TW", "zh-Hant", "zh"]);
        assert_eq!(lookup("ko").collect::<Vec<_>>(), ["ko"]);
    }
}
