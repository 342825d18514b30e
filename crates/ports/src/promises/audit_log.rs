//! The audit log: entries by their time, by whom, of what and about what.

pub(super) mod audited;

use std::time::Duration;

use baton_domain::{
    AuditId, KeyId, UserId,
    access::Principal,
    audit::{AuditAction, AuditEntry, AuditFilter},
    page::PageRequest,
};
use serde_json::json;

use super::{
    bench::{ALL, Bench, HOUR, SECOND},
    promises,
    upkeep::{FOR_LONG, prune},
};
use crate::store::{Error, Retention};

const MICROSECOND: Duration = Duration::from_micros(1);

impl Bench {
    /// An entry with nothing special about it, later than all before.
    pub(super) fn entry(&self, action: AuditAction, object: &str) -> AuditEntry {
        self.pass(SECOND);
        AuditEntry {
            id: AuditId::new(self.now()),
            at: self.now(),
            principal: Principal::CommandLine,
            name: "command line".to_owned(),
            action,
            object: object.to_owned(),
            before: None,
            after: None,
            reason: None,
            count: None,
            request_id: None,
        }
    }

    async fn append(&self, entries: &[AuditEntry]) {
        self.store.append_audit(entries).await.expect("append");
    }

    pub(super) async fn entries(&self, filter: &AuditFilter) -> Vec<AuditEntry> {
        let all = PageRequest::first(ALL);
        let page = self.store.audit_entries(filter, &all).await;
        page.expect("entries").items
    }

    /// The objects of the entries that are looked for.
    async fn objects(&self, filter: AuditFilter) -> Vec<String> {
        let entries = self.entries(&filter).await.into_iter();
        entries.map(|entry| entry.object).collect()
    }
}

fn by(principal: &Principal) -> AuditFilter {
    AuditFilter {
        principal: Some(principal.clone()),
        ..AuditFilter::default()
    }
}

