//! The service that a remote worker with `--http` posts its jobs to. It is the user's: it outlives every worker that is killed or frozen.

use baton_lab::{
    checker::{Did, Sight},
    target::{self, Arrival, Target},
};

use crate::Failure;

/// What the service is asked for: an answer after two milliseconds, as long as the work of an item takes elsewhere.
const WORK: &str = "/slow/2?worker=";

/// A service beside a worker.
pub struct Service(Target);

impl Service {
    pub async fn start() -> Result<Self, Failure> {
        let target = Target::start(target::Options::default()).await;
        let target = target
            .map_err(|error| Failure::new(format!("a service cannot be started: {error}")))?;
        Ok(Self(target))
    }

    /// Where a worker of this name posts its jobs.
    pub fn url(&self, worker: &str) -> String {
        self.0.url(&format!("{WORK}{worker}"))
    }

    /// What it saw of its jobs.
    pub fn sights(&self) -> impl Iterator<Item = Sight> {
        self.0.arrivals().into_iter().map(sight)
    }
}

fn sight(arrival: Arrival) -> Sight {
    let worker = arrival.path.strip_prefix(WORK).unwrap_or_default();
    Sight {
        at_us: arrival.at_us,
        worker: worker.to_owned(),
        job: arrival.job_id,
        attempt: arrival.attempt,
        did: Did::Began(0),
    }
}

#[cfg(test)]
mod tests {
    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt},
        net::TcpStream,
    };

    use super::*;

    #[tokio::test]
    async fn a_service_saw_each_job_begin_at_the_worker_that_posted_it() {
        let service = Service::start().await.unwrap();
        let url = service.url("remote-http-1.2");
        let path = url.strip_prefix(&service.0.url("")).unwrap();

        let mut socket = TcpStream::connect(service.0.addr()).await.unwrap();
        let headers = "Baton-Job-Id: job_7\r\nBaton-Attempt: 3\r\nConnection: close";
        let request = format!("POST {path} HTTP/1.1\r\n{headers}\r\n\r\n");
        socket.write_all(request.as_bytes()).await.unwrap();
        let mut answer = String::new();
        socket.read_to_string(&mut answer).await.unwrap();

        assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
        let seen: Vec<_> = service
            .sights()
            .map(|sight| (sight.worker, sight.job, sight.attempt, sight.did))
            .collect();
        let began = ("remote-http-1.2".into(), "job_7".into(), 3, Did::Began(0));
        assert_eq!(seen, [began]);
    }
}
