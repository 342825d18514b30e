//! As much of HTTP/1.1 as a target needs: whole requests in, short answers out.

use std::io;

use bytes::{Buf, BytesMut};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use super::record::RequestInfo;

/// Heads and bodies beyond these are not what Baton sends.
const LONGEST_HEAD: usize = 32 * 1024;
const LONGEST_BODY: usize = 16 * 1024 * 1024;
const MOST_HEADERS: usize = 64;

/// A request that was read whole.
pub(super) struct Request {
    pub(super) told: RequestInfo,
    pub(super) keep_alive: bool,
}

struct Head {
    told: RequestInfo,
    keep_alive: bool,
    length: usize,
    body: usize,
}

/// Reads the next request; `None` when the client has left between two.
pub(super) async fn read(
    stream: &mut TcpStream,
    buffer: &mut BytesMut,
) -> io::Result<Option<Request>> {
    let head = loop {
        if let Some(head) = parse(buffer)? {
            break head;
        }
        if buffer.len() > LONGEST_HEAD {
            return Err(bad("the head of the request is too long"));
        }
        if more(stream, buffer).await? == 0 {
            return if buffer.is_empty() {
                Ok(None)
            } else {
                Err(io::ErrorKind::UnexpectedEof.into())
            };
        }
    };
    buffer.advance(head.length);
    while buffer.len() < head.body {
        if more(stream, buffer).await? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
    }
    buffer.advance(head.body);
    Ok(Some(Request {
        told: head.told,
        keep_alive: head.keep_alive,
    }))
}

async fn more(stream: &mut TcpStream, buffer: &mut BytesMut) -> io::Result<usize> {
    buffer.reserve(4 * 1024);
    stream.read_buf(buffer).await
}

fn parse(buffer: &[u8]) -> io::Result<Option<Head>> {
    let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
    let mut request = httparse::Request::new(&mut headers);
    let length = match request.parse(buffer) {
        Ok(httparse::Status::Complete(length)) => length,
        Ok(httparse::Status::Partial) => return Ok(None),
        Err(error) => return Err(bad(&error.to_string())),
    };
    let mut head = Head {
        told: RequestInfo {
            path: request.path.unwrap_or_default().to_owned(),
            ..RequestInfo::default()
        },
        keep_alive: request.version == Some(1),
        length,
        body: 0,
    };
    for header in request.headers.iter() {
        note(&mut head, header)?;
    }
    Ok(Some(head))
}

fn note(head: &mut Head, header: &httparse::Header<'_>) -> io::Result<()> {
    let value = String::from_utf8_lossy(header.value).into_owned();
    match header.name.to_ascii_lowercase().as_str() {
        "idempotency-key" => head.told.key = value,
        "baton-job-id" => head.told.job_id = value,
        "baton-attempt" => head.told.attempt = value.trim().parse().unwrap_or(0),
        "connection" => head.keep_alive = !value.eq_ignore_ascii_case("close"),
        "transfer-encoding" => {
            return Err(bad(
                "the target reads bodies with a Content-Length only, this one is chunked",
            ));
        }
        "content-length" => {
            head.body = value
                .trim()
                .parse()
                .ok()
                .filter(|length| *length <= LONGEST_BODY)
                .ok_or_else(|| bad("the Content-Length is no number or above 16 MiB"))?;
        }
        _ => {}
    }
    Ok(())
}

/// Writes an answer whole.
pub(super) async fn write(
    stream: &mut TcpStream,
    status: u16,
    retry_after: Option<u32>,
    keep_alive: bool,
) -> io::Result<()> {
    // A 204 or 304 has no body, and a body of its own would be taken for the next answer.
    let body = match status {
        204 | 304 => String::new(),
        _ => format!("{{\"status\":{status}}}"),
    };
    let mut text = format!("HTTP/1.1 {status} {}\r\n", phrase(status));
    if let Some(seconds) = retry_after {
        text.push_str(&format!("Retry-After: {seconds}\r\n"));
    }
    if !keep_alive {
        text.push_str("Connection: close\r\n");
    }
    if !body.is_empty() {
        text.push_str(&format!(
            "Content-Type: application/json\r\nContent-Length: {}\r\n",
            body.len()
        ));
    }
    text.push_str("\r\n");
    text.push_str(&body);
    stream.write_all(text.as_bytes()).await
}

fn phrase(status: u16) -> &'static str {
    match status / 100 {
        2 => "As Asked",
        3 => "Elsewhere",
        4 => "Refused",
        _ => "Failed",
    }
}

fn bad(why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, why.to_owned())
}
