//! Races on each server: everything that can happen to a job at once, happens in some order.

/// Makes a sentence about a store and somebody beside it a test on each server.
macro_rules! on_each_server {
    ($($sentence:ident),+ $(,)?) => {
        $(mod $sentence {
            use baton_testkit::Brand;

            use crate::races::onlooker;

            #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
            async fn on_postgresql() {
                let (store, onlooker) = onlooker::on_postgres().await;
                super::$sentence(store, onlooker).await;
            }

            #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
            async fn on_mariadb() {
                let (store, onlooker) = onlooker::on_mysql(Brand::Mariadb).await;
                super::$sentence(store, onlooker).await;
            }

            #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
            async fn on_mysql() {
                let (store, onlooker) = onlooker::on_mysql(Brand::Mysql).await;
                super::$sentence(store, onlooker).await;
            }
        })+
    };
}

mod checkpoint;
mod crowd;
mod expanders;
mod hangups;
mod lease;
mod onlooker;
mod sweep;
