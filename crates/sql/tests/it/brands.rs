//! What is written once for MySQL's dialect is tried on MariaDB and on MySQL itself.

/// Makes a sentence about a brand a test of each.
macro_rules! on_each_brand {
    ($($sentence:ident),+ $(,)?) => {
        $(mod $sentence {
            use baton_testkit::Brand;

            #[tokio::test]
            async fn on_mariadb() {
                super::$sentence(Brand::Mariadb).await;
            }

            #[tokio::test]
            async fn on_mysql() {
                super::$sentence(Brand::Mysql).await;
            }
        })+
    };
}

pub(crate) use on_each_brand;
