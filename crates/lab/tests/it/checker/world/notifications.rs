//! Notifications: one of which the first answer was lost, and one that was refused.

use baton_lab::checker::{InboxItem, Notified, Posted};

use super::{SECOND, START, World};

impl World {
    pub(super) fn notifications(&mut self) {
        let known = Posted::Ok {
            id: "ntf_1".to_owned(),
            created: false,
        };
        let refused = Posted::Refused {
            status: 503,
            problem: Some("unavailable".to_owned()),
        };
        let asked = [
            ("told-1", Posted::Unknown),
            ("told-1", known),
            ("told-2", refused),
        ];
        for ((key, answer), second) in asked.into_iter().zip(1..) {
            self.history.notifications.asked.push(Notified {
                start_us: START + second * SECOND,
                end_us: START + second * SECOND + SECOND / 2,
                key: key.to_owned(),
                recipients: vec!["ann".to_owned(), "bob".to_owned()],
                answer,
            });
        }
        let items = ["ann", "bob"].map(|recipient| InboxItem {
            recipient: recipient.to_owned(),
            notification: "ntf_1".to_owned(),
            title: "told-1".to_owned(),
        });
        self.history.notifications.items.extend(items);
    }
}
