//! The same bytes, read by us and by hyper: we may give a connection up sooner, and never later.

mod compare;

use std::cell::Cell;

use proptest::{prelude::*, test_runner::TestRunner};

use self::compare::run;

/// How many answers are put together.
const CASES: u32 = 5_000;

/// What has been read differently somewhere, once.
const CORPUS: [&[u8]; 22] = [
    b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
    b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok and more",
    b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n2\r\nok\r\n0\r\n\r\n",
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: \xffchunked\r\nContent-Length: 2\r\n\r\nok",
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\xc2\xa0\r\n\r\n2\r\nok\r\n0\r\n\r\n",
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: gzip\r\n\r\n0\r\n\r\n",
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding : chunked\r\nContent-Length: 0\r\n\r\n",
    b"HTTP/1.1 200 OK\r\nContent-Length: 2, 2\r\nContent-Length: 2\r\n\r\nok",
    b"HTTP/1.1 200 OK\r\nContent-Length: +2\r\n\r\nok",
    b"HTTP/1.1 200 OK\r\nContent-Length: 0x2\r\n\r\nok",
    b"HTTP/1.1 200 OK\r\nContent-Length: 18446744073709551615\r\n\r\nok",
    b"HTTP/1.1 204 No\r\nContent-Length: 5\r\n\r\n",
    b"HTTP/1.1 304 No\r\nTransfer-Encoding: chunked\r\n\r\n",
    b"HTTP/1.1 100 Go\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
    b"HTTP/1.1 101 Switch\r\nContent-Length: 0\r\n\r\n",
    b"HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 0\r\n\r\n",
    b"HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;a=\"\n\"\r\nok\r\n0\r\n\r\n",
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n00000000000000002\r\nok\r\n0\r\n\r\n",
    b"HTTP/1.1 200 OK\nContent-Length: 2\n\nok",
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nContent-Length: 9\r\n\r\n",
];

#[test]
fn what_was_read_in_two_ways_elsewhere_keeps_no_connection_here() {
    for bytes in CORPUS {
        run(bytes).unwrap();
    }
}

/// What answers are put together of.
const PIECES: [&[u8]; 40] = [
    b"HTTP/1.1 200 OK\r\n",
    b"HTTP/1.0 200 OK\r\n",
    b"HTTP/1.1 204 \r\n",
    b"HTTP/1.1 100 Continue\r\n\r\n",
    b"HTTP/1.1 103 Hints\r\nContent-Length: 3\r\n\r\n",
    b"HTTP/1.1 500\r\n",
    b"Content-Length: 0\r\n",
    b"Content-Length: 2\r\n",
    b"Content-Length: 2, 2\r\n",
    b"content-length:  2 \r\n",
    b"Content-Length: \t2\r\n",
    b"Content-Length: 02\r\n",
    b"Content-Length: 2\xff\r\n",
    b"Content-Length: ,2\r\n",
    b"Transfer-Encoding: chunked\r\n",
    b"Transfer-Encoding: CHUNKED \r\n",
    b"Transfer-Encoding: gzip, chunked\r\n",
    b"Transfer-Encoding: chunked, \r\n",
    b"Transfer-Encoding: chunked, chunked\r\n",
    b"Transfer-Encoding:\x0bchunked\r\n",
    b"Transfer-Encoding: xchunked\r\n",
    b"Transfer-Encoding: chunked;q=1\r\n",
    b"Connection: close\r\n",
    b"Connection: keep-alive, close\r\n",
    b"Connection: close\xff\r\n",
    b"X: y\r\n",
    b" folded\r\n",
    b"\r\n",
    b"\n",
    b"ok",
    b"2\r\nok\r\n",
    b"2 \r\nok\r\n",
    b"2;x=y\r\nok\r\n",
    b"2;x=\"\r\nok\r\n",
    b"+2\r\nok\r\n",
    b"0x2\r\nok\r\n",
    b"2\nok\n",
    b"0\r\n\r\n",
    b"0\r\nTrailer: x\r\n\r\n",
    b"\0",
];

/// Pieces behind one another.
fn pieced() -> impl Strategy<Value = Vec<u8>> {
    let pieces = || proptest::collection::vec(prop::sample::select(&PIECES[..]), 0..5);
    (pieces(), pieces()).prop_map(|(head, body)| {
        let parts = [&b"HTTP/1.1 200 OK\r\n"[..]].into_iter();
        let parts = parts.chain(head).chain([&b"\r\n"[..]]).chain(body);
        parts.flatten().copied().collect()
    })
}

/// A change of one place.
#[derive(Debug, Clone)]
enum Change {
    Insert(&'static [u8]),
    Replace(u8),
    Remove,
}

fn change() -> impl Strategy<Value = Change> {
    let byte = prop_oneof![
        any::<u8>(),
        prop::sample::select(&b"\r\n \t,;:0129aF\xff\x0b"[..])
    ];
    prop_oneof![
        prop::sample::select(&PIECES[..]).prop_map(Change::Insert),
        byte.prop_map(Change::Replace),
        Just(Change::Remove),
    ]
}

/// Answers, of which most are as they should be but for a change or two.
fn answers() -> impl Strategy<Value = Vec<u8>> {
    let whole = prop::sample::select(&CORPUS[..]).prop_map(<[u8]>::to_vec);
    let changes = proptest::collection::vec((any::<prop::sample::Index>(), change()), 0..3);
    (prop_oneof![pieced(), whole], changes).prop_map(|(mut bytes, changes)| {
        for (place, change) in changes {
            let place = place.index(bytes.len());
            match change {
                Change::Insert(piece) => drop(bytes.splice(place..place, piece.iter().copied())),
                Change::Replace(byte) => bytes[place] = byte,
                Change::Remove => drop(bytes.remove(place)),
            }
        }
        bytes
    })
}

#[test]
fn we_keep_no_connection_and_take_no_answer_that_hyper_reads_otherwise() {
    let kept = Cell::new(0);
    let mut runner = TestRunner::new(ProptestConfig {
        cases: CASES,
        failure_persistence: None,
        ..ProptestConfig::default()
    });

    let held = runner.run(&answers(), |bytes| {
        let is_kept = run(&bytes).map_err(TestCaseError::fail)?;
        kept.set(kept.get() + u32::from(is_kept));
        Ok(())
    });

    held.unwrap();
    assert!(kept.get() > CASES / 20, "hardly any answer was a good one");
}
