# shellcheck shell=bash
# Roots of other systems, in which programs are built and tried, for scripts to
# source: made by mmdebstrap once, and entered by chroot in namespaces.
#
#   bookworm       Debian 12, amd64
#   trixie         Debian 13, amd64
#   sid            the next Debian, amd64, with Debian's own Swift
#   noble          Ubuntu 24.04, amd64; only as a bare root, for which its archive's keyring must be there
#   bare-SYSTEM    as a first installation leaves it, for a package to be installed in
#   trixie-arm64   Debian 13, arm64, with what the command is built with and runs with, and the library of Debian's
#                  Swift for arm64: programs are linked against it in `sid`, and run in it by QEMU
#
#   PIP_ROOTS    the folder of the roots (default: ~/.cache/pip-compose-roots)
#   PIP_MIRROR   the mirror of Debian's archive (default: http://deb.debian.org/debian)
#   PIP_UBUNTU_KEYRING   the keys of Ubuntu's archive, which Debian's systems lack (default: that of ubuntu-keyring)
#
# A root takes 2 GB, and 3 GB more with what is built in it. Needs to be root.

roots=${PIP_ROOTS:-${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/pip-compose-roots}
mirror=${PIP_MIRROR:-http://deb.debian.org/debian}
lab_cache=${PIP_LAB_CACHE:-${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/pip-compose-lab}
project=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
ubuntu_keyring=${PIP_UBUNTU_KEYRING:-/usr/share/keyrings/ubuntu-archive-keyring.gpg}
triple=aarch64-unknown-linux-gnu

# Ends with a sentence, and with $status or 1.
fail() {
    echo "${0##*/}: $*" >&2
    exit "${status:-1}"
}

# packages_of VARIABLE...: the Debian packages that the Makefile has in its variables, in the form of mmdebstrap.
packages_of() {
    local list=
    for variable; do list+=" \$($variable)"; done
    printf 'include Makefile\npackages:\n\t@echo%s\n' "$list" | make --silent --directory "$project" -f - packages | tr ' ' ','
}

# emulate: lets the kernel run programs for arm64 by QEMU.
emulate() {
    local formats=/proc/sys/fs/binfmt_misc
    "$project/Tests/setup" qemu-user-static binfmt-support arch-test
    [ -e "$formats/register" ] || mount -t binfmt_misc binfmt_misc "$formats" ||
        status=69 fail "the kernel has no binfmt_misc: programs for arm64 cannot run"
    [ -e "$formats/qemu-aarch64" ] || update-binfmts --enable qemu-aarch64
}

# add_testing_library TRIPLE FOLDER: adds the library of Testing's part for Foundation. Debian's Swift has its module
# without the library, of which the tests use no symbol.
add_testing_library() {
    enter sid "/usr/libexec/swift/bin/clang --target=$1 -fuse-ld=lld -nostdlib -shared -x c /dev/null \
        -o $2/lib_Testing_Foundation.so"
}

# make_root SYSTEM: makes a root, unless it is there. Packages that the list has since got are added to it.
make_root() {
    local root=$roots/$1 suite=${1#bare-} packages options=() archive=("$mirror")
    suite=${suite%-arm64}
    case $1 in
    *noble)
        [ -e "$ubuntu_keyring" ] || status=69 fail "a root of $1 needs $ubuntu_keyring, of Ubuntu's package ubuntu-keyring"
        # mmdebstrap knows the archive.
        archive=() options=("--keyring=$ubuntu_keyring")
        ;;
    *-arm64)
        emulate
        options=(--architectures=arm64)
        ;;
    esac
    # What `make test-setup` needs before it can install the rest, and what Swift links with.
    packages=ca-certificates,git,make,gcc,g++,libc6-dev,binutils,procps,tzdata,iproute2,python3
    packages+=,libcurl4-openssl-dev,libxml2-dev,libedit2,libncurses6,libsqlite3-0,zlib1g-dev,kmod,psmisc
    case $1 in
    bare-*) packages=ca-certificates ;;
    sid) packages+=,swiftlang ;;
    *-arm64)
        packages=$(packages_of BUILD_PACKAGES MEDIA_PACKAGES),libc6-dev,libstdc++-14-dev,dpkg-dev,binutils,procps
        # What tests compare with, and the fonts that they draw with.
        packages+=,tzdata,libheif-examples,libheif-plugin-x265,fonts-lohit-deva,fonts-tlwg-loma-otf
        packages+=,fonts-droid-fallback,fonts-noto-color-emoji
        # What the board boots with, and what looks at it.
        packages+=,systemd-sysv,udev,kmod,linux-image-arm64,iproute2,v4l-utils,alsa-utils,curl,file,ffmpeg
        ;;
    esac
    if [ -e "$root/etc/debian_version" ]; then
        if [ "$packages" = "$(cat "$root.packages" 2>/dev/null)" ]; then return; fi
        enter "$1" "apt-get --quiet update && DEBIAN_FRONTEND=noninteractive apt-get --quiet --yes \
            --no-install-recommends --no-upgrade install ${packages//,/ }" >"$root.log" 2>&1 ||
            status=69 fail "packages cannot be added to the root of $1: see $root.log"
        echo "$packages" >"$root.packages"
        return
    fi
    "$project/Tests/setup" mmdebstrap
    echo "${0##*/}: making a root of $1 in $root"
    mkdir -p "$roots"
    rm -rf "$root.part"
    # The copy of the next Debian on a mirror may be older than its signature allows.
    mmdebstrap --variant=apt --include="$packages" --components=main "${options[@]}" \
        --aptopt='Acquire::Check-Valid-Until "false"' "$suite" "$root.part" "${archive[@]}" >"$root.log" 2>&1 ||
        status=69 fail "mmdebstrap cannot make a root of $1: $(grep '^E:' "$root.log" | tail -n 1); see $root.log"
    mv "$root.part" "$root"
    echo "$packages" >"$root.packages"
    [ "$1" != sid ] || add_testing_library x86_64-pc-linux-gnu /usr/libexec/swift/lib/swift/linux
}

