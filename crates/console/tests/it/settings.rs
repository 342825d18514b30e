//! The room of settings: what holds and who said so, and what the process finds when it looks at itself.

use std::sync::Arc;

use async_trait::async_trait;
use baton_console::{About, Examiner, Finding, Mark, Origin, Setting, SettingValue};
use baton_domain::access::Role;

use crate::{access::seen_by, fixture::Fixture};

struct Finds(Vec<Finding>);

#[async_trait]
impl Examiner for Finds {
    async fn examine(&self) -> Vec<Finding> {
        self.0.clone()
    }
}

fn setting(name: &str, value: &str, origin: Origin) -> Setting {
    Setting {
        name: name.to_owned(),
        value: SettingValue::Shown(value.to_owned()),
        origin,
    }
}

#[tokio::test]
async fn each_setting_stands_with_its_value_and_with_who_said_so() {
    let file = Origin::File("/etc/baton.toml".to_owned());
    let settings = vec![
        setting("log.level", "info", Origin::Default),
        setting("worker.lease", "10s", file),
        setting(
            "worker.slots",
            "7",
            Origin::CommandLine("--slots".to_owned()),
        ),
    ];
    let about = About {
        settings,
        examiner: None,
    };
    let fixture = Fixture::new().about(about);

    let page = fixture.get("/admin/settings").await;

    page.has("data-setting=\"worker.lease\"")
        .has("<code>10s</code>")
        .has("file /etc/baton.toml")
        .has("command line --slots")
        .has("<code>[log]</code>")
        .has("class=\"muted\">default")
        .has("href=\"./access#keys\"")
        .has(env!("CARGO_PKG_VERSION"));
}

#[tokio::test]
async fn of_a_secret_it_is_said_that_it_is_set() {
    let secret = Setting {
        name: "database.password".to_owned(),
        value: SettingValue::Secret,
        origin: Origin::Environment("BATON_DATABASE".to_owned()),
    };
    let about = About {
        settings: vec![secret],
        examiner: None,
    };
    let fixture = Fixture::new().about(about);

    let page = fixture.get("/admin/settings").await;

    page.has("data-setting=\"database.password\"")
        .has(">set</span>")
        .has("environment BATON_DATABASE");
}

#[tokio::test]
async fn what_was_found_is_told_by_shape_and_word() {
    let found = |mark, subject: &str, message: &str| Finding {
        mark,
        subject: subject.to_owned(),
        message: message.to_owned(),
    };
    let examiner = Finds(vec![
        found(Mark::Good, "clock", "0 ms apart"),
        found(Mark::Bad, "durability", "can be <lost>"),
    ]);
    let about = About {
        settings: Vec::new(),
        examiner: Some(Arc::new(examiner)),
    };
    let fixture = Fixture::new().about(about);

    let page = fixture.get("/admin/settings").await;

    page.has("data-finding=\"good\"")
        .has("<span class=\"mark\">bad</span> <b>durability</b> can be &#60;lost&#62;")
        .lacks("<lost>");
}

#[tokio::test]
async fn whoever_may_not_operate_stays_out_of_the_room_of_settings() {
    let operator = seen_by(Fixture::new(), Role::Operator);
    assert_eq!(operator.get("/admin/settings").await.status, 200);

    for role in [Role::Viewer, Role::Sender] {
        let fixture = seen_by(Fixture::new(), role);

        let denied = fixture.get("/admin/settings").await;
        let overview = fixture.get("/admin").await;

        assert_eq!(denied.status, 403, "{role}");
        overview.lacks("href=\"admin/settings\"");
    }
}
