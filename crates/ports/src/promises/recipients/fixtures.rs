//! Fixtures: the words in which recipients are written down.

use std::collections::BTreeMap;

use baton_domain::{
    globe::Point,
    recipient::{Profile, RecipientSpec},
};

pub fn somebody(id: &str) -> Profile {
    Profile {
        id: id.to_owned(),
        ..Profile::from_spec("a".to_owned(), RecipientSpec::on("ios")).unwrap()
    }
}

pub fn on(platform: &str, id: &str) -> Profile {
    Profile {
        platform: platform.to_owned(),
        ..somebody(id)
    }
}

pub fn at(lat: f64, lon: f64, id: &str) -> Profile {
    Profile {
        location: Some(Point { lat, lon }),
        ..somebody(id)
    }
}

pub fn with_topics(id: &str, topics: &[&str]) -> Profile {
    Profile {
        topics: topics.iter().map(|topic| (*topic).to_owned()).collect(),
        ..somebody(id)
    }
}

pub fn with_address(id: &str, address: &str) -> Profile {
    Profile {
        addresses: BTreeMap::from([("push".to_owned(), address.to_owned())]),
        ..somebody(id)
    }
}

/// Somebody who differs from [`somebody`] in every field.
pub fn everything(id: &str) -> Profile {
    Profile {
        platform: "android".to_owned(),
        enabled: false,
        topics: ["news", "quiz"].map(str::to_owned).into(),
        time_zone: Some("Asia/Seoul".to_owned()),
        locale: Some("zh-Hant-TW".to_owned()),
        addresses: with_address(id, "token").addresses,
        ..at(37.5665, 126.978, id)
    }
}