# add_swift_library: adds Swift's library for arm64, from Debian's packages, to the root trixie-arm64.
add_swift_library() {
    local target=$roots/trixie-arm64/usr/lib packages=$roots/sid/var/cache/swift
    if [ -e "$target/swift/linux/libswiftCore.so" ]; then return; fi
    enter sid 'dpkg --add-architecture arm64 && apt-get --quiet update &&
        mkdir -p /var/cache/swift && cd /var/cache/swift && rm -f *.deb &&
        apt-get --quiet download swiftlang:arm64 libswiftlang:arm64' >"$roots/swift.log" 2>&1 ||
        status=69 fail "Debian's Swift for arm64 cannot be downloaded: see $roots/swift.log"
    unpack "$packages"/swiftlang_*.deb "$target" swift swift_static clang
    unpack "$packages"/libswiftlang_*.deb "$target" swift
    rm -rf "$packages" "$target/swift/host"
    [ -e "$target/swift/linux/libswiftCore.so" ] ||
        status=69 fail "Debian's Swift for arm64 is not as expected: it has no libswiftCore.so"
    add_testing_library "$triple" /arm64/usr/lib/swift/linux
}

# unpack PACKAGE TARGET FOLDER...: unpacks folders of a package of Swift into another folder.
unpack() {
    local folders=("${@:3}")
    dpkg-deb --fsys-tarfile "$1" |
        tar --directory "$2" --extract --strip-components=5 "${folders[@]/#/./usr/libexec/swift/lib/}"
}

# The folders to which Git's configuration leads the addresses of packages.
package_folders() {
    git config --get-regexp '^url\..*\.insteadof$' |
        sed --quiet --regexp-extended 's/^url\.(file:\/\/)?(\/[^ ]*)\.insteadof .*/\2/p' | sort --unique
}

# check_out SYSTEM: brings the last commit into a root.
check_out() {
    local folder=$roots/$1/srv/pip-compose
    [ -d "$folder/.git" ] || git init --quiet "$folder"
    git -C "$folder" fetch --quiet "$project" HEAD
    git -C "$folder" checkout --quiet --force --detach FETCH_HEAD
}

