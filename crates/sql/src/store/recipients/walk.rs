//! The walk over an audience.
//!
//! Candidates from where the plan says, in the order of their numbers, and of them those who are members.

use std::collections::{BTreeSet, HashMap};

use baton_domain::{audience::Audience, recipient::Recipient};
use baton_ports::store::{AudienceCount, AudienceRange, Members, Result};

use super::{
    SqlStore,
    plan::{SearchPlan, Sources, choices, plan},
    read,
};
use crate::{
    row::{Row, Rows},
    statement as sql,
    value::params,
};

/// How many candidates a page looks at before it rests.
const BUDGET: usize = 20_000;
/// How many candidates are read at once, at least and at most.
const BATCH: (usize, usize) = (500, 5_000);
/// How far a mark is counted to choose between ways in.
const PROBE: u32 = 4_000;

/// Candidates in the order of their numbers, and up to where there are no others.
struct Candidates {
    recipients: Vec<Recipient>,
    /// `None`: to the end.
    horizon: Option<i64>,
}

impl SqlStore {
    pub(super) async fn walk(&self, walk: &AudienceRange<'_>, limit: usize) -> Result<Members> {
        let plan = self.plan(walk).await?;
        let mut members = Members::default();
        let (mut after, mut looked_at) = (walk.after, 0);
        loop {
            let rest = AudienceRange { after, ..*walk };
            let batch = (limit - members.recipients.len()).clamp(BATCH.0, BATCH.1);
            let candidates = self.candidates(&plan, &rest, batch).await?;
            looked_at += candidates.recipients.len();
            for candidate in candidates.recipients {
                if !walk.audience.is_member(&candidate.profile) {
                    continue;
                }
                if members.recipients.len() == limit {
                    members.next = members.recipients.last().map(|last| last.number);
                    return Ok(members);
                }
                members.recipients.push(candidate);
            }
            match candidates.horizon {
                Some(horizon) if looked_at < BUDGET && members.recipients.len() < limit => {
                    after = horizon;
                }
                horizon => {
                    members.next = horizon;
                    return Ok(members);
                }
            }
        }
    }

    pub(super) async fn count(&self, audience: &Audience, until: i64) -> Result<AudienceCount> {
        let walk = AudienceRange {
            audience,
            after: 0,
            until,
        };
        let plan = self.plan(&walk).await?;
        match (audience, &plan) {
            (Audience::All, _) => {
                let params = params! { until: until };
                headcount(self.read(&sql::recipients::COUNT_ALL, params).await?)
            }
            (Audience::Platform(_) | Audience::Topic(_), SearchPlan::Some(sources)) => {
                let mark = sources.marks.first().cloned();
                let params = params! { mark: mark, until: until };
                headcount(self.read(&sql::recipients::COUNT_MARK, params).await?)
            }
            _ => self.count_one_by_one(&plan, &walk).await,
        }
    }

    async fn count_one_by_one(
        &self,
        plan: &SearchPlan,
        walk: &AudienceRange<'_>,
    ) -> Result<AudienceCount> {
        let mut count = AudienceCount::default();
        let mut after = Some(walk.after);
        while let Some(from) = after {
            let rest = AudienceRange {
                after: from,
                ..*walk
            };
            let candidates = self.candidates(plan, &rest, BATCH.1).await?;
            let profiles = candidates
                .recipients
                .iter()
                .map(|candidate| &candidate.profile);
            for member in profiles.filter(|profile| walk.audience.is_member(profile)) {
                count.members += 1;
                count.disabled += u64::from(!member.enabled);
            }
            after = candidates.horizon;
        }
        Ok(count)
    }

    /// Chooses the way in with the fewest candidates ahead.
    async fn plan(&self, walk: &AudienceRange<'_>) -> Result<SearchPlan> {
        let marks = choices(walk.audience);
        if marks.is_empty() {
            return Ok(plan(walk.audience, &HashMap::new()));
        }
        let marks: Vec<_> = marks.into_iter().collect();
        let params = params! {
            marks: self.list(&marks), after: walk.after, until: walk.until, limit: PROBE,
        };
        let mut counts = HashMap::new();
        for row in self.read(&sql::recipients::PROBE, params).await? {
            let mut cells = row.cells("recipient_marks");
            counts.insert(cells.text("mark")?, cells.count("n")?);
        }
        Ok(plan(walk.audience, &counts))
    }

