//! Reading an audience: strictly, and no larger than a server can bear.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::{Audience, DEEPEST, MOST_CONDITIONS, MOST_IDS};
use crate::{
    globe::{self, Circle, Point},
    job::FieldError,
    queue::{NAME_RULE, is_name},
    recipient::{ID_RULE, is_id},
};

const RULE: &str =
    "must be an object with one of all, platform, topic, within, ids, all_of, any_of, not";

impl Audience {
    /// Reads an audience from JSON; `field` is what the request calls it.
    pub fn read(field: &str, value: &Value) -> Result<Self, Vec<FieldError>> {
        let mut reader = Reader::default();
        match reader.condition(field, value, 1) {
            Some(audience) if reader.errors.is_empty() => Ok(audience),
            _ => Err(reader.errors),
        }
    }
}

#[derive(Default)]
struct Reader {
    conditions: usize,
    ids: usize,
    errors: Vec<FieldError>,
}

impl Reader {
    fn refuse<T>(&mut self, field: &str, message: impl Into<String>) -> Option<T> {
        self.errors.push(FieldError::new(field, message));
        None
    }

    fn condition(&mut self, field: &str, value: &Value, depth: usize) -> Option<Audience> {
        self.conditions += 1;
        if depth > DEEPEST {
            return self.refuse(field, format!("is nested deeper than {DEEPEST} levels"));
        }
        if self.conditions > MOST_CONDITIONS {
            // Said once; what follows is not looked at any more.
            let is_first = self.conditions == MOST_CONDITIONS + 1;
            let message = format!("an audience can have {MOST_CONDITIONS} conditions at most");
            return if is_first {
                self.refuse(field, message)
            } else {
                None
            };
        }
        let Some(object) = value.as_object() else {
            return self.refuse(field, RULE);
        };
        let mut conditions = object.iter();
        match (conditions.next(), conditions.next()) {
            (Some((name, value)), None) => {
                self.named(&format!("{field}.{name}"), name, value, depth)
            }
            (None, _) => self.refuse(field, RULE),
            _ => self.refuse(
                field,
                "has several conditions; combine them with all_of or any_of",
            ),
        }
    }

    fn named(&mut self, field: &str, name: &str, value: &Value, depth: usize) -> Option<Audience> {
        match name {
            "all" => self.all(field, value),
            "platform" => self.name(field, value).map(Audience::Platform),
            "topic" => self.name(field, value).map(Audience::Topic),
            "within" => self.within(field, value),
            "ids" => self.ids(field, value),
            "all_of" => self.several(field, value, depth).map(Audience::AllOf),
            "any_of" => self.several(field, value, depth).map(Audience::AnyOf),
            "not" => {
                let part = self.condition(field, value, depth + 1)?;
                Some(Audience::Not(Box::new(part)))
            }
            _ => self.refuse(field, format!("is no condition; an audience {RULE}")),
        }
    }

    fn all(&mut self, field: &str, value: &Value) -> Option<Audience> {
        let is_plain = *value == Value::Bool(true) || value.as_object().is_some_and(Map::is_empty);
        if is_plain {
            return Some(Audience::All);
        }
        self.refuse(field, "must be true; for nobody, do not send")
    }

    fn name(&mut self, field: &str, value: &Value) -> Option<String> {
        match value.as_str() {
            Some(name) if is_name(name) => Some(name.to_owned()),
            _ => self.refuse(field, NAME_RULE),
        }
    }

    fn within(&mut self, field: &str, value: &Value) -> Option<Audience> {
        let Some(object) = value.as_object() else {
            return self.refuse(field, "must be an object with lat, lon and radius_m");
        };
        let known = ["lat", "lon", "radius_m"];
        for name in object.keys().filter(|name| !known.contains(&name.as_str())) {
            let message = "is not a field of a circle; it has lat, lon and radius_m";
            self.errors
                .push(FieldError::new(&format!("{field}.{name}"), message));
        }
        let mut number = |name: &str, is_right: fn(f64) -> bool, rule| match object
            .get(name)
            .and_then(Value::as_f64)
        {
            Some(number) if is_right(number) => Some(number),
            _ => self.refuse(&format!("{field}.{name}"), rule),
        };
        let lat = number("lat", globe::is_lat, globe::LAT_RULE);
        let lon = number("lon", globe::is_lon, globe::LON_RULE);
        let radius_m = number("radius_m", globe::is_radius, globe::RADIUS_RULE);
        let centre = Point {
            lat: lat?,
            lon: lon?,
        };
        Some(Audience::Within(Circle {
            centre,
            radius_m: radius_m?,
        }))
    }

