internal import Foundation

/// A test function of a test program.
public struct ListedTest: Equatable, Sendable {
    public let identifier: TestIdentifier
    /// The display name of the test: the text of `@Test`, or the function's name.
    public let name: String

    public init(_ identifier: TestIdentifier, name: String) {
        self.identifier = identifier
        self.name = name
    }

    /// Parses the event stream of `--list-tests`, which has one JSON document on each line.
    public static func list(eventStream: String) -> [ListedTest] {
        let decoder = JSONDecoder()
        return eventStream.split(separator: "\n").compactMap { line in
            guard let record = try? decoder.decode(Record.self, from: Data(line.utf8)), record.kind == "test",
                record.payload.kind == "function", let id = record.payload.id
            else { return nil }
            let identifier = TestIdentifier(eventStream: id)
            return ListedTest(identifier, name: record.payload.displayName ?? record.payload.name ?? id)
        }
    }

    private struct Record: Decodable {
        struct Payload: Decodable {
            var kind: String?
            var id: String?
            var name: String?
            var displayName: String?
        }
        var kind: String
        var payload: Payload
    }
}
