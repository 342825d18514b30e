#!/bin/bash
# Looks into a package, installs it into a folder of its own, runs the program from there, and removes it: try.sh PACKAGE
set -euo pipefail

package=$(realpath "$1")
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
fail() {
    printf 'try.sh: %s\n' "$1" >&2
    exit 1
}

contents=$(dpkg-deb --contents "$package")
for file in usr/bin/baton usr/lib/systemd/system/baton.service usr/lib/sysusers.d/baton.conf etc/baton/baton.toml \
    usr/share/bash-completion/completions/baton usr/share/man/man1/baton.1.gz usr/share/doc/baton/copyright; do
    grep -q " \./$file\$" <<<"$contents" || fail "the package lacks /$file"
done
if grep -v ' root/root ' <<<"$contents"; then
    fail 'the lines above are not of root'
fi

# Away from the system: its own list of packages, and nobody in chroot, for there is no shell to be.
mkdir -p "$root"/var/lib/dpkg/{info,updates} "$root/etc"
touch "$root"/var/lib/dpkg/{status,available}
dpkg_there() {
    dpkg --root="$root" --force-script-chrootless --force-depends --force-not-root --log=/dev/null "$@"
}
dpkg_there --install "$package" >/dev/null
dpkg_there --status baton | grep -q '^Status: install ok installed' || fail 'it is not installed'
grep -q '^baton:' "$root/etc/passwd" || fail 'there is no user baton'

baton=$root/usr/bin/baton
"$baton" version >/dev/null
# The settings that it brings, in a folder of the trial.
"$baton" doctor --config "$root/etc/baton/baton.toml" --data-dir "$root/var/lib/baton" --listen 127.0.0.1:0 >/dev/null ||
    fail 'a server would not work with the settings of the package'

printf '# changed\n' >>"$root/etc/baton/baton.toml"
dpkg_there --remove baton >/dev/null
[ ! -e "$baton" ] || fail 'the program is still there'
grep -q changed "$root/etc/baton/baton.toml" || fail 'changed settings were thrown away'
dpkg_there --purge baton >/dev/null
[ ! -e "$root/etc/baton/baton.toml" ] || fail 'the settings outlived a purge'
printf 'The package %s is whole, and can be installed, run and removed.\n' "$(basename "$package")"
