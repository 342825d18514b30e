//! The Redis of a run: one of its own, or one that was given, which is wiped and not killed.

use std::net::{Ipv4Addr, SocketAddr};

use baton_lab::servers::{self, Reply};
use parking_lot::Mutex;
use tokio::task::block_in_place;

use crate::Failure;

use super::{address::Address, stage::cannot};

/// The Redis of a run.
#[derive(Debug)]
pub enum Redis {
    /// It may be killed, frozen and set otherwise.
    Own(Mutex<servers::Redis>),
    /// What it holds is all that may be hurt.
    Given(Address),
}

impl Redis {
    pub fn start() -> Result<Self, Failure> {
        let own = block_in_place(|| servers::Redis::start(&[])).map_err(cannot)?;
        Ok(Self::Own(Mutex::new(own)))
    }

    pub fn addr(&self) -> SocketAddr {
        match self {
            Self::Own(own) => SocketAddr::from((Ipv4Addr::LOCALHOST, own.lock().port())),
            Self::Given(address) => address.addr,
        }
    }

    /// Its URL behind a proxy.
    pub fn behind(&self, proxy: SocketAddr) -> String {
        match self {
            Self::Own(_) => format!("redis://{proxy}"),
            Self::Given(address) => address.behind(proxy),
        }
    }

    /// Asks it one thing, on a connection of its own.
    pub fn ask(&self, words: &[&str]) -> Result<Reply, Failure> {
        let answer = block_in_place(|| match self {
            Self::Own(own) => own.lock().command(words),
            Self::Given(address) => servers::ask_redis(address.addr, &sentences(address, words)),
        });
        answer.map_err(cannot)
    }
}

/// Who asks, in which of its databases, and what.
fn sentences<'a>(address: &'a Address, words: &[&'a str]) -> Vec<Vec<&'a str>> {
    let login = address.login().map(|login| match login {
        ("", password) => vec!["AUTH", password],
        (user, password) => vec!["AUTH", user, password],
    });
    let name = Some(address.name()).filter(|name| !name.is_empty());
    let select = name.map(|number| vec!["SELECT", number]);
    login
        .into_iter()
        .chain(select)
        .chain([words.to_vec()])
        .collect()
}
