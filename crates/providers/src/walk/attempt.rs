//! One attempt of a walk: a page, a checkpoint with the jobs of its rows, and the next page.

use std::{sync::Arc, time::Duration};

use baton_domain::{
    checkpoint::{MOST_JOBS, Progress},
    job::{Class, FieldError, JobSpec, Verdict},
};
use baton_ports::{Call, checkpoints::Saved};
use http::Method;
use serde::Serialize;
use serde_json::value::RawValue;
use url::Url;

use super::{
    next::Next,
    place::{Place, mark},
    plan::Plan,
};
use crate::{
    HttpHandler,
    http::{Address, BodyLimit, Extent, HttpRequest, HttpResponse},
};

/// How long a page can be, in bytes.
const MOST_PAGE: usize = 4 * 1024 * 1024;

/// How many bytes of payloads one checkpoint carries; one more is in the next.
const MOST_BYTES: usize = 4 * 1024 * 1024;

/// How many things that are wrong with rows are told.
const TOLD: usize = 3;

/// One attempt of a walk. What ends it early is a verdict, too.
pub struct Walk<'a> {
    pub http: &'a HttpHandler,
    pub call: &'a Call,
    pub plan: &'a Plan,
    pub first: &'a Arc<Address>,
    pub destination: Option<&'a str>,
}

/// A page, as far as it is read.
struct Page<'a> {
    rows: Vec<&'a RawValue>,
    /// What it says of the next one.
    next: Option<String>,
    /// How many rows there are in all, if it says so.
    total: Option<u32>,
}

