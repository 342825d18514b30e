//! Whether the port is free, and what a server that has it has noticed.

use std::{io, net::TcpListener, os::unix::net::UnixStream, time::Duration};

use baton_client::Client;
use tokio::time::timeout;

use super::{Finding, Mark};
use crate::config::{Config, Listen};

/// How long whoever has the port may take to answer.
const TIMEOUT: Duration = Duration::from_secs(2);
/// What a server counts the steps of the database's clock under.
const STEPS: &str = "baton_clock_steps_total";

pub async fn port(config: &Config) -> Vec<Finding> {
    let address = &config.server.listen;
    let Err(error) = free(address) else {
        let message = format!("{address} is free");
        return vec![Finding::new(Mark::Good, "port", message)];
    };
    if let Ok(client) = Client::new(&address.url(false))
        && let Ok(Ok(alive)) = timeout(TIMEOUT, client.alive()).await
    {
        let message = format!("a Baton {} already serves on {address}", alive.version);
        let mut findings = vec![Finding::new(Mark::Odd, "port", message)];
        findings.extend(clock_steps(&client, address).await);
        return findings;
    }
    let message =
        format!("{address} cannot be listened on: {error}. Choose another address with --listen");
    vec![Finding::new(Mark::Bad, "port", message)]
}

/// Whether nobody listens there, and this user could.
fn free(address: &Listen) -> io::Result<()> {
    match address {
        Listen::Tcp(address) => TcpListener::bind(address).map(drop),
        Listen::Unix(path) => match UnixStream::connect(path) {
            Ok(_) => Err(io::ErrorKind::AddrInUse.into()),
            Err(_) => Ok(()),
        },
    }
}

/// How often the database's clock was put forward or back while that server ran.
async fn clock_steps(client: &Client, address: &Listen) -> Option<Finding> {
    let metrics = timeout(TIMEOUT, client.metrics()).await.ok()?.ok()?;
    let steps = sum(&metrics, STEPS);
    let (mark, count) = match steps {
        0 => (Mark::Good, "no step".to_owned()),
        1 => (Mark::Odd, "1 step".to_owned()),
        steps => (Mark::Odd, format!("{steps} steps")),
    };
    let message = format!(
        "the server on {address} has noticed {count} of the database's clock since it started ({STEPS})"
    );
    Some(Finding::new(mark, "clock steps", message))
}

/// What a counter has come to, whatever its labels.
fn sum(metrics: &str, counter: &str) -> u64 {
    let samples = metrics.lines().filter_map(|line| {
        let rest = line.strip_prefix(counter)?;
        let is_it = rest.starts_with([' ', '{']);
        let value = rest.rsplit(' ').next()?;
        is_it.then(|| value.parse::<u64>().ok()).flatten()
    });
    samples.sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_counter_is_summed_over_its_labels_and_no_other_is_taken_for_it() {
        let metrics =
            "# TYPE a_total counter\na_total{d=\"x y\"} 2\na_total{d=\"z\"} 3\na_total_of_all 9\n";

        assert_eq!(sum(metrics, "a_total"), 5);
        assert_eq!(sum("a_total 4\n", "a_total"), 4);
        assert_eq!(sum("", "a_total"), 0);
    }
}
