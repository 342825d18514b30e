//! The target's connections: read, write down, answer.

use std::{io, sync::Arc, time::Duration};

use bytes::BytesMut;
use tokio::{
    net::{TcpListener, TcpStream},
    sync::oneshot,
    task::JoinSet,
};

use super::{
    Reply,
    http::{self, Request},
    record::Record,
};

/// Accepts until `stop` ends, and then ends every connection.
pub(super) async fn serve(
    listener: TcpListener,
    record: Arc<Record>,
    mut stop: oneshot::Receiver<()>,
) {
    let mut connections = JoinSet::new();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = &mut stop => break,
        };
        match accepted {
            Ok((stream, _)) => {
                connections.spawn(converse(stream, Arc::clone(&record)));
            }
            // Out of file descriptors, most likely: the next connections to end give some back.
            Err(_) => tokio::time::sleep(Duration::from_millis(20)).await,
        }
        while connections.try_join_next().is_some() {}
    }
    connections.shutdown().await;
}

async fn converse(mut stream: TcpStream, record: Arc<Record>) {
    // Without this an answer waits for the client's delayed acknowledgement, 40 ms on Linux.
    let _ = stream.set_nodelay(true);
    let mut buffer = BytesMut::new();
    loop {
        match http::read(&mut stream, &mut buffer).await {
            Ok(Some(request)) => {
                if answer(&mut stream, &record, request).await != Next::Request {
                    return;
                }
            }
            Ok(None) => return,
            Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                eprintln!("the target was sent what it cannot read: {error}");
                let _ = http::write(&mut stream, 400, None, false).await;
                return;
            }
            Err(_) => return,
        }
    }
}

#[derive(PartialEq, Eq)]
enum Next {
    Request,
    Goodbye,
}

async fn answer(stream: &mut TcpStream, record: &Arc<Record>, request: Request) -> Next {
    let (reply, open) = record.arrived(request.told);
    match reply {
        Reply::Status {
            code,
            after,
            retry_after,
        } => {
            if !stays(stream, after).await {
                return Next::Goodbye;
            }
            let written = http::write(stream, code, retry_after, request.keep_alive).await;
            if written.is_err() {
                return Next::Goodbye;
            }
            open.answered();
            if request.keep_alive {
                Next::Request
            } else {
                Next::Goodbye
            }
        }
        Reply::Reset => {
            // With a zero linger the close that follows is a RST instead of a FIN.
            let _ = stream.set_zero_linger();
            Next::Goodbye
        }
        Reply::Hang => {
            departure(stream).await;
            Next::Goodbye
        }
    }
}

/// Waits; `false` as soon as the client has gone.
async fn stays(stream: &TcpStream, wait: Duration) -> bool {
    if wait.is_zero() {
        return true;
    }
    tokio::select! {
        () = tokio::time::sleep(wait) => true,
        () = departure(stream) => false,
    }
}

/// Waits until the client has gone; its next request, sent early, does not count as leaving.
async fn departure(stream: &TcpStream) {
    let mut byte = [0];
    if let Ok(1) = stream.peek(&mut byte).await {
        std::future::pending::<()>().await;
    }
}
