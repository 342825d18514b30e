//! The role that a provider of sign-ins gives somebody: by what one of its claims says.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::Role;

/// The claim that says an address of mail, and the one that says whether it was tried.
const EMAIL: &str = "email";
const EMAIL_VERIFIED: &str = "email_verified";

/// Of several roles somebody has the first of these.
const BEST_FIRST: [Role; 4] = [Role::Admin, Role::Operator, Role::Sender, Role::Viewer];

/// Which claim says what somebody may do, and what is meant by its values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimedRole {
    /// The claim: its name, or the way to it with dots between, such as `realm_access.roles`.
    pub claim: String,
    /// The role for each value; other values give none.
    pub roles: BTreeMap<String, Role>,
}

impl ClaimedRole {
    /// The role that these claims give, if they give one. An address of mail that the provider has not tried gives none.
    #[must_use]
    pub fn of(&self, claims: &Map<String, Value>) -> Option<Role> {
        let is_tried = claims.get(EMAIL_VERIFIED) == Some(&Value::Bool(true));
        if self.claim == EMAIL && !is_tried {
            return None;
        }
        let said = self.find(claims)?;
        let values = match said {
            Value::Array(values) => values.as_slice(),
            value => std::slice::from_ref(value),
        };
        let given = values.iter().filter_map(Value::as_str);
        let given: Vec<_> = given.filter_map(|value| self.roles.get(value)).collect();
        BEST_FIRST.into_iter().find(|role| given.contains(&role))
    }

    /// Whether these claims say anything of it.
    #[must_use]
    pub fn is_said(&self, claims: &Map<String, Value>) -> bool {
        self.find(claims).is_some()
    }

    /// A claim can have dots in its name; that goes before a way to it.
    fn find<'a>(&self, claims: &'a Map<String, Value>) -> Option<&'a Value> {
        claims.get(&self.claim).or_else(|| {
            let mut steps = self.claim.split('.');
            let first = claims.get(steps.next()?)?;
            steps.try_fold(first, |at, step| at.get(step))
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn role(claim: &str, claims: Value) -> Option<Role> {
        let roles = [
            ("admins", Role::Admin),
            ("night", Role::Operator),
            ("letters", Role::Sender),
            ("all", Role::Viewer),
            ("kim@example.org", Role::Viewer),
        ];
        let roles = roles.map(|(value, role)| (value.to_owned(), role)).into();
        let claim = claim.to_owned();
        let Value::Object(claims) = claims else {
            panic!("claims are an object");
        };
        ClaimedRole { claim, roles }.of(&claims)
    }

    #[test]
    fn a_value_of_the_claim_gives_its_role_and_of_several_the_best() {
        for (groups, expected) in [
            (json!(["all"]), Some(Role::Viewer)),
            (json!("night"), Some(Role::Operator)),
            (json!(["all", "letters", "night"]), Some(Role::Operator)),
            (json!(["x", "all", "admins"]), Some(Role::Admin)),
        ] {
            assert_eq!(role("groups", json!({ "groups": groups })), expected);
        }
    }

    #[test]
    fn what_is_not_in_the_table_gives_no_role() {
        for claims in [
            json!({}),
            json!({ "groups": [] }),
            json!({ "groups": ["Admins", "admins ", 7, null] }),
            json!({ "groups": { "admins": true } }),
            json!({ "groups": "admins all" }),
            json!({ "roles": ["admins"] }),
        ] {
            assert_eq!(role("groups", claims.clone()), None, "{claims}");
        }
    }

    #[test]
    fn dots_lead_to_a_claim_inside_another_unless_they_are_in_its_name() {
        let inside = json!({ "realm_access": { "roles": ["admins"] } });
        let named = json!({ "https://example.org/roles": ["night"] });

        assert_eq!(
            role("realm_access.roles", inside.clone()),
            Some(Role::Admin)
        );
        assert_eq!(
            role("https://example.org/roles", named),
            Some(Role::Operator)
        );
        assert_eq!(role("realm_access.groups", inside), None);
    }

    #[test]
    fn an_address_of_mail_gives_a_role_once_the_provider_has_tried_it() {
        let mail =
            |is_tried: Value| json!({ "email": "kim@example.org", "email_verified": is_tried });

        assert_eq!(role("email", mail(json!(true))), Some(Role::Viewer));
        for untried in [json!(false), json!("true"), json!(null)] {
            assert_eq!(role("email", mail(untried)), None);
        }
    }
}
