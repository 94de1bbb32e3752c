import Foundation
import Testing

@Suite("Threads' names")
struct ThreadNameTests {
    /// The largest length of a thread's name, in bytes.
    ///
    /// `pthread_setname_np` refuses a longer name.
    private static let longest = 15

    /// The names that sources give to threads.
    private static let names: Set<String> = {
        let form = /(?:WorkerThread|ThreadExecutor|ForkJoinPool)\([^)\n]*name: "([^"\\]+)"/
        let files = SourceTree.modules.flatMap { SourceTree.files(in: SourceTree.folder(of: $0)) }
        return Set(
            files.flatMap { file in
                ((try? String(contentsOf: file, encoding: .utf8)) ?? "").matches(of: form).map { String($0.output.1) }
            })
    }()

    @Test("threads' names fit the kernel's limit of 15 bytes")
    func areShort() {
        #expect(Self.names.count > 20)
        #expect(Self.names.filter { $0.utf8.count > Self.longest } == [])
    }

    @Test("all threads' names are in the article on threads")
    func areTold() throws {
        let article = SourceTree.root.appending(path: "Sources/PipCompose/PipCompose.docc/Threads.md")
        let text = try String(contentsOf: article, encoding: .utf8)
        // Only tests use virtual time, so the article does not name the threads of its pool, `virtual-pool`.
        let missing = Self.names.filter { $0 != "virtual-pool" && !text.contains("`\($0)`") }
        #expect(missing.isEmpty, "\(missing.sorted())")
    }
}