# enter SYSTEM COMMAND: runs a command in a root, in the folder of the checkout.
enter() {
    local root=$roots/$1 mounts=() folder swift=
    while IFS= read -r folder; do mounts+=("$folder" "$folder"); done < <(package_folders)
    mounts+=("$lab_cache" /root/.cache/pip-compose-lab)
    case $1 in
    bare-*) ;;
    sid) if [ -d "$roots/trixie-arm64" ]; then mounts+=("$roots/trixie-arm64" /arm64); fi ;;
    # What was built for it lies in the checkout of the root that has the compiler.
    *-arm64) mounts+=("$roots/sid/srv/pip-compose" /srv/pip-compose) ;;
    *)
        command -v swift >/dev/null || fail "swift is not installed: see https://swift.org/install"
        swift=$(dirname "$(realpath "$(command -v swift)")")
        # The toolchain's folder, above usr/bin.
        mounts+=("${swift%/usr/bin}" "${swift%/usr/bin}")
        ;;
    esac
    mkdir -p "$lab_cache" "$root/srv/pip-compose"
    # The mounts end with the namespace, and processes that a command leaves behind with the other one.
    ROOT=$root SWIFT=$swift unshare --mount --pid --fork --kill-child bash -euc '
        command=$1
        shift
        while [ $# -gt 0 ]; do
            mkdir -p "$ROOT$2"
            mount --bind "$1" "$ROOT$2"
            shift 2
        done
        mount -t proc proc "$ROOT/proc"
        mount --rbind /dev "$ROOT/dev"
        mount --rbind /sys "$ROOT/sys"
        mount -t tmpfs tmpfs "$ROOT/run"
        cp /etc/resolv.conf "$ROOT/etc/resolv.conf"
        if [ -e /etc/gitconfig ]; then cp /etc/gitconfig "$ROOT/etc/gitconfig"; fi
        # Also the authorities that only this machine trusts, such as those of a proxy.
        authorities=/etc/ssl/certs/ca-certificates.crt
        if [ -e "$authorities" ] && [ -e "$ROOT$authorities" ]; then mount --bind "$authorities" "$ROOT$authorities"; fi
        exec chroot "$ROOT" /usr/bin/env -i HOME=/root LANG=C.UTF-8 TERM=dumb PIP_CERT="$authorities" \
            PATH="${SWIFT:+$SWIFT:}/usr/sbin:/usr/bin:/sbin:/bin" bash -c "cd /srv/pip-compose && $command" </dev/null
        ' enter "$2" "${mounts[@]}"
}

# cross_build SWIFT-BUILD-OPTION...: builds for arm64 in the root sid, into .build/arm64 of its checkout.
cross_build() {
    local library=swift
    case " $* " in *' --static-swift-stdlib '*) library=swift_static ;; esac
    cat >"$roots/sid/root/$library.json" <<END
{
    "version": 1, "sdk": "/arm64", "toolchain-bin-dir": "/usr/libexec/swift/bin", "target": "$triple",
    "dynamic-library-extension": "so", "extra-cc-flags": ["--sysroot=/arm64", "-fPIC"], "extra-cpp-flags": [],
    "extra-swiftc-flags": ["-sdk", "/arm64", "-resource-dir", "/arm64/usr/lib/$library", "-Xcc", "--sysroot=/arm64",
        "-use-ld=lld", "-Xclang-linker", "--sysroot=/arm64"]
}
END
    # SwiftPM reads PKG_CONFIG_PATH and not PKG_CONFIG_LIBDIR, and searches the folders of the machine's own pkg-config
    # after it.
    enter sid "export SWIFT_DETERMINISTIC_HASHING=1 PKG_CONFIG_SYSROOT_DIR=/arm64 \
        PKG_CONFIG_PATH=/arm64/usr/lib/aarch64-linux-gnu/pkgconfig:/arm64/usr/share/pkgconfig
        swift build -c release --disable-index-store --scratch-path .build/arm64/$library \
            --destination /root/$library.json $*"
}
