#!/bin/bash
# Builds the Debian package of a program that is already built: build.sh PROGRAM FOLDER
# Prints the path of the package. Needs dpkg-dev; `cargo xtask deb` builds the program as well. LEVEL=1 packs in a hurry.
set -euo pipefail

program=$(realpath "$1")
folder=$(realpath "$2")
here=$(cd "$(dirname "$0")" && pwd)
source=$(cd "$here/../.." && pwd)
# The same commit makes the same package.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$source" log -1 --format=%ct 2>/dev/null || stat -c %Y "$program")}
export SOURCE_DATE_EPOCH

# The first package of a version; `0.2.0-rc.1` comes before `0.2.0`.
version=$("$program" version | cut -d' ' -f2)
version=${version/-/\~}-1
architecture=$(dpkg --print-architecture)

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tree=$work/tree
umask 022

files() {
    install -D -m 0755 "$program" "$tree/usr/bin/baton"
    strip --strip-unneeded --remove-section=.comment --remove-section=.note "$tree/usr/bin/baton"
    install -D -m 0644 "$source/deploy/baton.service" "$tree/usr/lib/systemd/system/baton.service"
    install -D -m 0644 "$here/package.conf" "$tree/usr/lib/systemd/system/baton.service.d/package.conf"
    install -D -m 0644 "$here/baton.sysusers" "$tree/usr/lib/sysusers.d/baton.conf"
    install -D -m 0644 "$here/baton.toml" "$tree/etc/baton/baton.toml"
    completions
    documents
}

completions() {
    local shares=$tree/usr/share
    install -d "$shares/bash-completion/completions" "$shares/zsh/vendor-completions" "$shares/fish/vendor_completions.d"
    "$program" completions bash >"$shares/bash-completion/completions/baton"
    "$program" completions zsh >"$shares/zsh/vendor-completions/_baton"
    "$program" completions fish >"$shares/fish/vendor_completions.d/baton.fish"
}

documents() {
    local documents=$tree/usr/share/doc/baton
    install -d "$documents/examples" "$tree/usr/share/man/man1"
    "$program" doctor --defaults >"$documents/examples/baton.toml"
    install -m 0644 "$source/deploy/prometheus.yml" "$source/deploy/baton.rules.yml" "$source/deploy/grafana/baton.json" "$documents/examples"
    gzip -9n <"$source/CHANGELOG.md" >"$documents/changelog.gz"
    {
        printf 'baton (%s) unstable; urgency=medium\n\n  * What has changed is told in changelog.gz.\n\n' "$version"
        printf ' -- %s  %s\n' "$(sed -n 's/^Maintainer: //p' "$here/control.in")" "$(date -uR -d "@$SOURCE_DATE_EPOCH")"
    } | gzip -9n >"$documents/changelog.Debian.gz"
    gzip -9n <"$here/baton.1" >"$tree/usr/share/man/man1/baton.1.gz"
    {
        printf 'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n'
        printf 'Upstream-Name: baton\n\nFiles: *\nCopyright: the Baton authors\nLicense: Expat or Apache-2.0\n\nLicense: Expat\n'
        tail -n +3 "$source/LICENSE-MIT" | sed 's/^$/./; s/^/ /'
        printf '\nLicense: Apache-2.0\n See /usr/share/common-licenses/Apache-2.0.\n'
    } >"$documents/copyright"
}

control() {
    local libraries size
    # It asks for a source package, of which it reads nothing but the name.
    install -d "$work/debian" "$tree/DEBIAN"
    printf 'Source: baton\n\nPackage: baton\nArchitecture: any\n' >"$work/debian/control"
    libraries=$(cd "$work" && dpkg-shlibdeps -O tree/usr/bin/baton | sed -n 's/^shlibs:Depends=//p')
    size=$(du -sk --apparent-size "$tree" | cut -f1)
    sed -e "s/@VERSION@/$version/" -e "s/@ARCHITECTURE@/$architecture/" -e "s/@SIZE@/$size/" -e "s/@LIBRARIES@/$libraries/" \
        "$here/control.in" >"$tree/DEBIAN/control"
    printf '/etc/baton/baton.toml\n' >"$tree/DEBIAN/conffiles"
    install -m 0755 "$here/postinst" "$here/prerm" "$here/postrm" "$tree/DEBIAN"
    (cd "$tree" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum) >"$tree/DEBIAN/md5sums"
}

files
control
dpkg-deb --root-owner-group -Zxz "-z${LEVEL:-6}" --build "$tree" "$folder" >&2
printf '%s/baton_%s_%s.deb\n' "$folder" "$version" "$architecture"
