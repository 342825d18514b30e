//! Holds what we make of the bytes of a target against what hyper makes of them. The target in `fuzz` does the same.

use baton_providers::reading::{Script, read};
use bytes::Bytes;
use http_body_util::{BodyExt, Empty};
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;

/// What hyper makes of them: the status and the whole body, or nothing.
async fn read_by_hyper(bytes: Vec<u8>) -> Option<(u16, Vec<u8>)> {
    let io = TokioIo::new(Script::of(bytes));
    let (mut sender, connection) = http1::handshake::<_, Empty<Bytes>>(io).await.ok()?;
    let request = http::Request::get("/").body(Empty::new()).ok()?;
    let answer = async {
        let answer = sender.send_request(request).await.ok()?;
        let status = answer.status().as_u16();
        let body = answer.into_body().collect().await.ok()?;
        Some((status, body.to_bytes().to_vec()))
    };
    let (answer, _) = tokio::join!(answer, connection);
    answer
}

async fn compare(bytes: &[u8]) -> Result<bool, String> {
    let ours = read(bytes.to_vec()).await;
    let theirs = read_by_hyper(bytes.to_vec()).await;
    let told = || {
        format!(
            "we read {ours:?}, hyper {theirs:?}, of {:?}",
            String::from_utf8_lossy(bytes)
        )
    };
    match (&ours, &theirs) {
        (Some(ours), None) if ours.is_kept => Err(told()),
        (Some(ours), Some((status, _))) if ours.status != *status => Err(told()),
        (Some(ours), Some((_, body))) if ours.is_whole && ours.body != *body => Err(told()),
        _ => Ok(ours.is_some_and(|ours| ours.is_kept)),
    }
}

/// Whether we keep the connection; or what we read otherwise than hyper.
pub fn run(bytes: &[u8]) -> Result<bool, String> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    runtime.block_on(compare(bytes))
}
