//! Packages of npm, installed beside a lock file.

use std::fs;
use std::path::Path;
use std::time::SystemTime;

/// npm leaves a copy of the lock file where it installed; as long as that is the newer one, the network
/// is not asked again.
pub fn is_installed(project: &Path) -> bool {
    let installed = changed(&project.join("node_modules/.package-lock.json"));
    installed.is_some() && installed >= changed(&project.join("package-lock.json"))
}

fn changed(file: &Path) -> Option<SystemTime> {
    fs::metadata(file).and_then(|file| file.modified()).ok()
}
