//! One connection through the proxy: two streams, carried until something breaks.

use std::{io, sync::Arc};

use bytes::BytesMut;
use parking_lot::Mutex;
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt},
    net::{TcpStream, UnixStream},
};

use super::{
    Protocol, Upstream,
    faults::How,
    mysql, postgres, redis,
    shared::{Direction, Shared},
};

/// How much is read at once.
const PIECE: usize = 32 * 1024;

/// Why a line ended before both sides had said all they had to say.
enum Break {
    Cut(How),
    Failed,
}

impl From<io::Error> for Break {
    fn from(_: io::Error) -> Self {
        Self::Failed
    }
}

/// What is followed of a line whose protocol we know.
enum Session {
    Postgres(postgres::Session),
    Mysql(mysql::Session),
    Redis(redis::Session),
}

/// Carries one connection to its end.
pub(super) async fn carry(mut client: TcpStream, connection: u64, shared: Arc<Shared>) {
    let _ = client.set_nodelay(true);
    let upstream = shared.upstream.lock().clone();
    let ended = match upstream {
        Upstream::Tcp(addr) => match TcpStream::connect(addr).await {
            Ok(mut server) => {
                let _ = server.set_nodelay(true);
                let ended = pass(&mut client, &mut server, &shared).await;
                if ended.is_err() {
                    let _ = server.set_zero_linger();
                }
                ended
            }
            Err(_) => unreachable(&shared),
        },
        Upstream::Unix(path) => match UnixStream::connect(path).await {
            Ok(mut server) => pass(&mut client, &mut server, &shared).await,
            Err(_) => unreachable(&shared),
        },
    };
    let Err(broken) = ended else { return };
    // With a zero linger the close that follows is a RST instead of a FIN.
    let _ = client.set_zero_linger();
    if let Break::Cut(how) = broken {
        shared.broke(connection, how);
    }
}

fn unreachable(shared: &Shared) -> Result<(), Break> {
    shared.counts.lock().unreachable += 1;
    Err(Break::Failed)
}

async fn pass<S>(client: &mut TcpStream, server: &mut S, shared: &Shared) -> Result<(), Break>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    let mut cut = shared.cut_all.subscribe();
    let session = match shared.protocol {
        Protocol::Bytes => None,
        Protocol::Postgres => Some(Session::Postgres(postgres::Session::default())),
        Protocol::Mysql => Some(Session::Mysql(mysql::Session::default())),
        Protocol::Redis => Some(Session::Redis(redis::Session::default())),
    };
    let session = session.map(Mutex::new);
    let (from_client, to_client) = client.split();
    let (from_server, to_server) = tokio::io::split(server);
    let there = Pump {
        direction: Direction::ToServer,
        session: session.as_ref(),
        shared,
    };
    let back = Pump {
        direction: Direction::ToClient,
        ..there
    };
    tokio::select! {
        ended = async {
            tokio::try_join!(
                there.run(from_client, to_server),
                back.run(from_server, to_client),
            )
        } => ended.map(|_| ()),
        _ = cut.changed() => Err(Break::Cut(How::CutAll)),
    }
}

/// One direction of a line.
#[derive(Clone, Copy)]
struct Pump<'a> {
    direction: Direction,
    session: Option<&'a Mutex<Session>>,
    shared: &'a Shared,
}

impl Pump<'_> {
    async fn run(
        self,
        mut from: impl AsyncRead + Unpin,
        mut to: impl AsyncWrite + Unpin,
    ) -> Result<(), Break> {
        let mut buffer = BytesMut::new();
        let mut passed = 0;
        loop {
            buffer.reserve(PIECE);
            if from.read_buf(&mut buffer).await? == 0 {
                break;
            }
            let (pieces, cut) = self.look(&mut buffer);
            if !pieces.is_empty() {
                passed = self.hand_on(&pieces, passed, &mut to).await?;
            }
            if let Some(how) = cut {
                if how == How::BehindMessage {
                    self.shared.cut_all();
                }
                return Err(Break::Cut(how));
            }
        }
        to.write_all(&buffer).await?;
        to.shutdown().await?;
        Ok(())
    }

    /// Takes what may go on, and says whether the line is to be cut behind it.
    fn look(self, buffer: &mut BytesMut) -> (BytesMut, Option<How>) {
        let Some(session) = self.session else {
            return (buffer.split(), None);
        };
        match (&mut *session.lock(), self.direction) {
            (Session::Postgres(said), Direction::ToServer) => said.hear_client(buffer, self.shared),
            (Session::Postgres(said), Direction::ToClient) => said.hear_server(buffer, self.shared),
            (Session::Mysql(said), Direction::ToServer) => said.hear_client(buffer, self.shared),
            (Session::Mysql(said), Direction::ToClient) => said.hear_server(buffer, self.shared),
            (Session::Redis(said), Direction::ToServer) => said.hear_client(buffer),
            (Session::Redis(said), Direction::ToClient) => said.hear_server(buffer, self.shared),
        }
    }

    async fn hand_on(
        self,
        pieces: &[u8],
        passed: u64,
        to: &mut (impl AsyncWrite + Unpin),
    ) -> Result<u64, Break> {
        self.shared.while_silent(self.direction).await;
        let way = self.shared.way(self.direction);
        let delay = self.shared.delay(way);
        if !delay.is_zero() {
            tokio::time::sleep(delay).await;
        }
        let allowed = way.cut_after.map_or(u64::MAX, |n| n.saturating_sub(passed));
        let length = pieces
            .len()
            .min(usize::try_from(allowed).unwrap_or(usize::MAX));
        to.write_all(&pieces[..length]).await?;
        self.shared.passed(self.direction, length);
        if length < pieces.len() {
            return Err(Break::Cut(How::CutAfterBytes));
        }
        Ok(passed + length as u64)
    }
}