promises! {
    async fn an_entry_reads_back_as_it_was_written(bench: Bench) {
        let everything = AuditEntry {
            principal: Principal::User(UserId::new(bench.now())),
            name: "kim".to_owned(),
            before: Some(json!({"paused": false, "rate": 1.5})),
            after: Some(json!([null, "한국어", "'\\\""])),
            reason: Some("it's \"late\"".to_owned()),
            count: Some(4_000_000_000),
            request_id: Some("req-1".to_owned()),
            ..bench.entry(AuditAction::QueueChange, "mail")
        };
        let nothing = bench.entry(AuditAction::Denied, "");

        bench.append(&[everything.clone(), nothing.clone()]).await;
        bench.append(&[]).await;

        assert_eq!(bench.entries(&AuditFilter::default()).await, [nothing, everything]);
    }

    async fn appending_is_safe_to_repeat(bench: Bench) {
        let entry = bench.entry(AuditAction::Denied, "mail");

        bench.append(std::slice::from_ref(&entry)).await;
        bench.append(std::slice::from_ref(&entry)).await;

        assert_eq!(bench.entries(&AuditFilter::default()).await, [entry]);
    }

    async fn entries_are_listed_page_by_page_the_newest_first(bench: Bench) {
        let (first, second) = (bench.entry(AuditAction::Denied, "a"), bench.entry(AuditAction::Denied, "b"));
        // Of one moment, the later id comes first.
        let third = AuditEntry { id: AuditId::new(second.at + SECOND), object: "c".to_owned(), ..second.clone() };
        let fourth = bench.entry(AuditAction::Denied, "d");
        bench.append(&[third, fourth, first, second]).await;
        let (mut request, mut pages) = (PageRequest::first(2), Vec::new());

        loop {
            let page = bench.store.audit_entries(&AuditFilter::default(), &request).await.unwrap();
            pages.push(page.items.into_iter().map(|entry| entry.object).collect::<Vec<_>>());
            let Some(next) = page.next else { break };
            request.after = Some(next);
        }

        assert_eq!(pages, [["d", "c"], ["b", "a"]]);
    }

    async fn every_page_has_each_entry_of_a_moment_once(bench: Bench) {
        let one = bench.entry(AuditAction::Denied, "mail");
        let ids = (1..=5).map(|i| AuditId::new(one.at + i * SECOND));
        let entries: Vec<_> = ids.map(|id| AuditEntry { id, ..one.clone() }).collect();
        bench.append(&entries).await;
        let (mut request, mut found) = (PageRequest::first(1), Vec::new());

        while found.len() <= entries.len() {
            let page = bench.store.audit_entries(&AuditFilter::default(), &request).await.unwrap();
            found.extend(page.items);
            request.after = page.next;
            if request.after.is_none() {
                break;
            }
        }

        found.reverse();
        assert_eq!(found, entries);
    }

    async fn what_is_no_cursor_is_refused(bench: Bench) {
        for cursor in ["", "1", "1.aud", "x.aud_00000000-0000-0000-0000-000000000000"] {
            let page = PageRequest { limit: 1, after: Some(cursor.to_owned()) };

            let refused = bench.store.audit_entries(&AuditFilter::default(), &page).await;

            assert!(matches!(refused, Err(Error::BadCursor)), "{cursor}: {refused:?}");
        }
    }

    async fn entries_are_found_by_whom_of_what_and_about_what(bench: Bench) {
        let (kim, ci) = (Principal::User(UserId::new(bench.now())), Principal::Key(KeyId::new(bench.now())));
        for (principal, action, object) in [
            (&kim, AuditAction::QueueChange, "mail"),
            (&kim, AuditAction::JobRetry, "job"),
            (&ci, AuditAction::QueueChange, "low"),
            (&ci, AuditAction::QueueChange, "Mail"),
        ] {
            let entry = AuditEntry { principal: principal.clone(), ..bench.entry(action, object) };
            bench.append(&[entry]).await;
        }
        let of = |action| AuditFilter { action: Some(action), ..AuditFilter::default() };
        let about = |object: &str| AuditFilter { object: Some(object.to_owned()), ..AuditFilter::default() };

        assert_eq!(bench.objects(by(&kim)).await, ["job", "mail"]);
        assert_eq!(bench.objects(of(AuditAction::QueueChange)).await, ["Mail", "low", "mail"]);
        assert_eq!(bench.objects(about("mail")).await, ["mail"]);
        let both = AuditFilter { action: Some(AuditAction::QueueChange), ..by(&kim) };
        assert_eq!(bench.objects(both.clone()).await, ["mail"]);
        assert_eq!(bench.objects(AuditFilter { object: Some("job".to_owned()), ..both }).await, Vec::<String>::new());
        assert_eq!(bench.objects(by(&Principal::Anonymous)).await, Vec::<String>::new());
    }

    async fn entries_are_found_by_their_time_to_the_microsecond(bench: Bench) {
        let (first, second) = (bench.entry(AuditAction::Denied, "a"), bench.entry(AuditAction::Denied, "b"));
        bench.append(&[first.clone(), second.clone()]).await;
        let between = |since, until| AuditFilter { since: Some(since), until: Some(until), ..AuditFilter::default() };

        assert_eq!(bench.objects(between(first.at, second.at)).await, ["a"]);
        assert_eq!(bench.objects(between(first.at + MICROSECOND, second.at + MICROSECOND)).await, ["b"]);
        assert_eq!(bench.objects(between(second.at + MICROSECOND, second.at + HOUR)).await, Vec::<String>::new());
        let by_all = AuditFilter { object: Some("a".to_owned()), ..between(first.at, first.at) };
        assert_eq!(bench.objects(by_all).await, Vec::<String>::new(), "nothing is before where it begins");
    }

    async fn a_page_goes_on_within_its_time(bench: Bench) {
        for object in ["a", "b", "c", "d"] {
            let entry = bench.entry(AuditAction::Denied, object);
            bench.append(&[entry]).await;
        }
        let until = Some(bench.now());
        let filter = AuditFilter { until, ..by(&Principal::CommandLine) };
        let mut request = PageRequest::first(2);

        let first = bench.store.audit_entries(&filter, &request).await.unwrap();
        request.after.clone_from(&first.next);
        let second = bench.store.audit_entries(&filter, &request).await.unwrap();

        let objects = |items: Vec<AuditEntry>| items.into_iter().map(|entry| entry.object).collect::<Vec<_>>();
        assert_eq!((objects(first.items), objects(second.items)), (vec!["c".into(), "b".into()], vec!["a".into()]));
    }

    async fn entries_are_forgotten_after_their_own_time(bench: Bench) {
        let old = bench.entry(AuditAction::Denied, "a");
        let young = bench.entry(AuditAction::Denied, "b");
        bench.append(&[old, young.clone()]).await;
        bench.pass(HOUR);

        let pruned = prune(&bench, &Retention { audit: HOUR, ..FOR_LONG }).await;

        assert_eq!(pruned.audit, 1);
        assert_eq!(bench.entries(&AuditFilter::default()).await, [young]);
    }
}
