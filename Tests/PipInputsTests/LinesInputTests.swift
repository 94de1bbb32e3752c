import Foundation
import PipConcurrency
import PipFrames
import PipTestSupport
import Testing

@testable import PipInputs

@Suite("Sources of lines", .timeLimit(.minutes(2)))
struct LinesInputTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A reader, and what it has told.
    private final class Reading: Sendable {
        private let told = Monitor<(lines: [String], problems: [String])>(([], []))
        private let reader: InputReader

        init(_ place: LinesRequest.Place, greeting: String = "") {
            reader = InputReader(.text(LinesRequest(place, greeting: greeting)), FakeInputs()) { [told] event in
                switch event {
                case .reading(.text(let line), _): told.update { $0.lines.append(line) }
                case .missing(let problem): told.update { $0.problems.append(problem.description) }
                default: break
                }
            }
        }

        var lines: [String] { told.read { $0.lines } }
        var problems: [String] { told.read { $0.problems } }
    }

    private func write(_ text: String, to path: String) throws {
        let descriptor = unsafe open(path, O_WRONLY | O_APPEND | O_NOCTTY)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        #expect(unsafe Glibc.write(descriptor, text, text.utf8.count) == text.utf8.count)
    }

    @Test("row 84: a pipe gives its lines whoever opens and closes it, and a line of a megabyte is cut")
    func pipe() async throws {
        let path = try folder.pipe("values")
        let reading = Reading(.file(path, baud: 9600))
        // The reader has opened the pipe once somebody can write to it without waiting.
        #expect(
            await becomes {
                let descriptor = unsafe open(path, O_WRONLY | O_NONBLOCK)
                if descriptor >= 0 { close(descriptor) }
                return descriptor >= 0
            })
        for line in ["one", "two"] { try write("\(line)\n", to: path) }
        #expect(await becomes { reading.lines == ["one", "two"] })
        let long = String(repeating: "x", count: 1 << 20)
        try await Task.detached { [self] in try write("\(long)\nthree\n", to: path) }.value
        #expect(await becomes { reading.lines.count == 4 })
        #expect(reading.lines[2].count == LinesInput.longestLine && reading.lines[3] == "three")
        #expect(reading.problems == [])
    }

    @Test("a file gives the lines that are appended, and is read anew once it was emptied")
    func growing() async throws {
        let path = folder.path("log")
        try folder.write(Array("history\n".utf8), to: "log")
        let reading = Reading(.file(path, baud: 9600))
        // What is written before the file is open is history, too.
        #expect(
            await becomes {
                try? write("now\n", to: path)
                return !reading.lines.isEmpty
            })
        #expect(Set(reading.lines) == ["now"])
        #expect(unsafe truncate(path, 0) == 0)
        #expect(
            await becomes {
                try? write("again\n", to: path)
                return reading.lines.contains("again")
            })
        #expect(reading.problems == [])
    }

    @Test("a file that is not there, and a folder, are told, and read once they can be")
    func missing() async throws {
        let path = folder.path("later")
        let reading = Reading(.file(path, baud: 9600))
        #expect(await becomes { reading.problems == ["\(path): there is no such source of values"] })
        _ = try folder.pipe("later")
        #expect(
            await becomes {
                let descriptor = unsafe open(path, O_WRONLY | O_NONBLOCK)
                defer { if descriptor >= 0 { close(descriptor) } }
                return unsafe descriptor >= 0 && Glibc.write(descriptor, "a\n", 2) == 2
            })
        #expect(await becomes { !reading.lines.isEmpty })
        let other = Reading(.file(folder.url.path, baud: 9600))
        #expect(await becomes { other.problems == ["\(folder.url.path) is no serial port, named pipe or file"] })
    }

    @Test("row 83: a serial port gives bytes as they come, at its rate, and is told when it is pulled")
    func serial() async throws {
        let line = try SerialLine()
        let reading = Reading(.file(line.path, baud: 4800))
        #expect(
            await becomes {
                var settings = line.settings
                return unsafe cfgetospeed(&settings) == speed_t(B4800)
                    && settings.c_lflag & tcflag_t(ICANON | ECHO) == 0
            })
        line.send("$GPGGA,1\r\nhalf")
        #expect(await becomes { reading.lines == ["$GPGGA,1"] })
        line.send(" line\n")
        #expect(await becomes { reading.lines == ["$GPGGA,1", "half line"] })
        line.unplug()
        #expect(await becomes { !reading.problems.isEmpty })
        #expect(reading.problems[0].hasPrefix(line.path), "\(reading.problems)")
    }

    @Test("a server is greeted, and connected to again after its end")
    func server() async throws {
        var listener: ListeningSocket? = try ListeningSocket()
        let (number, port) = try #require(listener.map { ($0.number, UInt16($0.port)) })
        let reading = Reading(.server(host: "127.0.0.1", port: port), greeting: "hello\n")
        for round in 1...2 {
            let connection = accept(number, nil, nil)
            var bytes = [UInt8](repeating: 0, count: 6)
            #expect(unsafe recv(connection, &bytes, 6, CInt(MSG_WAITALL)) == 6)
            #expect(bytes == Array("hello\n".utf8))
            #expect(unsafe Glibc.write(connection, "{}\n", 3) == 3)
            #expect(await becomes { reading.lines.count == round })
            close(connection)
        }
        listener = nil
        #expect(await becomes { reading.problems.contains { $0.contains("cannot connect to 127.0.0.1") } })
    }
}
