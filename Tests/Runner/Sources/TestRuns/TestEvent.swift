internal import Foundation

/// An event that Swift Testing reports while tests run.
public enum TestEvent: Equatable, Sendable {
    case started(TestIdentifier)
    case ended(TestIdentifier)
    /// A test or a whole suite was skipped, or a test has cancelled itself, for a reason.
    case skipped(TestIdentifier, reason: String)
    /// An issue was recorded; the test is nil if the testing library does not name the test.
    case failed(TestIdentifier?, message: String)
    /// All tests of the process have ended.
    case runEnded

    /// Parses a line of the event stream.
    ///
    /// Nil for a line that does not report the progress of tests, for a known issue and for a warning.
    ///
    /// - Parameter line: A JSON document, or a line that a test has printed.
    public init?(line: Substring) {
        guard Self.isRecord(line), let record = try? JSONDecoder().decode(Record.self, from: Data(line.utf8)),
            record.kind == "event"
        else { return nil }
        let payload = record.payload
        let test = payload.testID.map(TestIdentifier.init(eventStream:))
        switch (payload.kind, test) {
        case ("testStarted", let test?): self = .started(test)
        case ("testEnded", let test?): self = .ended(test)
        case ("testSkipped", let test?): self = .skipped(test, reason: payload.reason)
        // The test has cancelled itself, for a reason that it found while it ran.
        case ("testCancelled", let test?):
            self = .skipped(test, reason: payload.comments?.joined(separator: " ") ?? "")
        case ("issueRecorded", let test):
            guard payload.issue?.isFailure ?? true else { return nil }
            self = .failed(test, message: payload.text)
        case ("runEnded", _): self = .runEnded
        default: return nil
        }
    }

    /// True if a line looks like a record of the event stream, and not like text that a test has printed.
    public static func isRecord(_ line: Substring) -> Bool { line.hasPrefix("{\"") && line.contains("\"payload\"") }

    private struct Record: Decodable {
        struct Issue: Decodable {
            var isKnown: Bool?
            var severity: String?
            var isFailure: Bool { isKnown != true && severity != "warning" }
        }
        struct Message: Decodable {
            var text: String
        }
        struct Payload: Decodable {
            var kind: String
            var testID: String?
            var issue: Issue?
            var messages: [Message]?
            var comments: [String]?

            private enum CodingKeys: String, CodingKey {
                case kind, testID, issue, messages
                case comments = "_comments"
            }

            var text: String { (messages ?? []).map(\.text).joined(separator: "\n") }

            /// The reason at the end of a message such as `Test "name" skipped: "reason"`.
            var reason: String {
                guard let mark = text.range(of: "skipped: \"") else { return "" }
                let rest = text[mark.upperBound...]
                return String(rest.hasSuffix("\"") ? rest.dropLast() : rest)
            }
        }
        var kind: String
        var payload: Payload
    }
}
