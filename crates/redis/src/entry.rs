//! What stands in a list: a job and the queue it stands in, `<uuid>:<queue>`.
//!
//! The queue is part of it so that what a worker has taken, from whichever queues, can be put back by
//! one script that asks nobody.

use baton_domain::{JobId, queue};
use uuid::Uuid;

/// The length of a UUID with its hyphens.
const ID: usize = 36;

/// Writes an entry.
pub fn write(job: JobId, queue: &str) -> String {
    format!("{}:{queue}", job.uuid())
}

/// Reads an entry of this queue; `None` for anything that [`write()`] would not have written.
pub fn read(entry: &[u8], queue: &str) -> Option<JobId> {
    let text = std::str::from_utf8(entry).ok()?;
    let (id, rest) = text.split_at_checked(ID)?;
    if rest.strip_prefix(':')? != queue || !queue::is_name(queue) {
        return None;
    }
    let job = JobId::from_uuid(Uuid::try_parse(id).ok()?);
    (write(job, queue) == text).then_some(job)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b";

    #[test]
    fn what_was_written_is_read() {
        let job = JobId::from_uuid(Uuid::parse_str(ID).unwrap());

        let entry = write(job, "mail:eu");

        assert_eq!(entry, format!("{ID}:mail:eu"));
        assert_eq!(read(entry.as_bytes(), "mail:eu"), Some(job));
    }

    #[test]
    fn anything_else_is_refused() {
        let entries = [
            String::new(),
            "garbage".to_owned(),
            ID.to_owned(),
            format!("{ID}:"),
            format!("{ID}:other"),
            format!("{ID}:mail:"),
            format!(" {ID}:mail"),
            format!("{}:mail", ID.to_uppercase()),
            format!("{}:mail", ID.replace('-', "")),
            format!("job_{ID}:mail"),
            format!("é{}:mail", &ID[2..]),
        ];

        for entry in entries {
            assert_eq!(read(entry.as_bytes(), "mail"), None, "{entry}");
        }
        assert_eq!(read(&[0xff; 41], "mail"), None);
    }
}
