//! An authority of our own, and a stranger, for servers and clients that show certificates.

use std::{fs, os::unix::fs::PermissionsExt, path::Path, process::Command};

use tempfile::TempDir;

/// A folder with the certificate of an authority, `ca.pem`, of one that vouches for nobody, `stranger.pem`, and what was signed.
pub struct Authority(TempDir);

impl Authority {
    pub fn new() -> Self {
        let authority = Self(tempfile::tempdir().unwrap());
        // A server reads its own as the user that it runs as.
        let readable = fs::Permissions::from_mode(0o755);
        fs::set_permissions(authority.path(), readable).unwrap();
        for name in ["ca", "stranger"] {
            authority.make(name);
        }
        authority
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Signs a certificate of a server that is called `localhost`, whose key it can read.
    pub fn certify_server(&self, file: &str) {
        self.certify(file, "localhost", "subjectAltName=DNS:localhost");
        let readable = fs::Permissions::from_mode(0o644);
        fs::set_permissions(self.path().join(format!("{file}.key")), readable).unwrap();
    }

    /// Signs a certificate of somebody who connects.
    pub fn certify_client(&self, file: &str, name: &str) {
        self.certify(file, name, "extendedKeyUsage=clientAuth");
    }

    fn make(&self, name: &str) {
        let make = format!(
            "req -x509 -newkey rsa:2048 -nodes -keyout {name}.key -out {name}.pem -days 30 \
             -addext basicConstraints=critical,CA:TRUE -addext keyUsage=keyCertSign -subj"
        );
        self.openssl(&make, &format!("/CN=The {name} of this test"));
    }

    fn certify(&self, file: &str, name: &str, extension: &str) {
        fs::write(self.path().join("extension"), extension).unwrap();
        let subject = format!("/CN={name}");
        self.openssl(
            &format!("req -newkey rsa:2048 -nodes -keyout {file}.key -out {file}.csr -subj"),
            &subject,
        );
        let sign = format!(
            "x509 -req -in {file}.csr -CA ca.pem -CAkey ca.key -CAcreateserial -out {file}.pem -days 30 -extfile"
        );
        self.openssl(&sign, "extension");
    }

    fn openssl(&self, words: &str, last: &str) {
        let made = Command::new("openssl")
            .current_dir(self.path())
            .args(words.split_whitespace())
            .arg(last)
            .output()
            .expect("openssl; `cargo xtask setup` installs it");
        let said = String::from_utf8_lossy(&made.stderr);
        assert!(made.status.success(), "openssl {words}: {said}");
    }
}
