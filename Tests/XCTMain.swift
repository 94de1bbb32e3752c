// The main program of the test bundle. With a file of this name SwiftPM looks for no tests of XCTest's, for which it
// would need an index of all sources.
import Testing

await Testing.__swiftPMEntryPoint() as Never
