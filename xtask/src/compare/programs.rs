//! The programs of the system that the comparison starts.

use std::path::Path;
use std::process::Command;

use crate::run::succeeds;
use crate::servers::{MARIADB, Need, POSTGRES, REDIS, is_on_the_path};

const HAS_MYSQL: &str = "exit(extension_loaded('pdo_mysql') ? 0 : 1);";
/// Where Debian puts the libraries of PHP.
const DOCTRINE: &str = "/usr/share/php/Doctrine/DBAL";
const MESSENGER: &str = "/usr/share/php/Symfony/Component/Messenger/Bridge/Doctrine";

pub const NEEDS: [Need; 12] = [
    POSTGRES,
    MARIADB,
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
        package: "php-cli",
        is_there: || is_on_the_path("php"),
    },
    Need {
        package: "php-mysql",
        is_there: || succeeds(Command::new("php").args(["-r", HAS_MYSQL])),
    },
    Need {
        package: "php-doctrine-dbal",
        is_there: || Path::new(DOCTRINE).exists(),
    },
    Need {
        package: "php-symfony-doctrine-messenger",
        is_there: || Path::new(MESSENGER).exists(),
    },
    Need {
        package: "python3",
        is_there: || is_on_the_path("python3"),
    },
    Need {
        package: "python3-venv",
        is_there: || succeeds(Command::new("python3").args(["-c", "import venv, ensurepip"])),
    },
];