impl Walk<'_> {
    /// Walks on to the end, or to what keeps it from going on.
    pub async fn go(&self) -> Result<Verdict, Verdict> {
        let mut place = self.begin().await?;
        while !place.is_over {
            let address = self.address(&place)?;
            let answer = self.fetch(&place, &address).await?;
            let page = self.page(&place, &answer)?;
            place = self.take(place, &address, &page).await?;
        }
        Ok(done(&place))
    }

    /// Where the last attempt left off.
    async fn begin(&self) -> Result<Place, Verdict> {
        let stands = self.call.checkpoints.stands().await.map_err(|error| {
            let why = format!("where the walk stands could not be read: {error}");
            Verdict::failed(Class::Retry, "checkpoint", why)
        })?;
        match stands.and_then(|stands| stands.cursor) {
            None => Ok(Place::default()),
            Some(cursor) => serde_json::from_str(&cursor).map_err(|_| {
                let why = "its checkpoint is not one of a walk; run it afresh to begin anew";
                Verdict::failed(Class::Permanent, "bad_cursor", why)
            }),
        }
    }

    /// Where a page is. What another page has said was found to be good before it was kept.
    fn address(&self, place: &Place) -> Result<Arc<Address>, Verdict> {
        match &place.next {
            None => Ok(Arc::clone(self.first)),
            Some(said) => {
                let address = self.address_of(&self.first.url, said);
                address.map_err(|why| bad_page(place, &format!("its address {why}")))
            }
        }
    }

    fn address_of(&self, present: &Url, said: &str) -> Result<Arc<Address>, String> {
        let url = self.plan.next.url(&self.first.url, present, said)?;
        let address = self.http.address_of(self.destination, self.first, &url);
        address.map(Arc::new)
    }

    async fn fetch(&self, place: &Place, address: &Arc<Address>) -> Result<HttpResponse, Verdict> {
        let asked = HttpRequest {
            address: Arc::clone(address),
            method: Method::GET,
            headers: self.plan.headers.clone(),
            body: None,
            wanted: BodyLimit::Whole(MOST_PAGE),
            part: Some(place.pages + 1),
        };
        // A page can be asked for again, so nobody waits for one that is not wanted any more.
        let answer = tokio::select! {
            biased;
            () = self.call.cancel.cancelled() => return Err(Verdict::Canceled),
            answer = self.http.fetch(self.call, self.destination, asked) => answer?,
        };
        match answer.extent() {
            Extent::Whole => Ok(answer),
            Extent::Part => {
                let came = answer.body().len();
                let why = format!("{} broke off after {came} bytes", named(place));
                Err(Verdict::failed(Class::Retry, "cut_off", why))
            }
            Extent::TooLong => {
                let why = format!(
                    "has more than {MOST_PAGE} bytes; ask for fewer rows a page in the url"
                );
                Err(bad_page(place, &why))
            }
        }
    }

    fn page<'a>(&self, place: &Place, answer: &'a HttpResponse) -> Result<Page<'a>, Verdict> {
        let bad = |why: String| bad_page(place, &why);
        let document: &RawValue = serde_json::from_slice(answer.body())
            .map_err(|error| bad(format!("is no JSON: {error}")))?;
        let items = &self.plan.items;
        let rows = items.find(document);
        let rows = rows.and_then(|rows| serde_json::from_str(rows.get()).ok());
        let rows = rows.ok_or_else(|| {
            let items = items.to_string();
            bad(format!(
                "has no list at {items:?}, where payload.items says its rows are"
            ))
        })?;
        let total = self.plan.total.as_ref();
        Ok(Page {
            rows,
            next: self.plan.next.said(document, answer.link()).map_err(bad)?,
            total: total.and_then(|total| total.find(document)?.get().parse::<u32>().ok()),
        })
    }

    /// Makes jobs of the rows of a page, as many to a checkpoint as one can carry; where the walk is then.
    async fn take(
        &self,
        mut place: Place,
        address: &Address,
        page: &Page<'_>,
    ) -> Result<Place, Verdict> {
        let beyond = self.beyond(&place, address, page.next.as_deref())?;
        loop {
            // Fewer than before, if the page has changed meanwhile.
            let from = place.row.min(page.rows.len());
            let jobs = self.jobs(&place, &page.rows, from)?;
            let row = from + jobs.len();
            let rows = place.rows + jobs.len() as u64;
            let is_done = row == page.rows.len();
            let after = match is_done {
                true => Place {
                    rows,
                    ..beyond.clone()
                },
                false => Place {
                    row,
                    rows,
                    ..place.clone()
                },
            };
            self.save(&place, from, &after, jobs, page.total).await?;
            if is_done {
                return Ok(after);
            }
            place = after;
        }
    }

    /// Where the walk is once a page lies behind it.
    fn beyond(
        &self,
        place: &Place,
        address: &Address,
        next: Option<&str>,
    ) -> Result<Place, Verdict> {
        let pages = place.pages + 1;
        let Some(said) = next else {
            return Ok(Place {
                pages,
                is_over: true,
                ..Place::default()
            });
        };
        let present = address.url.as_str();
        let next = self.address_of(&address.url, said);
        let next =
            next.map_err(|why| bad_page(place, &format!("names a next page whose address {why}")))?;
        let kept = place.mark_after(present);
        let next = next.url.as_str();
        if next == present || kept.as_deref() == Some(mark(next).as_str()) {
            let why = format!(
                "the walk goes in a circle: {} names a next page that was there before; see whether payload.next is right",
                named(place)
            );
            return Err(Verdict::failed(Class::Permanent, "circle", why));
        }
        Ok(Place {
            // Whole, so that it means the same wherever it is read from.
            next: Some(match &self.plan.next {
                Next::Cursor(..) => said.to_owned(),
                Next::Url(_) | Next::Link => next.to_owned(),
            }),
            pages,
            mark: kept,
            ..Place::default()
        })
    }

    /// The jobs of the rows from this one on, as many as one checkpoint can carry.
    fn jobs(
        &self,
        place: &Place,
        rows: &[&RawValue],
        from: usize,
    ) -> Result<Vec<JobSpec>, Verdict> {
        let mut jobs = Vec::new();
        let mut bytes = 0;
        for (at, row) in rows.iter().enumerate().skip(from).take(MOST_JOBS) {
            let job = self.plan.job.of(row).map_err(|why| {
                let row = self.row(place, at);
                Verdict::failed(Class::Permanent, "bad_row", format!("{row} {why}"))
            })?;
            bytes += job.payload.len();
            if bytes > MOST_BYTES && !jobs.is_empty() {
                break;
            }
            jobs.push(job);
        }
        Ok(jobs)
    }

    async fn save(
        &self,
        place: &Place,
        from: usize,
        after: &Place,
        jobs: Vec<JobSpec>,
        total: Option<u32>,
    ) -> Result<(), Verdict> {
        // Our own types always serialise.
        let cursor = serde_json::to_string(after).unwrap_or_default();
        let progress = Progress {
            done: after.rows,
            total: total.map(u64::from),
            note: None,
        };
        match self
            .call
            .checkpoints
            .save(cursor, Some(progress), jobs)
            .await
        {
            Saved::Recorded { is_to_stop, .. } if is_to_stop && !after.is_over => {
                Err(match self.call.cancel.is_cancelled() {
                    true => Verdict::Canceled,
                    // The worker drains; another one goes on here.
                    false => Verdict::Snoozed {
                        after: Duration::ZERO,
                    },
                })
            }
            Saved::Recorded { .. } => Ok(()),
            Saved::Lost => Err(Verdict::failed(
                Class::Retry,
                "lost",
                "the lease ended, and the walk goes on elsewhere",
            )),
            Saved::Refused(errors) => Err(self.refused(place, from, &errors)),
        }
    }

    /// A checkpoint that is refused for one of its jobs is refused for ever, and all else is a moment's.
    fn refused(&self, place: &Place, from: usize, errors: &[FieldError]) -> Verdict {
        let of_rows = errors.iter().filter_map(|error| {
            let (row, field) = error.field.strip_prefix("jobs[")?.split_once("].")?;
            let row = self.row(place, from + row.parse::<usize>().ok()?);
            Some(format!("{row} makes no job: its {field} {}", error.message))
        });
        let of_rows: Vec<_> = of_rows.take(TOLD).collect();
        if of_rows.is_empty() {
            let errors = errors
                .iter()
                .map(|error| format!("{} {}", error.field, error.message));
            let errors: Vec<_> = errors.collect();
            let why = format!("the checkpoint was not taken: {}", errors.join("; "));
            return Verdict::failed(Class::Retry, "checkpoint", why);
        }
        let why = format!(
            "{}; nothing of this part of the page was written",
            of_rows.join("; ")
        );
        Verdict::failed(Class::Permanent, "bad_row", why)
    }

    fn row(&self, place: &Place, at: usize) -> String {
        format!(
            "row {} of {} ({}/{at})",
            at + 1,
            named(place),
            self.plan.items
        )
    }
}

fn named(place: &Place) -> String {
    format!("page {}", place.pages + 1)
}

fn bad_page(place: &Place, why: &str) -> Verdict {
    Verdict::failed(
        Class::Permanent,
        "bad_page",
        format!("{} {why}", named(place)),
    )
}

fn done(place: &Place) -> Verdict {
    #[derive(Serialize)]
    struct Walked {
        pages: u64,
        rows: u64,
    }

    let walked = Walked {
        pages: place.pages,
        rows: place.rows,
    };
    Verdict::Accepted {
        result: serde_json::to_string(&walked).ok(),
    }
}
