//! An application: its jobs, the server they go to, and the workers that run them.

use std::{env, fmt, fs, sync::Arc};

use baton_client::{Client, EnqueueJob, Error as ClientError, KeyToken, ProblemKind};
use serde_json::Value;

use crate::{Enqueuing, Error, Handle, Job, Middleware, NewJob, Worker};

/// How long a call is repeated that can be repeated safely.
const RETRY_FOR: std::time::Duration = std::time::Duration::from_secs(10);
/// Where a server is that was started without saying where.
const DEFAULT: &str = "http://127.0.0.1:7878";

/// An application: its jobs, the server they go to, and the workers that run them. Cheap to clone.
#[derive(Clone)]
pub struct App {
    servers: Arc<[Client]>,
    layers: Arc<[Arc<dyn Middleware>]>,
}

impl App {
    /// Of the server at this address; several with commas between are nodes of one installation, tried in turn.
    pub fn new(addresses: &str) -> Result<Self, Error> {
        let clients = addresses.split(',').map(|one| Client::new(one.trim()));
        let clients: Result<Vec<_>, _> = clients.collect();
        Self::over(clients?)
    }

    /// Of the server that the environment names: `BATON_URL` (or port 7878 of this machine), `BATON_KEY` or
    /// `BATON_KEY_FILE` if it asks for a key, `BATON_CA` if an authority of your own vouches for it.
    pub fn from_env() -> Result<Self, Error> {
        let addresses = variable("BATON_URL").unwrap_or_else(|| DEFAULT.to_owned());
        let authorities = variable("BATON_CA").map(|file| read("BATON_CA", &file));
        let authorities = authorities.transpose()?;
        let key = key_of_environment()?;
        let clients = addresses.split(',').map(|one| {
            let client = match &authorities {
                Some(text) => Client::trusting(one.trim(), text)?,
                None => Client::new(one.trim())?,
            };
            Ok(match &key {
                Some(key) => client.with_key(key),
                None => client,
            })
        });
        let clients: Result<Vec<_>, Error> = clients.collect();
        Self::over(clients?)
    }

    /// Of the servers of these clients: nodes of one installation.
    pub fn over(clients: Vec<Client>) -> Result<Self, Error> {
        if clients.is_empty() {
            return Err(no_server().into());
        }
        Ok(Self {
            servers: clients.into(),
            layers: Arc::default(),
        })
    }

    /// The same application, which shows this API key.
    #[must_use]
    pub fn with_key(self, key: &KeyToken) -> Self {
        let servers = self.servers.iter();
        let servers = servers.map(|client| client.clone().with_key(key));
        Self {
            servers: servers.collect(),
            ..self
        }
    }

    /// The same application with middleware around each enqueue, and around each attempt of its workers; the first one is the outermost.
    /// Jobs that were defined before go without.
    #[must_use]
    pub fn layer(self, layer: impl Middleware) -> Self {
        let layers = self.layers.iter().cloned();
        Self {
            layers: layers.chain([Arc::new(layer) as _]).collect(),
            ..self
        }
    }

    /// All calls of the API; of the first server, if there are several.
    #[must_use]
    pub fn client(&self) -> Client {
        self.servers[0].clone().retrying_for(RETRY_FOR)
    }

    /// A job of this kind, whose payload is an `A`.
    #[must_use]
    pub fn job<A>(&self, kind: &str) -> Job<A> {
        Job::new(self.clone(), kind)
    }

    /// Accepts up to 10,000 jobs in one transaction: all or none.
    pub async fn enqueue_many<A, R>(
        &self,
        jobs: impl IntoIterator<Item = NewJob<A, R>> + Send,
    ) -> Result<Vec<Handle<Value>>, Error> {
        let bodies: Result<Vec<EnqueueJob>, Error> =
            jobs.into_iter().map(NewJob::into_body).collect();
        let enqueued = Enqueuing::many(self, bodies?).run().await?;
        let made = enqueued.jobs().iter();
        Ok(made
            .map(|made| Handle::new(self.clone(), made.id, made.created))
            .collect())
    }

