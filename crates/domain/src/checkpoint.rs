//! Checkpoints: how far a job has come, kept under its lease; its next attempt begins there.

use ring::digest::{Context, SHA256};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Builder;

use crate::{JobId, LeaseId, Timestamp};

/// How long a cursor can be, as the text of JSON, in bytes.
pub const LONGEST_CURSOR: usize = 16 * 1024;
/// How long a note of progress can be, in characters.
pub const LONGEST_NOTE: usize = 200;
/// How many jobs one checkpoint can make.
pub const MOST_JOBS: usize = 1_000;

/// How far a job has come, for people; it decides nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Progress {
    /// How much is done.
    pub done: u64,
    /// Of how much, where that is known.
    #[serde(default)]
    pub total: Option<u64>,
    /// A word about it.
    #[serde(default)]
    #[schema(max_length = 200)]
    pub note: Option<String>,
}

impl Progress {
    /// What is wrong with it, as a sentence.
    #[must_use]
    pub fn error(&self) -> Option<String> {
        let most = u64::MAX >> 1;
        if self.done > most || self.total.is_some_and(|total| total > most) {
            return Some(format!("counts to {most} at the most"));
        }
        let note = self.note.as_ref()?;
        (note.chars().count() > LONGEST_NOTE || note.contains('\0'))
            .then(|| format!("its note must be {LONGEST_NOTE} characters at the most, without NUL"))
    }
}

/// A checkpoint as a store keeps it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checkpoint {
    /// The job.
    pub job: JobId,
    /// How often the cursor was moved; 0 if there is progress alone.
    pub seq: u64,
    /// 1, and one more each time a person has had the job begin anew.
    pub era: u32,
    /// The attempt that wrote it last.
    pub attempt: u32,
    /// The job's own word for where it is: JSON text.
    pub cursor: Option<String>,
    /// How far it is, for people.
    pub progress: Option<Progress>,
    /// Whether that attempt has moved the cursor.
    pub moved: bool,
    /// When the cursor was moved last, or progress told if it never was.
    pub at: Timestamp,
}

impl Checkpoint {
    /// Whether the cursor was moved by this attempt.
    #[must_use]
    pub fn has_moved_in(&self, attempt: u32) -> bool {
        self.moved && self.attempt == attempt
    }
}

/// The id of a job that a checkpoint makes: always the same for the same lease, number and place, so that a
/// checkpoint that is repeated finds the jobs of the first time.
#[must_use]
pub fn child_id(at: Timestamp, lease: LeaseId, seq: u64, place: usize) -> JobId {
    let mut digest = Context::new(&SHA256);
    digest.update(lease.uuid().as_bytes());
    digest.update(&seq.to_be_bytes());
    digest.update(&u64::try_from(place).unwrap_or(u64::MAX).to_be_bytes());
    let digest = digest.finish();
    let mut free = [0; 10];
    free.copy_from_slice(&digest.as_ref()[..10]);
    let millis = u64::try_from(at.as_micros() / 1_000).unwrap_or(0);
    JobId::from_uuid(Builder::from_unix_timestamp_millis(millis, &free).into_uuid())
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    const AT: Timestamp = Timestamp::from_micros(1_700_000_000_000_000);

    fn lease(number: u128) -> LeaseId {
        LeaseId::from_uuid(Uuid::from_u128(number))
    }

    #[test]
    fn a_repeated_checkpoint_names_the_same_jobs_and_no_other_does() {
        let first = child_id(AT, lease(1), 7, 0);

        assert_eq!(child_id(AT, lease(1), 7, 0), first);
        let others = [
            child_id(AT, lease(2), 7, 0),
            child_id(AT, lease(1), 8, 0),
            child_id(AT, lease(1), 7, 1),
        ];
        assert!(!others.contains(&first));
        assert_eq!(first.uuid().get_version_num(), 7);
    }

    #[test]
    fn a_note_that_is_too_long_is_refused_in_a_sentence() {
        let long = Progress {
            note: Some("x".repeat(LONGEST_NOTE + 1)),
            ..Progress::default()
        };
        let fits = Progress {
            note: Some("日".repeat(LONGEST_NOTE)),
            ..Progress::default()
        };

        assert!(long.error().is_some());
        assert_eq!(fits.error(), None);
    }
}
