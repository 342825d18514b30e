//! The programs of the system that the comparison starts.

use crate::servers::{Need, POSTGRES, REDIS, is_on_the_path};

pub const NEEDS: [Need; 6] = [
    POSTGRES,
    REDIS,
    Need {
        package: "nginx",
        is_there: || is_on_the_path("nginx"),
    },
    Need {
        package: "wrk",
        is_there: || is_on_the_path("wrk"),
    },
    Need {
        package: "npm",
        is_there: || is_on_the_path("npm"),
    },
    Need {
        package: "python3",
        is_there: || is_on_the_path("python3"),
    },
];
