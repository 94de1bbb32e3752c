# shellcheck shell=bash
# Where the camera lab's guest is kept, for build, lab and selftest to source.
# It comes in two parts, so that a change to the small one rebuilds only that:
#
#   kernel-VERSION-HASH   linux, lib/modules      from kernel/ and guest/modules/
#   guest-HASH            init, usb-camera        from the rest of guest/
#
# HASH is that of the files a part is made from. A part is moved here when it is
# finished: what is here is whole.

lab_sources=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
lab_cache=${PIP_LAB_CACHE:-${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/pip-compose-lab}

kernel_inputs=('kernel/*' 'kernel/patches/*' 'guest/modules/*')
guest_inputs=('guest/make' 'guest/init/*' 'guest/usb-camera/*')

# Prints the hash of the files that match the patterns given, names included.
hash_of() {
    local sums
    # shellcheck disable=SC2068 # the patterns are to be expanded here
    sums=$(cd "$lab_sources" && LC_ALL=C sha256sum -- $@ 2>/dev/null | sha256sum)
    printf '%s' "${sums:0:12}"
}

# Prints the newest kernel that fits the sources; nothing when there is none.
find_kernel() {
    local entry newest=
    for entry in "$lab_cache"/kernel-*-"$(hash_of "${kernel_inputs[@]}")"; do
        if [ -d "$entry" ] && ! [ "$newest" -nt "$entry" ]; then newest=$entry; fi
    done
    printf '%s' "$newest"
}

# Prints the guest's programs that fit the sources; nothing when there are none.
find_guest() {
    local entry
    entry=$lab_cache/guest-$(hash_of "${guest_inputs[@]}")
    if [ -d "$entry" ]; then printf '%s' "$entry"; fi
}
