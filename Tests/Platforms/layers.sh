# shellcheck shell=bash
# Layers in memory over bare roots, in which a script of steps runs, for other scripts to source after roots.sh. The
# roots stay as they are.
#
# The script of steps is $work/packages/steps. It begins each step with "STEP: NAME", and ends with "STEPS DONE".

"$project/Tests/setup" ffmpeg
work=$(mktemp -d)
mount -t tmpfs tmpfs "$work"
trap 'umount --recursive --lazy "$work"; rmdir "$work"' EXIT
mkdir "$work/packages"

# say WORD...: tells of the layer at hand.
say() { echo "${0##*/}: $label: $*"; }

# perform_steps SYSTEM [ARGUMENT...]: runs the steps with the arguments in a new layer over the bare root of a system.
# All that they write is then in the folder $upper.
perform_steps() {
    label=$*
    local layer=$work/${label// /-}
    upper=$layer/upper
    log=$roots/bare-${label// /-}-${0##*/}.log
    make_root "bare-$1"
    mkdir -p "$upper" "$layer/work" "$layer/bare-$1"
    mount -t overlay overlay -o "lowerdir=$roots/bare-$1,upperdir=$upper,workdir=$layer/work" "$layer/bare-$1"
    mkdir "$layer/bare-$1/packages"
    mount --bind "$work/packages" "$layer/bare-$1/packages"
    say "told in $log"
    (roots=$layer && enter "bare-$1" "bash /packages/steps ${*:2}") >"$log" || true
    umount "$layer/bare-$1/packages"
}

# steps_done: whether all steps of the last layer were done. Tells of the step that failed.
steps_done() {
    if grep --quiet '^STEPS DONE' "$log"; then return; fi
    say "the step \"$(sed -n 's/^STEP: //p' "$log" | tail -n 1)\" failed:"
    tail -n 15 "$log"
    return 1
}

# film_is CODEC|WIDTH|HEIGHT|FRAMES: whether ffprobe finds this in /root/film.mp4 of the last layer.
film_is() {
    local film
    film=$(ffprobe -v error -count_frames -select_streams v -of compact=nokey=1:print_section=0 \
        -show_entries stream=codec_name,width,height,nb_read_frames "$upper/root/film.mp4" 2>&1) || true
    say "film.mp4 is $film"
    [ "$film" = "$1" ]
}

# nothing_left FILES: whether a list of files that were left behind is empty. Shows them.
nothing_left() {
    [ -n "$1" ] || return 0
    say "left behind:"
    echo "$1"
    return 1
}