    async fn candidates(
        &self,
        plan: &SearchPlan,
        walk: &AudienceRange<'_>,
        batch: usize,
    ) -> Result<Candidates> {
        let limit = u32::try_from(batch).unwrap_or(u32::MAX);
        let script_and_params = match plan {
            SearchPlan::Everybody => {
                let params = params! { after: walk.after, until: walk.until, limit: limit };
                (&sql::recipients::WALK_ALL, params)
            }
            SearchPlan::Some(Sources { marks, ids }) if marks.len() == 1 && ids.is_empty() => {
                let params = params! {
                    mark: marks.first().cloned(), after: walk.after, until: walk.until, limit: limit,
                };
                (&sql::recipients::WALK_MARK, params)
            }
            SearchPlan::Some(sources) => return self.merged(sources, walk, limit).await,
        };
        let (script, params) = script_and_params;
        let rows = self.read(script, params).await?;
        // By what was found and not by what could be read: a walk would else end at a row that cannot be.
        let number = |row: &Row| row.clone().cells("recipients").int("number").ok();
        let horizon = rows.last().filter(|_| rows.len() == batch).and_then(number);
        Ok(Candidates {
            horizon,
            recipients: self.readable("recipients", rows, read),
        })
    }

    /// The next candidates of several sources: up to where the first of them may have more.
    async fn merged(
        &self,
        sources: &Sources,
        walk: &AudienceRange<'_>,
        limit: u32,
    ) -> Result<Candidates> {
        let mut ahead = Ahead::new(limit);
        if !sources.marks.is_empty() {
            let marks: Vec<_> = sources.marks.iter().cloned().collect();
            let params = params! {
                marks: self.list(&marks), after: walk.after, until: walk.until, limit: limit,
            };
            ahead.add_marked(self.read(&sql::recipients::MARKED, params).await?)?;
        }
        if !sources.ids.is_empty() {
            let ids: Vec<_> = sources.ids.iter().cloned().collect();
            let params = params! {
                ids: self.list(&ids), after: walk.after, until: walk.until, limit: limit,
            };
            ahead.add_identified(self.read(&sql::recipients::IDENTIFIED, params).await?)?;
        }
        let (numbers, horizon) = ahead.merged();
        Ok(Candidates {
            recipients: self.numbered(&numbers).await?,
            horizon,
        })
    }
}

/// The next numbers of several sources. One that gave as many as it may can have more behind them.
struct Ahead {
    limit: usize,
    numbers: BTreeSet<i64>,
    horizon: Option<i64>,
}

impl Ahead {
    fn new(limit: u32) -> Self {
        Self {
            limit: limit as usize,
            numbers: BTreeSet::new(),
            horizon: None,
        }
    }

    fn add_marked(&mut self, rows: Rows) -> Result<()> {
        let mut by_mark = HashMap::<String, Vec<i64>>::new();
        for row in rows {
            let mut cells = row.cells("recipient_marks");
            let mark = cells.text("mark")?;
            by_mark.entry(mark).or_default().push(cells.int("number")?);
        }
        by_mark.into_values().for_each(|numbers| self.add(&numbers));
        Ok(())
    }

    fn add_identified(&mut self, rows: Rows) -> Result<()> {
        let numbers = rows
            .into_iter()
            .map(|row| row.cells("recipients").int("number"));
        self.add(&numbers.collect::<Result<Vec<_>>>()?);
        Ok(())
    }

    fn add(&mut self, numbers: &[i64]) {
        self.numbers.extend(numbers);
        if numbers.len() >= self.limit
            && let Some(&last) = numbers.iter().max()
        {
            self.horizon = Some(self.horizon.map_or(last, |horizon| horizon.min(last)));
        }
    }

    fn merged(mut self) -> (Vec<i64>, Option<i64>) {
        if let Some(horizon) = self.horizon {
            self.numbers.retain(|number| *number <= horizon);
        }
        // As many as were asked for are enough; where they end, the next page begins.
        let mut numbers: Vec<_> = self.numbers.into_iter().collect();
        if numbers.len() > self.limit {
            numbers.truncate(self.limit);
            self.horizon = numbers.last().copied();
        }
        (numbers, self.horizon)
    }
}

fn headcount(rows: Rows) -> Result<AudienceCount> {
    let Some(row) = super::first(rows) else {
        return Ok(AudienceCount::default());
    };
    let mut cells = row.cells("recipients");
    Ok(AudienceCount {
        members: cells.count("members")?,
        disabled: cells.count("disabled")?,
    })
}
