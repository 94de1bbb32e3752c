# Which tests failed, for scripts that run them once more.

# failed_tests REPORT: the identifiers of those that failed, of an xUnit report.
failed_tests() {
    awk -F '"' '/<testcase /{test = $2 "/" $4 "/"} /<failure/{print test}' "$1" | sort -u
}

# as_expression: what the identifiers of the standard input, and no others, match. A report has points where a path has slashes.
as_expression() {
    sed 's/[()]/\\&/g; s|\.|[./]|g; s/^/^/' | paste -s -d '|'
}
