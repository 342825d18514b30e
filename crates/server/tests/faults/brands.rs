//! A story that is told once, of a server of either brand.

use baton_testkit::Brand;

/// Makes a story of a brand a test of each.
macro_rules! on_each_brand {
    ($($story:ident),+ $(,)?) => {
        $(mod $story {
            use baton_testkit::Brand;

            #[tokio::test(flavor = "multi_thread")]
            async fn on_mariadb() {
                super::$story(Brand::Mariadb).await;
            }

            #[tokio::test(flavor = "multi_thread")]
            async fn on_mysql() {
                super::$story(Brand::Mysql).await;
            }
        })+
    };
}

pub(crate) use on_each_brand;

/// What a story of this brand is called.
pub fn name(story: &str, brand: Brand) -> String {
    format!("{story}-{brand}").to_lowercase()
}
