//! Where to look for the members of an audience.
//!
//! Among everybody, or among those with certain marks or ids. Wherever that is, it holds every member; who is one is decided
//! afterwards.

use std::collections::{BTreeSet, HashMap};

use baton_domain::audience::Audience;

use super::mark::{cell_mark, platform_mark, topic_mark};

/// Where to look.
#[derive(Debug, Clone, PartialEq)]
pub enum SearchPlan {
    /// Among everybody.
    Everybody,
    /// Among those who have one of these marks or ids.
    Some(Sources),
}

/// Marks and ids.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Sources {
    pub marks: BTreeSet<String>,
    pub ids: BTreeSet<String>,
}

impl Sources {
    /// How many recipients they lead to, at most, as far as that was counted.
    fn cost(&self, counts: &HashMap<String, usize>) -> usize {
        let marked = self
            .marks
            .iter()
            .map(|mark| counts.get(mark).copied().unwrap_or(0));
        self.ids.len() + marked.sum::<usize>()
    }
}

/// More marks than this are not looked up one by one.
const MOST_MARKS: usize = 256;

/// The marks to be counted before a plan can be made: those between which there is a choice.
pub fn choices(audience: &Audience) -> BTreeSet<String> {
    match audience {
        Audience::AllOf(parts) if parts.len() > 1 => {
            let plans = parts.iter().map(|part| plan(part, &HashMap::new()));
            let counted = plans.filter_map(|plan| match plan {
                SearchPlan::Everybody => None,
                SearchPlan::Some(sources) => Some(sources.marks),
            });
            let counted: Vec<_> = counted.collect();
            let inner = parts.iter().flat_map(choices);
            // One way in alone is no choice.
            let outer = counted
                .iter()
                .filter(|_| counted.len() > 1)
                .flatten()
                .cloned();
            inner.chain(outer).collect()
        }
        Audience::AllOf(parts) | Audience::AnyOf(parts) => parts.iter().flat_map(choices).collect(),
        _ => BTreeSet::new(),
    }
}

/// The plan for an audience, knowing how many recipients have which mark.
pub fn plan(audience: &Audience, counts: &HashMap<String, usize>) -> SearchPlan {
    match audience {
        Audience::All | Audience::Not(_) => SearchPlan::Everybody,
        Audience::Platform(platform) => marked([platform_mark(platform)]),
        Audience::Topic(topic) => marked([topic_mark(topic)]),
        Audience::Within(circle) => circle.cells().map_or(SearchPlan::Everybody, |cells| {
            marked(cells.into_iter().map(cell_mark))
        }),
        Audience::Ids(ids) => SearchPlan::Some(Sources {
            ids: ids.clone(),
            ..Sources::default()
        }),
        Audience::AllOf(parts) => cheapest(parts.iter().map(|part| plan(part, counts)), counts),
        Audience::AnyOf(parts) => together(parts.iter().map(|part| plan(part, counts))),
    }
}

fn marked(marks: impl IntoIterator<Item = String>) -> SearchPlan {
    SearchPlan::Some(Sources {
        marks: marks.into_iter().collect(),
        ..Sources::default()
    })
}

/// Members of all parts are found wherever those of one are.
fn cheapest(
    plans: impl Iterator<Item = SearchPlan>,
    counts: &HashMap<String, usize>,
) -> SearchPlan {
    let sources = plans.filter_map(|plan| match plan {
        SearchPlan::Everybody => None,
        SearchPlan::Some(sources) => Some(sources),
    });
    let cheapest = sources.min_by_key(|sources| sources.cost(counts));
    cheapest.map_or(SearchPlan::Everybody, SearchPlan::Some)
}

/// Members of any part are found only where those of each are.
fn together(plans: impl Iterator<Item = SearchPlan>) -> SearchPlan {
    let mut all = Sources::default();
    for plan in plans {
        let SearchPlan::Some(sources) = plan else {
            return SearchPlan::Everybody;
        };
        all.marks.extend(sources.marks);
        all.ids.extend(sources.ids);
    }
    if all.marks.len() > MOST_MARKS {
        return SearchPlan::Everybody;
    }
    SearchPlan::Some(all)
}

#[cfg(test)]
mod tests {
    use baton_domain::globe::{Circle, Point};

    use super::*;

    fn topic(name: &str) -> Audience {
        Audience::Topic(name.to_owned())
    }

    fn within(radius_m: f64) -> Audience {
        let centre = Point {
            lat: 37.5,
            lon: 127.0,
        };
        Audience::Within(Circle { centre, radius_m })
    }

    fn marks(plan: SearchPlan) -> usize {
        match plan {
            SearchPlan::Everybody => 0,
            SearchPlan::Some(sources) => sources.marks.len(),
        }
    }

    #[test]
    fn of_several_conditions_the_rarest_is_looked_up() {
        let audience = Audience::AllOf(vec![
            topic("often"),
            topic("rare"),
            Audience::Not(Box::new(topic("x"))),
        ]);
        let counts = HashMap::from([("t often".to_owned(), 1_000), ("t rare".to_owned(), 3)]);

        assert_eq!(choices(&audience), counts.keys().cloned().collect());
        assert_eq!(plan(&audience, &counts), marked(["t rare".to_owned()]));
    }

    #[test]
    fn one_way_in_is_taken_without_counting() {
        let audience = Audience::AllOf(vec![topic("a"), Audience::Not(Box::new(topic("b")))]);

        assert!(choices(&audience).is_empty());
        assert_eq!(plan(&audience, &HashMap::new()), marked(["t a".to_owned()]));
    }

    #[test]
    fn what_may_be_anybody_is_looked_for_among_everybody() {
        let any = Audience::AnyOf(vec![topic("a"), Audience::Not(Box::new(topic("b")))]);

        assert_eq!(plan(&any, &HashMap::new()), SearchPlan::Everybody);
        assert_eq!(
            plan(&within(3_000_000.0), &HashMap::new()),
            SearchPlan::Everybody
        );
        assert!((1..=64).contains(&marks(plan(&within(3_000.0), &HashMap::new()))));
    }
}
