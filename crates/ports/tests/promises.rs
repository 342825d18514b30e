//! The model keeps every promise.

use std::{process::ExitCode, sync::Arc};

use baton_ports::{
    MemoryStore,
    promises::{Fresh, StoreFactory, run},
};

fn main() -> ExitCode {
    let memory: StoreFactory = Arc::new(|| {
        Box::pin(async {
            let store = Arc::new(MemoryStore::new());
            Ok(Fresh::new(store))
        })
    });
    run(&[("memory", memory)])
}
