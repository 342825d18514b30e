//! Passwords: hashed by Argon2id, a few at a time, on threads that may be busy for long.

use std::{
    sync::{Arc, LazyLock},
    time::Duration,
};

use argon2::{
    Argon2,
    password_hash::{PasswordHasher, PasswordVerifier, phc::PasswordHash},
};
use tokio::{sync::Semaphore, task::spawn_blocking, time::timeout};

/// How many are hashed at once: each takes 19 MiB and some tens of milliseconds of a core.
const AT_ONCE: usize = 2;
/// How long one waits for others to be done with.
const TIMEOUT: Duration = Duration::from_secs(3);

/// The hash of a password that nobody has: an unknown name takes as long as a known one.
static NOBODYS: LazyLock<String> = LazyLock::new(|| hash_now("nobody has this password"));

/// Hashes and compares passwords.
#[derive(Clone)]
pub struct Passwords(Arc<Semaphore>);

/// More passwords are waiting than can be looked at.
#[derive(Debug)]
pub struct Busy;

impl Passwords {
    pub fn new() -> Self {
        Self(Arc::new(Semaphore::new(AT_ONCE)))
    }

    /// The hash of a new password, in the format of PHC.
    pub async fn hash(&self, password: String) -> Result<String, Busy> {
        self.run(move || hash_now(&password)).await
    }

    /// Whether it is the password of this hash. Without a hash it takes as long, and is wrong.
    pub async fn is_right(&self, password: String, hash: Option<String>) -> Result<bool, Busy> {
        self.run(move || {
            let nobodys = &*NOBODYS;
            let known = hash.as_ref().unwrap_or(nobodys);
            let is_right = PasswordHash::new(known).is_ok_and(|known| {
                let given = password.as_bytes();
                Argon2::default().verify_password(given, &known).is_ok()
            });
            is_right && hash.is_some()
        })
        .await
    }

    /// Works at it; whoever hangs up meanwhile makes no room for others before it is done.
    async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Busy> {
        let permit = timeout(TIMEOUT, Arc::clone(&self.0).acquire_owned()).await;
        let Ok(Ok(permit)) = permit else {
            return Err(Busy);
        };
        let done = spawn_blocking(move || {
            let _one_of_few = permit;
            work()
        });
        Ok(done
            .await
            .unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic())))
    }
}

/// # Panics
/// When the system has no randomness to give: no password may be kept then.
fn hash_now(password: &str) -> String {
    let hash = Argon2::default().hash_password(password.as_bytes());
    hash.expect("a salt from the system's randomness")
        .to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_password_is_right_for_its_own_hash_alone() {
        let passwords = Passwords::new();
        let hash = passwords
            .hash("correct horse battery".into())
            .await
            .unwrap();

        let right = passwords.is_right("correct horse battery".into(), Some(hash.clone()));
        assert!(right.await.unwrap());
        let wrong = passwords.is_right("correct horse".into(), Some(hash.clone()));
        assert!(!wrong.await.unwrap());
        assert!(hash.starts_with("$argon2id$"), "{hash}");
    }

    #[tokio::test]
    async fn nobody_has_the_password_of_nobody() {
        let passwords = Passwords::new();

        let right = passwords.is_right("nobody has this password".into(), None);

        assert!(!right.await.unwrap());
    }

    #[tokio::test]
    async fn whoever_hangs_up_makes_no_room_for_others_before_it_is_done() {
        let passwords = Passwords::new();
        let (finish, finished) = std::sync::mpsc::channel::<()>();
        let mut waiting = Box::pin(passwords.run(move || finished.recv()));
        assert!(futures::poll!(&mut waiting).is_pending());

        drop(waiting);
        let while_it_works = passwords.0.available_permits();
        drop(finish);
        let all = passwords.0.acquire_many(AT_ONCE as u32).await;

        assert_eq!(while_it_works, AT_ONCE - 1);
        assert!(all.is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn whoever_would_wait_too_long_is_told_so() {
        let passwords = Passwords::new();
        let _all = passwords.0.acquire_many(AT_ONCE as u32).await.unwrap();

        let told = passwords.hash("correct horse battery".into()).await;

        assert!(told.is_err());
    }
}
