#if Media
import Testing

@testable import PipMedia

@Suite("Edit lists")
struct MovieEditsTests {
    typealias Edit = MovieEdits.Edit

    @Test(
        "the beginning of a movie is left out of its edits",
        arguments: [
            ([Edit(length: 100, start: 5)], 0, [Edit(length: 100, start: 5)]),
            ([Edit(length: 100, start: 5)], 30, [Edit(length: 70, start: 65)]),
            (
                [Edit(length: 10, start: nil), Edit(length: 90, start: 0)], 4,
                [Edit(length: 6, start: nil), Edit(length: 90, start: 0)]
            ),
            ([Edit(length: 10, start: nil), Edit(length: 90, start: 0)], 30, [Edit(length: 70, start: 40)]),
            ([Edit(length: 10, start: nil), Edit(length: 90, start: 0)], 10, [Edit(length: 90, start: 0)]),
            ([Edit(length: 10, start: 0)], 10, []),
        ])
    func skipping(_ edits: [Edit], _ skipped: Int, _ left: [Edit]) {
        #expect(MovieEdits.skipping(UInt64(skipped), of: edits, scale: 2) == left)
    }
}
#endif
