//! What the tests that failed have said, for the end of a run: their own reports stand far above it by then.

use std::collections::VecDeque;

/// The most lines of one test that are repeated; what it panicked with is the last it says.
const LINES_OF_A_TEST: usize = 25;

/// Collects what the tests that failed have said, from the lines of all of them.
#[derive(Default)]
pub struct Failures {
    lines: Vec<String>,
    of_a_test: VecDeque<String>,
    are_told: bool,
}

impl Failures {
    pub fn hear(&mut self, line: &str) {
        if line == "failures:" {
            self.are_told = true;
        } else if line.starts_with("test result: ") {
            self.end_of_a_test();
            self.are_told = false;
        } else if self.are_told {
            self.hear_of_a_failure(line);
        }
    }

    /// All that was collected, a line each.
    pub fn told(mut self) -> String {
        self.end_of_a_test();
        self.lines.join("\n")
    }

    fn hear_of_a_failure(&mut self, line: &str) {
        if line.starts_with("---- ") {
            self.end_of_a_test();
        }
        if is_of_a_backtrace(line) {
            return;
        }
        if self.of_a_test.len() == LINES_OF_A_TEST {
            // Its name stays.
            self.of_a_test.remove(1);
        }
        self.of_a_test.push_back(line.to_owned());
    }

    fn end_of_a_test(&mut self) {
        let said = self.of_a_test.drain(..).filter(|line| !line.is_empty());
        self.lines.extend(said);
    }
}

/// Whether it is one of the frames, which would leave no room for what was panicked with, or stands around them.
fn is_of_a_backtrace(line: &str) -> bool {
    let line = line.trim_start();
    let number = line.split_once(": ").map_or("", |(number, _)| number);
    let is_frame = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    is_frame || line.starts_with("at ") || line == "stack backtrace:" || line.starts_with("note: ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const RUN: &str = "\
running 3 tests
test one ... FAILED
test two ... ok

failures:

---- one stdout ----

thread 'one' panicked at src/lib.rs:1:1:
left is not right
stack backtrace:
   0: __rustc::rust_begin_unwind
             at /rustc/lib.rs:1:1
note: Some details are omitted.


failures:
    one

test result: FAILED. 1 passed; 1 failed

running 1 test
test three ... ok

test result: ok. 1 passed; 0 failed";

    #[test]
    fn the_report_of_each_test_that_failed_is_repeated() {
        let told = hear(RUN.lines());

        let repeated = "---- one stdout ----\nthread 'one' panicked at src/lib.rs:1:1:\nleft is not right\n    one";
        assert_eq!(told, repeated);
    }

    #[test]
    fn nothing_is_said_where_all_passed() {
        let told = hear("running 1 test\ntest three ... ok\n\ntest result: ok.".lines());

        assert_eq!(told, "");
    }

    #[test]
    fn of_a_test_that_said_much_the_last_is_repeated() {
        let much = (0..1_000).map(|line| format!("line {line}"));
        let lines = ["failures:", "---- one stdout ----"].map(str::to_owned);

        let told = hear(lines.into_iter().chain(much));

        assert!(told.contains("---- one stdout ----\nline 976\n"), "{told}");
        assert!(told.ends_with("line 999"), "{told}");
    }

    fn hear(lines: impl IntoIterator<Item = impl AsRef<str>>) -> String {
        let mut failures = Failures::default();
        lines
            .into_iter()
            .for_each(|line| failures.hear(line.as_ref()));
        failures.told()
    }
}
