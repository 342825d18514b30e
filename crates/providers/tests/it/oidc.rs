//! Sign-ins at a provider: what is believed, and what is not.

use std::{sync::Arc, time::Duration};

use baton_domain::{
    Clock, Timestamp,
    access::{ClaimedRole, Identity, Role},
    time::SystemClock,
};
use baton_ports::{
    IdentityProvider,
    identity_provider::{AuthorizationRequest, AuthorizationResponse, Identified, ProviderError},
};
use baton_providers::{HttpConfig, Oidc, OidcConfig};
use baton_testkit::{
    Identities, Twist,
    identities::{CLIENT, SECRET},
};
use serde_json::json;
use url::Url;

const QUESTION: AuthorizationRequest<'static> = AuthorizationRequest {
    state: "a state",
    nonce: "a nonce",
    verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
    redirect_url: "https://jobs.example/admin/sign-in/callback",
};

fn config(provider: &Identities) -> OidcConfig {
    OidcConfig {
        issuer: provider.issuer(),
        client_id: CLIENT.to_owned(),
        client_secret: Some(SECRET.to_owned()),
        label: "Sign in".to_owned(),
        scopes: vec!["openid".to_owned()],
        role: ClaimedRole {
            claim: "groups".to_owned(),
            roles: [("admins".to_owned(), Role::Admin)].into(),
        },
        redirect_url: None,
        ca: None,
    }
}

fn oidc(config: OidcConfig) -> Oidc {
    Oidc::new(config, &HttpConfig::default(), Arc::new(SystemClock)).unwrap()
}

fn now() -> Timestamp {
    SystemClock.now()
}

/// What a browser brings back.
struct Back {
    state: String,
    code: String,
    issuer: String,
}

async fn visit(provider: &Identities, oidc: &Oidc) -> Back {
    let address = oidc.authorization_url(&QUESTION).await.unwrap();
    let back: Url = provider.visit(&address);
    let said = |name: &str| {
        let mut pairs = back.query_pairs();
        let found = pairs.find(|(given, _)| given == name);
        found
            .map(|(_, value)| value.into_owned())
            .unwrap_or_default()
    };
    Back {
        state: said("state"),
        code: said("code"),
        issuer: said("iss"),
    }
}

async fn redeem(oidc: &Oidc, back: &Back) -> Result<Identified, ProviderError> {
    let answer = AuthorizationResponse {
        code: &back.code,
        issuer: Some(&back.issuer),
        question: QUESTION,
    };
    oidc.identify(&answer, now()).await
}

async fn sign_in(provider: &Identities, oidc: &Oidc) -> Result<Identified, ProviderError> {
    let back = visit(provider, oidc).await;
    redeem(oidc, &back).await
}

#[tokio::test]
async fn whoever_the_provider_knows_is_known_by_who_they_are_there_with_a_role_of_the_table() {
    let provider = Identities::start().await;
    let oidc = oidc(config(&provider));

    let back = visit(&provider, &oidc).await;
    let identified = redeem(&oidc, &back).await.unwrap();

    assert_eq!(back.state, QUESTION.state);
    let kim = Identity {
        issuer: provider.issuer(),
        subject: "kim-7".to_owned(),
    };
    assert_eq!(identified.identity, kim);
    assert_eq!(identified.called[0], "Kim.Lee");
    assert_eq!(identified.role, Some(Role::Admin));
}

#[tokio::test]
async fn whoever_leaves_is_led_to_where_the_provider_ends_sessions() {
    let provider = Identities::start().await;
    let oidc = oidc(config(&provider));

    let url = oidc.sign_out_url().await.unwrap();

    let expected = format!("{}/leave?theme=dark&client_id={CLIENT}", provider.issuer());
    assert_eq!(url, Some(expected));
}

#[tokio::test]
async fn whoever_has_no_value_of_the_table_is_known_and_has_no_role() {
    let provider = Identities::start().await;
    provider.know(json!({ "sub": "lee", "groups": ["sales"] }));

    let identified = sign_in(&provider, &oidc(config(&provider))).await.unwrap();

    assert_eq!(
        (identified.role, &*identified.decided_by),
        (None, "the claim groups")
    );
}

#[tokio::test]
async fn a_token_that_says_anything_wrong_is_not_believed() {
    for (twist, why) in [
        (Twist::WrongNonce, "nonce"),
        (Twist::WrongAudience, "another application"),
        (Twist::OtherParty, "another application"),
        (Twist::WrongIssuer, "another issuer"),
        (Twist::Expired, "no longer good"),
        (Twist::NotYet, "not good yet"),
        (Twist::Endless, "exp"),
        (Twist::EndsAtText, "exp"),
        (Twist::Nobody, "nobody"),
        (Twist::NoSignature, "not believed"),
        (Twist::PublicKeyAsSecret, "not believed"),
        (Twist::Forged, "signature"),
        (Twist::UnknownKey, "none of its keys"),
        (Twist::WrongIssuerOfAnswer, "another provider"),
        (Twist::ClaimsOfAnother, "about another"),
    ] {
        let provider = Identities::start().await;
        provider.twist(twist);

        let refused = sign_in(&provider, &oidc(config(&provider))).await;

        let Err(ProviderError::Untrusted(told)) = refused else {
            panic!("{twist:?}: {refused:?}");
        };
        assert!(told.contains(why), "{twist:?}: {told}");
        // No token, and nothing of one.
        assert!(!told.contains("eyJ"), "{told}");
    }
}

