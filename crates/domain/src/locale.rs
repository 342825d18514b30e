//! Locales: the languages that people read, by their BCP 47 names.

use icu_locale::{Locale, LocaleCanonicalizer};

/// What a locale may be called, as a sentence.
pub const RULE: &str = "must be a language by its BCP 47 name, such as ko, pt-BR or zh-Hant";

/// How many bytes the name of a locale can have: RFC 5646 (4.4.1) has none that needs more.
pub const LONGEST: usize = 35;

/// How many bytes are read of what may be one: what systems write behind a name is some more.
const READ: usize = 200;

/// The name of a locale as it is written, whatever its capitals and however a system writes it: `PT_br` is `pt-BR`, Android's
/// `iw` is `he`, and what is said of calendars and units goes. `None`: it names no language.
#[must_use]
pub fn name(text: &str) -> Option<String> {
    if text.len() > READ {
        return None;
    }
    let mut read = Locale::try_from_str(&as_bcp47(text)).ok()?;
    LocaleCanonicalizer::new_extended().canonicalize(&mut read);
    let name = read.id.to_string();
    (!read.id.language.is_unknown() && name.len() <= LONGEST).then_some(name)
}

/// What POSIX, Java and Apple write, as BCP 47 has it: `ko_KR.UTF-8`, `en_US@rg=gb`, `zh_TW_#Hant`.
fn as_bcp47(text: &str) -> String {
    let plain = text.split(['@', '.']).next().unwrap_or_default();
    let Some((name, behind)) = plain.split_once('#') else {
        return plain.replace('_', "-");
    };
    let name = name.trim_end_matches('_').replace('_', "-");
    match behind.split(['_', '-']).next() {
        Some(script) if script.len() == 4 => {
            let (language, region) = name.split_at(name.find('-').unwrap_or(name.len()));
            format!("{language}-{script}{}", region.replace("--", "-"))
        }
        _ => name,
    }
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
            ("en-US-u-hc-h12-mu-celsius", "en-US"),
            ("en-x-twain", "en"),
            ("en_US@rg=gb", "en-US"),
            ("ar_EG@calendar=gregorian", "ar-EG"),
            ("ko_KR.UTF-8", "ko-KR"),
            ("zh_TW_#Hant", "zh-Hant-TW"),
            ("zh__#Hans", "zh-Hans"),
            ("th_TH_#u-nu-thai", "th-TH"),
            ("iw_IL", "he-IL"),
            ("in", "id"),
            ("ji", "yi"),
            ("tl", "fil"),
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
            "#Hant",
            "_KR",
            "@ko",
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
