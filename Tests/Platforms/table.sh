# shellcheck shell=bash
# The table of docs/platforms.md, and what a run's log says for it, for `run` to
# source.

# write ROW SYSTEM TABLE: puts a row into a table, in the place of the system's former one.
write() {
    {
        cat <<'END'
# Systems

`make platforms SYSTEM=trixie` makes a root of a system, runs in it what stands for the system, and writes that system's row here. No row is written by hand.

| System | Compiler | Processor | What ran | Passed | Failed | Skipped | Date | Commit |
|---|---|---|---|---|---|---|---|---|
END
        {
            sed --quiet '/^| Debian/p' "$3" 2>/dev/null | grep --invert-match --fixed-strings "($2)" || true
            echo "$1"
        } | LC_ALL=C sort
    } >"$3.part"
    mv "$3.part" "$3"
}

# counts LOG: the numbers of passed, failed and skipped tests, and the reasons of the last two.
counts() {
    local log=$1 skipped failed
    if grep --quiet '^[0-9]* passed, [0-9]* failed, [0-9]* skipped$' "$log"; then
        skipped=$(sed --quiet '/^== skipped$/,/^\(==\|[0-9]* passed,\)/{s/ (.*//;/^[0-9]*: /p}' "$log")
        failed=$(sed --quiet '/^== what failed$/,/^[0-9]* passed,/{/^[A-Z][A-Za-z]*\./p}' "$log")
        grep '^[0-9]* passed, [0-9]* failed, [0-9]* skipped$' "$log" | tail -n 1 | sed 's/[^0-9 ]//g'
    else
        # What Swift Testing prints itself: one line for each test, by its outcome, and one for the run.
        log=$(grep --invert-match '^. Test run with' "$log" || true)
        skipped=$(sed --quiet 's/^. Test .* skipped: "\(.*\)"$/\1/p' <<<"$log" | sort | uniq --count | sed 's/^ *\([0-9]*\) /\1: /')
        failed=$(sed --quiet 's/^. Test \(.*\) failed after .*/\1/p' <<<"$log")
        echo "$(grep --count '^. Test .* passed after' <<<"$log") $(grep --count '^. Test .* failed after' <<<"$log")" \
            "$(grep --count '^. Test .* skipped' <<<"$log")"
    fi
    paste --serial --delimiters=';' <<<"$failed"
    paste --serial --delimiters=';' <<<"$skipped"
}
