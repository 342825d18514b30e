//! Waiting for a server, which starts and ends without a runtime.

use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};

const PAUSE: Duration = Duration::from_millis(10);

/// Looks until the answer is yes.
///
/// # Errors
/// With the error of the look, or when the time is up.
pub fn until(what: &str, within: Duration, mut is_so: impl FnMut() -> Result<bool>) -> Result<()> {
    let begun = Instant::now();
    while !is_so()? {
        if begun.elapsed() > within {
            bail!("waited {within:?} in vain until {what}");
        }
        thread::sleep(PAUSE);
    }
    Ok(())
}
