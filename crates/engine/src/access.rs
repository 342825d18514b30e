//! Access: who callers are, and the use cases about keys, users and sessions.

mod authenticator;
mod keys;
mod own;
mod passwords;
mod pending_sign_in;
mod provider;
mod sessions;
mod throttle;
mod users;

pub use authenticator::{Authenticated, Credential};
pub use keys::{KeySpec, RotatedKey};
pub use provider::{NotLetIn, SignInCallback, SignInRedirect};
pub use sessions::{SignIn, SignInRefused, SignedIn};

pub(crate) use authenticator::Authenticator;
