//! Numbers as people read them.

/// A whole number with its thousands apart: `1,204`.
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number that may be only the least: `at least 10,000`.
pub fn at_least(number: u64, is_at_least: bool) -> String {
    match is_at_least {
        true => tr!("at least {n}", n = count(number)),
        false => count(number),
    }
}

/// So many jobs: `1 job`, `1,204 jobs`.
pub fn jobs(number: u64) -> String {
    match number {
        1 => tr!("1 job").to_owned(),
        many => tr!("{n} jobs", n = count(many)),
    }
}

/// A rate per second, exact only where it is small: `0`, `0.42`, `7.5`, `1,310`.
pub fn rate(per_second: f64) -> String {
    if !per_second.is_finite() || per_second < 0.005 {
        "0".to_owned()
    } else if per_second < 1.0 {
        format!("{per_second:.2}")
    } else if per_second < 10.0 {
        format!("{per_second:.1}")
    } else {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "it is at least ten, and a rate beyond 2^64 is cut"
        )]
        count(per_second.round() as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_stand_apart() {
        assert_eq!(count(0), "0");
        assert_eq!(count(999), "999");
        assert_eq!(count(1_204), "1,204");
        assert_eq!(count(u64::MAX), "18,446,744,073,709,551,615");
    }

    #[test]
    fn a_rate_has_as_many_digits_as_it_is_worth() {
        assert_eq!(rate(0.0), "0");
        assert_eq!(rate(0.42), "0.42");
        assert_eq!(rate(7.46), "7.5");
        assert_eq!(rate(1_310.4), "1,310");
        assert_eq!(rate(f64::NAN), "0");
    }
}
