//! The files of the pages, inside the binary. An address carries the content's hash, so that a
//! browser keeps a file for ever and still sees a new one at once.

use axum::{
    extract::{Path, RawQuery},
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};

struct Asset {
    name: &'static str,
    media_type: &'static str,
    content: &'static str,
    hash: u64,
}

const ASSETS: [Asset; 4] = [
    asset(
        "console.css",
        "text/css; charset=utf-8",
        include_str!("../assets/console.css"),
    ),
    asset(
        "console.js",
        "text/javascript; charset=utf-8",
        include_str!("../assets/console.js"),
    ),
    asset(
        "palette.js",
        "text/javascript; charset=utf-8",
        include_str!("../assets/palette.js"),
    ),
    asset(
        "icon.svg",
        "image/svg+xml",
        include_str!("../assets/icon.svg"),
    ),
];

const fn asset(name: &'static str, media_type: &'static str, content: &'static str) -> Asset {
    Asset {
        name,
        media_type,
        content,
        hash: fnv1a(content.as_bytes()),
    }
}

/// FNV-1a: it tells versions of our own files apart, it guards nothing.
const fn fnv1a(bytes: &[u8]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325;
    let mut i = 0;
    while i < bytes.len() {
        hash = (hash ^ bytes[i] as u64).wrapping_mul(0x0100_0000_01b3);
        i += 1;
    }
    hash
}

/// The address of a file, below the mount.
pub fn address(name: &str) -> String {
    match ASSETS.iter().find(|asset| asset.name == name) {
        Some(asset) => format!("/assets/{name}?v={:016x}", asset.hash),
        None => format!("/assets/{name}"),
    }
}

/// Serves a file.
pub async fn serve(
    Path(name): Path<String>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    let Some(asset) = ASSETS.iter().find(|asset| asset.name == name) else {
        return (StatusCode::NOT_FOUND, "The console has no such file.\n").into_response();
    };
    let tag = format!("\"{:016x}\"", asset.hash);
    let is_exact = query.is_some_and(|query| query == format!("v={:016x}", asset.hash));
    let keep = if is_exact {
        "public, max-age=31536000, immutable"
    } else {
        "no-cache"
    };
    let is_known = headers
        .get(header::IF_NONE_MATCH)
        .and_then(|tags| tags.to_str().ok())
        .is_some_and(|tags| tags.contains(&tag));
    let shared = [
        (header::ETAG, tag),
        (header::CACHE_CONTROL, keep.to_owned()),
    ];
    if is_known {
        return (StatusCode::NOT_MODIFIED, shared).into_response();
    }
    let content_type = [(header::CONTENT_TYPE, asset.media_type)];
    (shared, content_type, asset.content).into_response()
}
