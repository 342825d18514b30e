//! Where connections come in: open, shut or mute.

use std::{io, net::SocketAddr, sync::Arc, time::Duration};

use tokio::{
    io::AsyncReadExt,
    net::{TcpListener, TcpSocket, TcpStream},
    sync::oneshot,
    task::JoinSet,
};

use super::{
    faults::{How, ListenerMode},
    line,
    shared::Shared,
};

const BACKLOG: u32 = 1_024;

/// Binds the port without listening, and so holds it while it is shut: nobody else gets it,
/// and who connects is refused.
pub(super) fn reserve(addr: SocketAddr) -> io::Result<TcpSocket> {
    let socket = TcpSocket::new_v4()?;
    socket.set_reuseaddr(true)?;
    socket.set_reuseport(true)?;
    socket.bind(addr)?;
    Ok(socket)
}

/// Listens on the reserved port.
pub(super) fn open(addr: SocketAddr) -> io::Result<TcpListener> {
    reserve(addr)?.listen(BACKLOG)
}

/// Lets connections in as the faults say, until `stop` ends.
pub(super) async fn keep(
    reserved: TcpSocket,
    listener: TcpListener,
    shared: Arc<Shared>,
    mut stop: oneshot::Receiver<()>,
) {
    let mut faults = shared.faults.subscribe();
    let mut lines = JoinSet::new();
    let mut listener = Some(listener);
    loop {
        let mode = faults.borrow_and_update().listener;
        listener = match (mode, listener) {
            (ListenerMode::Refuse, _) => None,
            (_, None) => reopen(&reserved),
            (_, open) => open,
        };
        tokio::select! {
            stream = accept(listener.as_ref()) => {
                let connection = number(&shared, mode);
                match mode {
                    ListenerMode::Mute => lines.spawn(mute(stream, connection, Arc::clone(&shared))),
                    _ => lines.spawn(line::carry(stream, connection, Arc::clone(&shared))),
                };
            }
            _ = faults.changed() => {}
            _ = &mut stop => break,
        }
        while lines.try_join_next().is_some() {}
    }
    lines.shutdown().await;
}

fn reopen(reserved: &TcpSocket) -> Option<TcpListener> {
    let opened = reserved.local_addr().and_then(open);
    if let Err(error) = &opened {
        eprintln!("the proxy's port cannot be opened again, it stays shut: {error}");
    }
    opened.ok()
}

async fn accept(listener: Option<&TcpListener>) -> TcpStream {
    let Some(listener) = listener else {
        return std::future::pending().await;
    };
    loop {
        match listener.accept().await {
            Ok((stream, _)) => return stream,
            // Out of file descriptors, most likely: connections that end give some back.
            Err(_) => tokio::time::sleep(Duration::from_millis(20)).await,
        }
    }
}

fn number(shared: &Shared, mode: ListenerMode) -> u64 {
    let mut counts = shared.counts.lock();
    counts.accepted += 1;
    counts.muted += u64::from(mode == ListenerMode::Mute);
    counts.accepted
}

/// Listens to everything and says nothing.
async fn mute(mut stream: TcpStream, connection: u64, shared: Arc<Shared>) {
    let mut cut = shared.cut_all.subscribe();
    let mut ignored = vec![0; 16 * 1024];
    loop {
        tokio::select! {
            read = stream.read(&mut ignored) => {
                if matches!(read, Ok(0) | Err(_)) {
                    return;
                }
            }
            _ = cut.changed() => {
                let _ = stream.set_zero_linger();
                shared.broke(connection, How::CutAll);
                return;
            }
        }
    }
}