#[tokio::test]
async fn a_code_is_worth_something_once_and_the_provider_s_own_words_are_not_repeated() {
    let provider = Identities::start().await;
    let oidc = oidc(config(&provider));
    let back = visit(&provider, &oidc).await;
    redeem(&oidc, &back).await.unwrap();

    let again = redeem(&oidc, &back).await;

    let Err(ProviderError::Refused(told)) = again else {
        panic!("{again:?}");
    };
    assert!(told.contains("invalid_grant"), "{told}");
    assert!(
        !told.contains("canary") && !told.contains(&back.code),
        "{told}"
    );
}

#[tokio::test]
async fn a_code_is_worth_nothing_to_whoever_has_not_asked_the_question() {
    let provider = Identities::start().await;
    let oidc = oidc(config(&provider));
    let back = visit(&provider, &oidc).await;

    let stolen = AuthorizationResponse {
        code: &back.code,
        issuer: None,
        question: AuthorizationRequest {
            verifier: "of somebody else",
            ..QUESTION
        },
    };

    let refused = oidc.identify(&stolen, now()).await;
    assert!(
        matches!(refused, Err(ProviderError::Refused(_))),
        "{refused:?}"
    );
}

#[tokio::test]
async fn a_wrong_secret_is_told_by_the_name_of_its_setting_and_not_by_its_letters() {
    let provider = Identities::start().await;
    let secret = Some("wrong canary".to_owned());
    let oidc = oidc(OidcConfig {
        client_secret: secret,
        ..config(&provider)
    });

    let refused = sign_in(&provider, &oidc).await;

    let Err(ProviderError::Refused(told)) = refused else {
        panic!("{refused:?}");
    };
    assert!(
        told.contains("access.oidc.client_secret") && !told.contains("canary"),
        "{told}"
    );
}

#[tokio::test]
async fn a_new_key_is_asked_for_once_and_what_it_signs_is_believed() {
    let provider = Identities::start().await;
    let oidc = oidc(config(&provider));
    sign_in(&provider, &oidc).await.unwrap();

    provider.rotate();
    sign_in(&provider, &oidc).await.unwrap();
    sign_in(&provider, &oidc).await.unwrap();

    assert_eq!(provider.asked("/realms/ours/keys"), 2);
    assert_eq!(
        provider.asked("/realms/ours/.well-known/openid-configuration"),
        1
    );
}

#[tokio::test]
async fn tokens_by_unknown_keys_do_not_have_the_provider_asked_each_time() {
    let provider = Identities::start().await;
    let oidc = oidc(config(&provider));
    provider.twist(Twist::UnknownKey);

    for _ in 0..5 {
        sign_in(&provider, &oidc).await.unwrap_err();
    }

    assert_eq!(provider.asked("/realms/ours/keys"), 2);
}

#[tokio::test]
async fn what_the_token_does_not_say_of_the_role_is_asked_for() {
    let provider = Identities::start().await;
    provider.twist(Twist::ClaimsElsewhere);

    let identified = sign_in(&provider, &oidc(config(&provider))).await.unwrap();

    assert_eq!(identified.role, Some(Role::Admin));
    assert_eq!(identified.called[0], "Kim.Lee");
    assert_eq!(provider.asked("/realms/ours/people"), 1);
}

#[tokio::test]
async fn an_answer_that_is_huge_or_leads_elsewhere_is_none() {
    for (twist, why) in [
        (Twist::HugeTokens, "more than 256 KiB"),
        (Twist::RedirectedTokens, "redirects are not followed"),
    ] {
        let provider = Identities::start().await;
        let oidc = oidc(config(&provider));
        provider.twist(twist);

        let refused = sign_in(&provider, &oidc).await;

        let Err(ProviderError::Away(told)) = refused else {
            panic!("{twist:?}: {refused:?}");
        };
        assert!(told.contains(why), "{told}");
        assert_eq!(provider.asked("/realms/ours/elsewhere"), 0);
    }
}

#[tokio::test]
async fn an_answer_that_does_not_end_is_not_waited_for_for_ever() {
    let provider = Identities::start().await;
    let oidc = oidc(config(&provider));
    let back = visit(&provider, &oidc).await;
    provider.twist(Twist::SlowTokens);

    let bounded = tokio::time::timeout(Duration::from_secs(30), redeem(&oidc, &back));

    let refused = bounded.await.expect("it gives up by itself");
    assert!(
        matches!(&refused, Err(ProviderError::Away(_))),
        "{refused:?}"
    );
}

#[tokio::test]
async fn a_provider_that_calls_itself_otherwise_is_not_the_one_that_is_configured() {
    let provider = Identities::start().await;
    provider.twist(Twist::WrongMetadata);

    let met = oidc(config(&provider)).meet().await;

    let Err(ProviderError::Untrusted(told)) = met else {
        panic!("{met:?}");
    };
    assert!(told.contains("letter by letter"), "{told}");
}

#[tokio::test]
async fn a_provider_that_is_not_there_is_told_by_its_address() {
    let issuer = Identities::start().await.issuer();
    let provider = Identities::start().await;
    let oidc = oidc(OidcConfig {
        issuer: issuer.clone(),
        ..config(&provider)
    });

    let met = oidc.meet().await;

    let Err(ProviderError::Away(told)) = met else {
        panic!("{met:?}");
    };
    let origin = issuer.trim_end_matches("/realms/ours");
    assert!(told.contains(origin), "{told}");
}