    fn ids(&mut self, field: &str, value: &Value) -> Option<Audience> {
        let Some(list) = value.as_array().filter(|list| !list.is_empty()) else {
            return self.refuse(field, "must be a list of at least one id");
        };
        self.ids += list.len();
        if self.ids > MOST_IDS {
            let message =
                "an audience can name 10,000 ids at most; give a larger group a topic of its own";
            return self.refuse(field, message);
        }
        let mut ids = BTreeSet::new();
        for (i, id) in list.iter().enumerate() {
            match id.as_str() {
                Some(id) if is_id(id) => ids.insert(id.to_owned()),
                _ => return self.refuse(&format!("{field}[{i}]"), ID_RULE),
            };
        }
        Some(Audience::Ids(ids))
    }

    fn several(&mut self, field: &str, value: &Value, depth: usize) -> Option<Vec<Audience>> {
        let Some(list) = value.as_array().filter(|list| !list.is_empty()) else {
            return self.refuse(field, "must be a list of at least one condition");
        };
        let parts = list.iter().enumerate();
        let parts =
            parts.map(|(i, part)| self.condition(&format!("{field}[{i}]"), part, depth + 1));
        // Every part is looked at, so that every mistake is named.
        let parts: Vec<_> = parts.collect();
        parts.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn refused(value: &Value) -> Vec<(String, String)> {
        let errors = Audience::read("audience", value).unwrap_err();
        errors
            .into_iter()
            .map(|error| (error.field, error.message))
            .collect()
    }

    fn fields(value: &Value) -> Vec<String> {
        refused(value).into_iter().map(|(field, _)| field).collect()
    }

    #[test]
    fn every_audience_is_written_as_it_is_read() {
        let audiences = [
            json!({"all": true}),
            json!({"platform": "ios"}),
            json!({"topic": "daily-quiz"}),
            json!({"within": {"lat": 37.5, "lon": 127.0, "radius_m": 500.0}}),
            json!({"ids": ["a", "b"]}),
            json!({"all_of": [{"platform": "ios"}, {"not": {"any_of": [{"topic": "a"}, {"topic": "b"}]}}]}),
        ];

        for audience in audiences {
            let read = Audience::read("audience", &audience).unwrap();
            assert_eq!(serde_json::to_value(read).unwrap(), audience);
        }
    }

    #[test]
    fn what_is_no_audience_is_refused_where_it_goes_wrong() {
        for (value, field) in [
            (json!(null), "audience"),
            (json!("all"), "audience"),
            (json!({}), "audience"),
            (json!({"all": false}), "audience.all"),
            (json!({"platform": "a", "topic": "b"}), "audience"),
            (json!({"platfrom": "a"}), "audience.platfrom"),
            (json!({"platform": 1}), "audience.platform"),
            (json!({"topic": "two words"}), "audience.topic"),
            (json!({"ids": []}), "audience.ids"),
            (json!({"ids": ["a", 1]}), "audience.ids[1]"),
            (json!({"all_of": []}), "audience.all_of"),
            (
                json!({"any_of": [{"all": true}, {"not": {"topic": ""}}]}),
                "audience.any_of[1].not.topic",
            ),
            (
                json!({"within": {"lat": 0, "lon": 0, "radius_m": 1, "unit": "km"}}),
                "audience.within.unit",
            ),
        ] {
            assert_eq!(fields(&value), [field], "{value}");
        }
    }

    #[test]
    fn a_circle_without_a_place_or_a_radius_is_refused() {
        let circle = |lat: Value, lon: Value, radius: Value| json!({"within": {"lat": lat, "lon": lon, "radius_m": radius}});

        let wrong = refused(&circle(json!(90.1), json!(-181), json!(0)));

        let fields: Vec<_> = wrong.iter().map(|(field, _)| field.as_str()).collect();
        assert_eq!(
            fields,
            [
                "audience.within.lat",
                "audience.within.lon",
                "audience.within.radius_m"
            ]
        );
        assert!(wrong[2].1.starts_with("must be above 0"), "{wrong:?}");
        for radius in [json!(-1), json!("5km"), json!(null), json!(20_000_001)] {
            assert_eq!(refused(&circle(json!(0), json!(0), radius)).len(), 1);
        }
    }

    #[test]
    fn an_audience_is_so_deep_and_no_deeper() {
        let nested = |levels: usize| {
            (1..levels).fold(json!({"all": true}), |inner, _| json!({"not": inner}))
        };

        assert!(Audience::read("audience", &nested(DEEPEST)).is_ok());
        assert!(refused(&nested(DEEPEST + 1))[0].1.contains("nested deeper"));
    }

    #[test]
    fn an_audience_is_so_large_and_no_larger() {
        let conditions = |count: usize| json!({"any_of": vec![json!({"all": true}); count]});
        let ids =
            |count: usize| json!({"ids": (0..count).map(|i| i.to_string()).collect::<Vec<_>>()});

        assert!(Audience::read("audience", &conditions(MOST_CONDITIONS - 1)).is_ok());
        assert_eq!(refused(&conditions(MOST_CONDITIONS + 50)).len(), 1);
        assert!(Audience::read("audience", &ids(MOST_IDS)).is_ok());
        assert_eq!(fields(&ids(MOST_IDS + 1)), ["audience.ids"]);
    }
}
