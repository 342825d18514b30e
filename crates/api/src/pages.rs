//! Pages by bytes: however large the items are, a page is bounded, and so is what is read for it.

use std::io;

use axum::Json as Reply;
use baton_domain::page::{Page, PageRequest};
use baton_protocol::{List, ProblemKind};
use serde::Serialize;

use crate::problem::{ApiResult, told};

/// How many bytes of JSON the items of a page have at the most, unless one alone has more.
pub const LONGEST: usize = 4 * 1024 * 1024;
/// How many items are read before it is known how long they are.
const FIRST: u32 = 50;

/// A page with as many items as were asked for and fit, read in steps; each step goes on where the last one ended.
pub async fn page<T, U, F>(
    wanted: PageRequest,
    ask: impl Fn(PageRequest) -> F,
) -> ApiResult<Reply<List<U>>>
where
    U: From<T> + Serialize,
    F: Future<Output = baton_engine::Result<Page<T>>>,
{
    let mut list = List {
        items: Vec::new(),
        next: wanted.after,
    };
    let (mut left, mut room) = (wanted.limit, LONGEST);
    let mut step = left.min(FIRST);
    loop {
        let asked = PageRequest {
            limit: step,
            after: list.next.clone(),
        };
        let found: List<U> = ask(asked).await.map_err(told)?.into();
        let (count, bytes) = (count(&found.items), length(&found.items));
        if bytes > room && !list.items.is_empty() {
            return Ok(Reply(list));
        }
        if bytes > room && count > 1 {
            step = fitting(count, bytes, room).clamp(1, count - 1);
            continue;
        }
        list.items.extend(found.items);
        list.next = found.next;
        left = left.saturating_sub(count);
        room = room.saturating_sub(bytes);
        let is_short = count < step;
        step = left.min(fitting(count, bytes, room));
        if list.next.is_none() || is_short || step == 0 {
            return Ok(Reply(list));
        }
    }
}

/// A page of a list that is read as a whole: what comes after the item of a name, and fits.
pub fn slice<T: Serialize>(
    items: impl IntoIterator<Item = T>,
    after: Option<&str>,
    name: impl Fn(&T) -> String,
) -> ApiResult<Reply<List<T>>> {
    let mut items = items.into_iter();
    if let Some(after) = after
        && !items.any(|item| name(&item) == after)
    {
        let gone = "after: what the last page ended with is not in the list any more; begin anew.";
        return Err(ProblemKind::BadCursor.because(gone).into());
    }
    let mut list = List::whole(Vec::new());
    let mut room = LONGEST;
    for item in items {
        let bytes = length(&item);
        if bytes > room && !list.items.is_empty() {
            list.next = list.items.last().map(name);
            break;
        }
        room = room.saturating_sub(bytes);
        list.items.push(item);
    }
    Ok(Reply(list))
}

/// How many items fit, if they are as long as these.
fn fitting(count: u32, bytes: usize, room: usize) -> u32 {
    let each = bytes / usize::try_from(count.max(1)).unwrap_or(usize::MAX);
    u32::try_from(room / each.max(1)).unwrap_or(u32::MAX)
}

fn count<T>(items: &[T]) -> u32 {
    u32::try_from(items.len()).unwrap_or(u32::MAX)
}

/// How many bytes of JSON these are.
pub fn length(items: &impl Serialize) -> usize {
    let mut counter = Counter(0);
    // What cannot be written fails where the answer is written.
    let _ = serde_json::to_writer(&mut counter, items);
    counter.0
}

/// Counts what is written to it.
struct Counter(usize);

impl io::Write for Counter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
