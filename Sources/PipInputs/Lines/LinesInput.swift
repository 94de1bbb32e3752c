internal import Glibc
internal import PipConcurrency
internal import PipFrames
internal import SystemPackage

/// An open source of lines, read as they come.
struct LinesInput: OpenInput {
    /// The longest line, in bytes; the rest of a longer one is left out.
    static let longestLine = 65_536
    /// The largest number of bytes of one read, after which other work has its turn.
    private static let mostBytes = 65_536
    /// The time from one look at a file to the next.
    private static let interval = Duration.milliseconds(100)

    private let name: String
    private let source: InputDescriptor
    /// True for a file to which a program appends: its end is no end of the source.
    private let isFile: Bool
    private var splitter = LineSplitter(limit: Self.longestLine)

    var descriptors: [CInt] { isFile ? [] : [source.number] }
    var interval: Duration? { isFile ? Self.interval : nil }
    var missing: InputProblem? { nil }

    /// Opens the source; a server has three seconds to answer.
    init(_ request: LinesRequest) throws(InputProblem) {
        name = request.name
        switch request.place {
        case .file(let path, let baud):
            (source, isFile) = try Self.open(path, baud)
        case .server(let host, let port):
            (source, isFile) = (try Self.connect(host, port, request.greeting), false)
        }
    }

    private static func connect(
        _ host: String, _ port: UInt16, _ greeting: String
    ) throws(InputProblem) -> InputDescriptor {
        do throws(ServerConnection.Problem) {
            let source = InputDescriptor(try ServerConnection.open(host, Int(port)).rawValue)
            // A new connection takes a short text at once. If it is gone already, the first read says why.
            let bytes = Array(greeting.utf8)
            _ = unsafe send(source.number, bytes, bytes.count, CInt(MSG_NOSIGNAL))
            return source
        } catch { throw InputProblem(error.description) }
    }

    private static func open(_ path: String, _ baud: Int) throws(InputProblem) -> (InputDescriptor, isFile: Bool) {
        var info = stat()
        guard unsafe stat(path, &info) == 0 else { throw InputProblem(path, .lines, Errno(rawValue: errno)) }
        let kind = info.st_mode & S_IFMT
        guard kind == S_IFREG || kind == S_IFIFO || kind == S_IFCHR else {
            throw InputProblem("\(path) is no serial port, named pipe or file")
        }
        // A pipe that is also open for writing here does not end when its writer does.
        let mode = kind == S_IFIFO ? O_RDWR : O_RDONLY
        let number = unsafe Glibc.open(path, mode | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard number >= 0 else { throw InputProblem(path, .lines, Errno(rawValue: errno)) }
        let source = InputDescriptor(number)
        if isatty(number) == 1 { try SerialPort.configure(source, baud, path) }
        // What a file has already is history.
        if kind == S_IFREG { lseek(number, 0, SEEK_END) }
        return (source, kind == S_IFREG)
    }

    mutating func read(at now: Timestamp, _ take: (InputReading, Timestamp) -> Void) throws(InputProblem) {
        do throws(Errno) {
            let bytes = try source.read(UInt8.self, limit: Self.mostBytes)
            for line in splitter.take(bytes) { take(.text(line), now) }
        } catch {
            guard isFile, error == .brokenPipe else { throw InputProblem(name, .lines, error) }
            // A file that was emptied is read from its beginning.
            var info = stat()
            if unsafe fstat(source.number, &info) == 0, info.st_size < lseek(source.number, 0, SEEK_CUR) {
                lseek(source.number, 0, SEEK_SET)
            }
        }
    }
}
