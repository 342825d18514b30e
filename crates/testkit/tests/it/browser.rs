use std::io::{Read, Write};
use std::net::TcpListener;
use std::thread;
use std::time::Duration;

use baton_testkit::{Browser, eventually};
use fantoccini::Locator;
use tokio::sync::Mutex;

use crate::residue;

const PAGE: &str =
    "<title>Hello</title><button onclick=\"document.title = 'Pressed'\">Press</button>";

/// Browsers of other tests would be counted too.
static ONE_AT_A_TIME: Mutex<()> = Mutex::const_new(());

#[tokio::test]
async fn a_page_is_loaded_and_its_button_pressed() {
    let _turn = ONE_AT_A_TIME.lock().await;
    let url = serve(PAGE);
    let browser = Browser::open().await;

    browser.goto(&url).await.unwrap();
    browser
        .find(Locator::Css("button"))
        .await
        .unwrap()
        .click()
        .await
        .unwrap();

    eventually("the title changes", Duration::from_secs(20), async || {
        browser.title().await.unwrap() == "Pressed"
    })
    .await;
}

#[tokio::test]
async fn what_a_page_complains_of_is_told_once() {
    let _turn = ONE_AT_A_TIME.lock().await;
    let page = "<title>Sad</title><script>console.log('fine'); throw new Error('broken')</script>";
    let url = serve(page);
    let browser = Browser::open().await;

    browser.goto(&url).await.unwrap();
    let complaints = browser.complaints().await;

    assert_eq!(complaints.len(), 1, "{complaints:?}");
    assert!(complaints[0].contains("broken"), "{complaints:?}");
    assert!(browser.complaints().await.is_empty());
}

#[tokio::test]
async fn what_keeps_people_from_a_page_is_told_by_its_rule_and_its_place() {
    let _turn = ONE_AT_A_TIME.lock().await;
    let page =
        "<html lang='en'><title>Bare</title><main><h1>Bare</h1><img id='bare' src='data:,'></main>";
    let browser = Browser::open().await;
    browser.goto(&serve(page)).await.unwrap();

    let barriers = browser.barriers().await;

    assert_eq!(barriers.len(), 1, "{barriers:?}");
    assert!(barriers[0].starts_with("image-alt: "), "{barriers:?}");
    assert!(barriers[0].contains("#bare"), "{barriers:?}");
}

#[tokio::test]
async fn a_page_is_drawn_for_whoever_prefers_the_dark_and_then_the_light() {
    const IS_DARK: &str = "return matchMedia('(prefers-color-scheme: dark)').matches";
    let _turn = ONE_AT_A_TIME.lock().await;
    let browser = Browser::open().await;

    browser.prefer("dark").await;
    browser.goto(&serve(PAGE)).await.unwrap();
    let at_first = browser.execute(IS_DARK, Vec::new()).await.unwrap();
    browser.prefer("light").await;
    let then = browser.execute(IS_DARK, Vec::new()).await.unwrap();

    assert_eq!((at_first, then), (true.into(), false.into()));
}

#[tokio::test]
async fn a_closed_browser_leaves_nothing_behind() {
    let _turn = ONE_AT_A_TIME.lock().await;
    let browser = Browser::open().await;
    browser.goto(&serve(PAGE)).await.unwrap();
    let while_open = residue_of_browsers();

    drop(browser);

    assert!(
        while_open > 3,
        "a folder, a driver, a browser and its children, not {while_open}"
    );
    assert_eq!(residue_of_browsers(), 0);
}

fn residue_of_browsers() -> usize {
    let residue = residue::of(std::process::id());
    residue
        .iter()
        .filter(|path| path.to_string_lossy().contains("-browser"))
        .count()
}

/// Answers every request with the page until the test process ends.
fn serve(page: &'static str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let _ = stream.read(&mut [0; 4096]);
            let length = page.len();
            let head =
                format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {length}");
            let _ = write!(stream, "{head}\r\nConnection: close\r\n\r\n{page}");
        }
    });
    url
}
