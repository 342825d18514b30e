//! What the provider answers, path by path.

use std::{collections::HashMap, convert::Infallible, sync::Arc};

use base64::{
    Engine,
    engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD},
};
use http_body_util::{BodyExt, Collected, Full, combinators::BoxBody};
use hyper::{
    Request, Response, StatusCode,
    body::{Body, Bytes, Frame, Incoming},
    header::{AUTHORIZATION, CONTENT_TYPE, LOCATION},
};
use ring::digest;
use serde_json::{Value, json};
use url::{Url, form_urlencoded};

use super::{CLIENT, SECRET, State, Twist, tokens};

type Answer = Response<BoxBody<Bytes, Infallible>>;

pub async fn answer(state: Arc<State>, request: Request<Incoming>) -> Result<Answer, Infallible> {
    let path = request.uri().path().to_owned();
    *state.changing().asked.entry(path.clone()).or_default() += 1;
    let (head, body) = request.into_parts();
    let query = head.uri.query().unwrap_or_default().to_owned();
    let said = |name| {
        let value = head.headers.get(name);
        value
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default()
            .to_owned()
    };
    Ok(match path.as_str() {
        "/realms/ours/.well-known/openid-configuration" => json_of(200, &metadata(&state)),
        "/realms/ours/keys" => {
            let key = state.changing().key.published();
            // What is not known has to be left out, not to spoil the rest.
            let strange = json!({ "kty": "XYZ", "kid": "strange", "use": "sig" });
            let secret = json!({ "kty": "oct", "kid": "secret", "k": "c2VjcmV0" });
            json_of(200, &json!({ "keys": [strange, secret, key] }))
        }
        "/realms/ours/authorize" => {
            let asked = Url::parse(&format!("{}/authorize?{query}", state.issuer()));
            let back = authorize(&state, &asked.expect("its own address"));
            redirect(back.as_str())
        }
        "/realms/ours/tokens" => {
            let body = body.collect().await.map(Collected::to_bytes);
            redeem(&state, &said(AUTHORIZATION), &body.unwrap_or_default())
        }
        "/realms/ours/people" => people(&state, &said(AUTHORIZATION)),
        _ => json_of(404, &json!({})),
    })
}

fn metadata(state: &State) -> Value {
    let issuer = state.issuer();
    let said = match state.changing().twist {
        Twist::WrongMetadata => format!("{issuer}/"),
        _ => issuer.clone(),
    };
    json!({
        "issuer": said,
        "authorization_endpoint": format!("{issuer}/authorize?theme=dark"),
        "token_endpoint": format!("{issuer}/tokens"),
        "jwks_uri": format!("{issuer}/keys"),
        "userinfo_endpoint": format!("{issuer}/people"),
        "end_session_endpoint": format!("{issuer}/leave?theme=dark"),
        "id_token_signing_alg_values_supported": ["ES256"],
    })
}

/// Where a browser is sent back to that was sent here.
pub fn authorize(state: &State, asked: &Url) -> Url {
    let mut asked: HashMap<String, String> = asked.query_pairs().into_owned().collect();
    let fitting = [
        ("response_type", "code"),
        ("client_id", CLIENT),
        ("code_challenge_method", "S256"),
        ("theme", "dark"),
    ];
    for (name, value) in fitting {
        assert_eq!(asked.get(name).map(String::as_str), Some(value), "{name}");
    }
    let mut changing = state.changing();
    let twist = changing.twist;
    let mut back = Url::parse(&asked["redirect_uri"]).expect("an address to come back to");
    let told = match twist {
        Twist::WrongState => "0".repeat(64),
        _ => asked["state"].clone(),
    };
    back.query_pairs_mut().append_pair("state", &told);
    if twist == Twist::WrongIssuerOfAnswer {
        back.query_pairs_mut()
            .append_pair("iss", "https://evil.example");
    } else {
        back.query_pairs_mut().append_pair("iss", &state.issuer());
    }
    if twist == Twist::Canceled {
        back.query_pairs_mut().append_pair("error", "access_denied");
        return back;
    }
    let code = changing.draw();
    back.query_pairs_mut().append_pair("code", &code);
    asked.insert("claims".to_owned(), changing.claims.to_string());
    changing.codes.insert(code, asked);
    back
}

