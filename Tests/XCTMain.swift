// The main program of the test bundle. Its name tells SwiftPM not to search for XCTest's tests, which would need an
// index of all sources.
import Testing

await Testing.__swiftPMEntryPoint() as Never
