//! The programs of the system that the comparison starts.

use crate::servers::{Need, REDIS, is_on_the_path, postgres_is_there};

pub const NEEDS: [Need; 6] = [
    Need {
        package: "postgresql",
        is_there: postgres_is_there,
    },
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