/// What a code is worth, once, to whoever has asked for it.
fn redeem(state: &State, authorization: &str, body: &[u8]) -> Answer {
    let form: HashMap<String, String> = form_urlencoded::parse(body).into_owned().collect();
    let mut changing = state.changing();
    match changing.twist {
        Twist::SlowTokens => return endless(),
        Twist::HugeTokens => {
            let huge = format!("{{\"id_token\": \"{}\"}}", "x".repeat(1024 * 1024));
            return text(200, huge);
        }
        Twist::RedirectedTokens => return redirect("/realms/ours/elsewhere"),
        _ => {}
    }
    if authorization != own() {
        return json_of(401, &json!({ "error": "invalid_client" }));
    }
    let field = |name: &str| form.get(name).map(String::as_str).unwrap_or_default();
    let Some(asked) = changing.codes.remove(field("code")) else {
        return json_of(
            400,
            &json!({ "error": "invalid_grant", "error_description": "canary" }),
        );
    };
    let shown = digest::digest(&digest::SHA256, field("code_verifier").as_bytes());
    let is_theirs = URL_SAFE_NO_PAD.encode(shown) == asked["code_challenge"];
    if !is_theirs || field("redirect_uri") != asked["redirect_uri"] {
        return json_of(400, &json!({ "error": "invalid_grant" }));
    }
    let claims: Value = serde_json::from_str(&asked["claims"]).expect("what was written");
    let id_token = tokens::id_token(
        &state.issuer(),
        &changing.key,
        changing.twist,
        &asked["nonce"],
        &claims,
    );
    let access_token = changing.draw();
    let more = match changing.twist {
        Twist::ClaimsOfAnother => json!({ "sub": "eve", "groups": ["admins"] }),
        _ => claims,
    };
    changing.access.insert(access_token.clone(), more);
    let told =
        json!({ "id_token": id_token, "access_token": access_token, "token_type": "Bearer" });
    json_of(200, &told)
}

fn people(state: &State, authorization: &str) -> Answer {
    let token = authorization.strip_prefix("Bearer ").unwrap_or_default();
    match state.changing().access.get(token) {
        Some(claims) => json_of(200, claims),
        None => json_of(401, &json!({ "error": "invalid_token" })),
    }
}

/// How our application proves who it is: name and secret, each as in a form.
fn own() -> String {
    let encoded = |text: &str| form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
    let both = format!("{}:{}", encoded(CLIENT), encoded(SECRET));
    format!("Basic {}", STANDARD.encode(both))
}

fn json_of(status: u16, value: &Value) -> Answer {
    text(status, value.to_string())
}

fn text(status: u16, body: String) -> Answer {
    let body = Full::new(Bytes::from(body)).boxed();
    answered(status, CONTENT_TYPE, "application/json", body)
}

fn redirect(to: &str) -> Answer {
    answered(303, LOCATION, to, Full::default().boxed())
}

/// A body that begins, and nothing more.
fn endless() -> Answer {
    struct Endless(bool);

    impl Body for Endless {
        type Data = Bytes;
        type Error = Infallible;

        fn poll_frame(
            mut self: std::pin::Pin<&mut Self>,
            _: &mut std::task::Context<'_>,
        ) -> std::task::Poll<Option<Result<Frame<Bytes>, Infallible>>> {
            match std::mem::replace(&mut self.0, true) {
                false => std::task::Poll::Ready(Some(Ok(Frame::data(Bytes::from_static(b"{"))))),
                true => std::task::Poll::Pending,
            }
        }
    }

    answered(
        200,
        CONTENT_TYPE,
        "application/json",
        Endless(false).boxed(),
    )
}

fn answered(
    status: u16,
    name: hyper::header::HeaderName,
    value: &str,
    body: BoxBody<Bytes, Infallible>,
) -> Answer {
    let mut answer = Response::new(body);
    *answer.status_mut() = StatusCode::from_u16(status).expect("a status");
    answer
        .headers_mut()
        .insert(name, value.parse().expect("a header"));
    answer
}
