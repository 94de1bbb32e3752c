# Merges the tests of the fault matrix, their results, their figures and the matrix (in this order of files) into one line a row,
# as text or as a table.
BEGIN {
    FS = "\t"
    if (format == "table") {
        print "# Faults"
        print ""
        print "Made by `make faults`, which injects each fault and measures what becomes of it: in the camera lab on the kernel's own"
        print "drivers and disks, on this machine, or through a fake of the kernel. What must hold is promised; what was measured is of"
        print "the last run. A row without a test says so."
        print ""
        print "| # | Fault | What must hold | Where | Measured | Result |"
        print "|---|---|---|---|---|---|"
    }
}
FILENAME ~ /tests.tsv$/ {
    tests[$1]++
    note_place($1, $2 ~ /^LabTests\./ ? "lab" : $2 ~ /^PipCaptureTests\./ ? "fake" : "host")
    next
}
FILENAME ~ /\.results$/ { results[$1, $2]++; next }
FILENAME ~ /\.figures$/ {
    if ($2 != "-") { given[$1] = given[$1] (index(given[$1], $2) ? "" : (given[$1] ? ", " : "") $2) }
    if (!index(figures[$1], $3)) { figures[$1] = figures[$1] (figures[$1] ? "; " : "") $3 }
    next
}
/^#/ { next }
wanted ~ /[0-9]/ && index(wanted, " " $1 " ") == 0 { next }
{
    where = given[$1] ? given[$1] (places[$1] ~ /lab/ ? ", lab" : "") : places[$1]
    if (!tests[$1]) { result = $4 ? $4 : "not covered" }
    else if (results[$1, "failed"]) { result = "failed" }
    else if (results[$1, "passed"]) { result = "pass" (results[$1, "skipped"] ? ", in part skipped" : "") }
    else { result = results[$1, "skipped"] ? "skipped" : "did not run" }
    note = tests[$1] && $4 ? "; " $4 : ""
    if (format == "table") { printf "| %d | %s | %s | %s | %s | %s |\n", $1, $2, $3, where, figures[$1], result note }
    else { printf "%2d  %-66s  %-10s  %s%s%s\n", $1, $2, where, result, (figures[$1] ? ": " figures[$1] : ""), note }
}
function note_place(row, place) {
    if (!index(places[row], place)) { places[row] = places[row] (places[row] ? ", " : "") place }
}
