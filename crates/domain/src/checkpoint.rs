//! Checkpoints: how far a job has come, kept under its lease; its next attempt begins there.

use ring::digest::{Context, SHA256};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Builder;

use crate::{JobId, LeaseId, Timestamp, id::fraction};

/// How long a cursor can be, as the text of JSON, in bytes.
pub const LONGEST_CURSOR: usize = 16 * 1024;
/// How long a note of progress can be, in characters.
pub const LONGEST_NOTE: usize = 200;
/// How many jobs one checkpoint can make.
pub const MOST_JOBS: usize = 1_000;

/// How many bits of an id tell the jobs of one checkpoint apart.
const PLACE_BITS: u32 = 10;
/// How many tell those of two checkpoints apart.
const NAME_BITS: u32 = 52;

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
    /// Whether that attempt has moved the cursor: to another one than it began with.
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

/// The id of a job that a checkpoint makes: always the same for the same job, lease, number and place, so that a
/// checkpoint that is repeated finds the jobs of the first time. In the order of the places: they are written side by
/// side, and run in that order.
#[must_use]
pub fn child_id(at: Timestamp, job: JobId, lease: LeaseId, seq: u64, place: usize) -> JobId {
    let mut digest = Context::new(&SHA256);
    digest.update(job.uuid().as_bytes());
    digest.update(lease.uuid().as_bytes());
    digest.update(&seq.to_be_bytes());
    let digest = digest.finish();
    let mut named = [0; 8];
    named.copy_from_slice(&digest.as_ref()[..8]);
    let named = u64::from_be_bytes(named) >> (u64::BITS - NAME_BITS);
    let place = u64::try_from(place).unwrap_or(u64::MAX) % (1 << PLACE_BITS);

    let mut free = [0; 10];
    free[..2].copy_from_slice(&fraction(at).to_be_bytes());
    free[2..].copy_from_slice(&(place << NAME_BITS | named).to_be_bytes());
    let millis = at.as_micros().max(0).unsigned_abs() / 1_000;
    JobId::from_uuid(Builder::from_unix_timestamp_millis(millis, &free).into_uuid())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use uuid::Uuid;

    use super::*;

    const AT: Timestamp = Timestamp::from_micros(1_700_000_000_000_000);

    fn lease(number: u128) -> LeaseId {
        LeaseId::from_uuid(Uuid::from_u128(number))
    }

    fn job(number: u128) -> JobId {
        JobId::from_uuid(Uuid::from_u128(number))
    }

    #[test]
    fn a_repeated_checkpoint_names_the_same_jobs_and_no_other_does() {
        let all = |job, lease, seq| {
            let places = 0..MOST_JOBS;
            places.map(move |place| child_id(AT, job, lease, seq, place))
        };

        let first: BTreeSet<_> = all(job(1), lease(1), 7).collect();

        assert_eq!(first.len(), MOST_JOBS);
        assert!(all(job(1), lease(1), 7).all(|id| first.contains(&id)));
        // One lease holds many jobs, and each of them counts from one.
        for (job, lease, seq) in [
            (job(2), lease(1), 7),
            (job(1), lease(2), 7),
            (job(1), lease(1), 8),
        ] {
            assert!(all(job, lease, seq).all(|id| !first.contains(&id)));
        }
    }

    #[test]
    fn the_jobs_of_a_checkpoint_stand_in_their_order_and_at_their_moment() {
        let earlier = JobId::new(Timestamp::from_micros(AT.as_micros() - 1));
        let later = JobId::new(Timestamp::from_micros(AT.as_micros() + 1));

        let ids = (0..MOST_JOBS).map(|place| child_id(AT, job(1), lease(1), 7, place));

        let ids: Vec<_> = ids.collect();
        assert!(ids.is_sorted() && earlier < ids[0] && ids[MOST_JOBS - 1] < later);
        assert_eq!(ids[0].uuid().get_version_num(), 7);
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