    /// A worker of this application's jobs.
    #[must_use]
    pub fn worker(&self) -> Worker {
        Worker::new(self)
    }

    pub(crate) fn layers(&self) -> &[Arc<dyn Middleware>] {
        &self.layers
    }

    pub(crate) fn servers(&self) -> Vec<Client> {
        self.servers.to_vec()
    }

    /// Asks one server after the other, while each has done nothing; the last one with retries.
    pub(crate) async fn in_turn<T, F>(
        &self,
        call: impl Fn(Client) -> F + Send,
    ) -> Result<T, ClientError>
    where
        F: Future<Output = Result<T, ClientError>> + Send,
    {
        let Some((last, others)) = self.servers.split_last() else {
            return Err(no_server());
        };
        for client in others {
            match call(client.clone()).await {
                Err(error) if has_done_nothing(&error) => {}
                answer => return answer,
            }
        }
        call(last.clone().retrying_for(RETRY_FOR)).await
    }
}

impl fmt::Debug for App {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("App")
            .field("servers", &self.servers)
            .finish_non_exhaustive()
    }
}

/// Whether the call can be made of another server: this one was not reached, or cannot take it now.
fn has_done_nothing(error: &ClientError) -> bool {
    let away = [
        ProblemKind::Unavailable,
        ProblemKind::Draining,
        ProblemKind::NotReady,
        ProblemKind::Overloaded,
    ];
    match error {
        ClientError::Unreachable { unsent, .. } => *unsent,
        ClientError::Problem(problem) => problem
            .known_kind()
            .is_some_and(|kind| away.contains(&kind)),
        _ => false,
    }
}

fn no_server() -> ClientError {
    ClientError::BadAddress {
        address: String::new(),
        why: "an application needs one server at least".to_owned(),
    }
}

fn key_of_environment() -> Result<Option<KeyToken>, Error> {
    let (name, text) = match (variable("BATON_KEY_FILE"), variable("BATON_KEY")) {
        (Some(file), _) => ("BATON_KEY_FILE", read("BATON_KEY_FILE", &file)?),
        (None, Some(text)) => ("BATON_KEY", text),
        (None, None) => return Ok(None),
    };
    let key = KeyToken::read(text.trim());
    let key = key.map_err(|why| Error::Environment(format!("{name} holds no API key: {why}")))?;
    Ok(Some(key))
}

fn variable(name: &str) -> Option<String> {
    env::var(name).ok().filter(|text| !text.is_empty())
}

fn read(name: &str, file: &str) -> Result<String, Error> {
    fs::read_to_string(file).map_err(|why| {
        Error::Environment(format!("{name} names {file}, which cannot be read: {why}"))
    })
}

#[cfg(test)]
mod tests {
    use baton_client::Problem;

    use super::*;

    /// What an application of two servers is told whose first one answers like this.
    async fn told(first: ProblemKind) -> Result<u16, ProblemKind> {
        let app = App::new("http://127.0.0.1:1, http://127.0.0.1:2").unwrap();
        let asked = app.in_turn(|client| async move {
            if client.address().ends_with(":1") {
                return Err(ClientError::Problem(Box::new(Problem::new(first, "here"))));
            }
            Ok(2)
        });
        asked.await.map_err(|_| first)
    }

    #[tokio::test]
    async fn a_server_that_can_take_nothing_now_leaves_the_call_to_the_next() {
        for away in [
            ProblemKind::Draining,
            ProblemKind::NotReady,
            ProblemKind::Overloaded,
            ProblemKind::Unavailable,
        ] {
            assert_eq!(told(away).await, Ok(2));
        }
    }

    #[tokio::test]
    async fn an_answer_that_may_mean_it_was_done_is_the_answer() {
        for answer in [ProblemKind::Unconfirmed, ProblemKind::JobNotFound] {
            assert_eq!(told(answer).await, Err(answer));
        }
    }
}
