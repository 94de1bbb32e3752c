# shellcheck shell=bash
# The place of the camera lab's guest; build, lab and selftest source this file.
# The guest has two parts, and a change to the small part rebuilds only that:
#
#   kernel-VERSION-HASH   linux, lib/modules      from kernel/ and guest/modules/
#   guest-HASH            init, usb-camera        from the rest of guest/
#
# HASH is the hash of the files that a part is made from. A part is moved to the
# cache when it is complete, so the cache has no incomplete part.

lab_sources=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
lab_cache=${PIP_LAB_CACHE:-${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/pip-compose-lab}

kernel_inputs=('kernel/*' 'kernel/patches/*' 'guest/modules/*')
guest_inputs=('guest/make' 'guest/init/*' 'guest/usb-camera/*')

# Prints a hash of the names and contents of the files that match the given patterns.
hash_of() {
    local sums
    # shellcheck disable=SC2068 # the shell must expand the patterns
    sums=$(cd "$lab_sources" && LC_ALL=C sha256sum -- $@ 2>/dev/null | sha256sum)
    printf '%s' "${sums:0:12}"
}

# Prints the folder of the newest kernel that fits the sources, and nothing if there is none.
find_kernel() {
    local entry newest=
    for entry in "$lab_cache"/kernel-*-"$(hash_of "${kernel_inputs[@]}")"; do
        if [ -d "$entry" ] && ! [ "$newest" -nt "$entry" ]; then newest=$entry; fi
    done
    printf '%s' "$newest"
}

# Prints the folder of the guest's programs that fit the sources, and nothing if there is none.
find_guest() {
    local entry
    entry=$lab_cache/guest-$(hash_of "${guest_inputs[@]}")
    if [ -d "$entry" ]; then printf '%s' "$entry"; fi
}
