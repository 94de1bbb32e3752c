internal import Glibc

/// A program to be run, with what it prints in a log.
struct Command {
    var arguments: [String]
    /// Variables that it gets besides ours.
    var environment: [String: String] = [:]
    /// Takes all that it prints; nil: it is not kept.
    var log: String?
    /// True when a line is printed while the program runs.
    var shows: (Substring) -> Bool = { _ in true }

    init(_ arguments: [String]) { self.arguments = arguments }

    /// A command with a log.
    func logging(to path: String) -> Command {
        var command = self
        command.log = path
        return command
    }

    /// A command with a log, of which only some lines are printed.
    func logging(to path: String, shows: @escaping (Substring) -> Bool) -> Command {
        var command = logging(to: path)
        command.shows = shows
        return command
    }

    /// A command that `timeout` ends.
    func limited(toSeconds limit: Int) -> Command {
        var command = self
        command.arguments = ["timeout", String(limit)] + arguments
        return command
    }

    /// Runs it.
    ///
    /// - Returns: The exit status: 128 and the signal's number where a signal ended it, 127 where there is no such
    ///   program.
    func run() -> Int32 { Command.run([self])[0] }

    /// Runs it, and takes what it prints on its standard output.
    func output() -> (status: Int32, text: String) {
        var text = ""
        let status = Command.run([self], standardErrorToo: false) { _, line in text += line + "\n" }
        return (status[0], text)
    }

    /// Runs several at once.
    ///
    /// - Parameters:
    ///   - commands: What to run.
    ///   - standardErrorToo: Whether their standard error is taken, too; else it is ours.
    ///   - take: Gets each line with the number of its program; nil prints those that are to be shown.
    /// - Returns: Their exit statuses.
    static func run(
        _ commands: [Command], standardErrorToo: Bool = true, take: ((Int, Substring) -> Void)? = nil
    ) -> [Int32] {
        // A tool prints a child's lines among its own: in their order.
        fflush(nil)
        var children = commands.map { Child($0, standardErrorToo: standardErrorToo) }
        while true {
            let open = children.indices.filter { children[$0].output >= 0 }
            if open.isEmpty { break }
            var polled = open.map { pollfd(fd: children[$0].output, events: Int16(POLLIN), revents: 0) }
            _ = unsafe poll(&polled, nfds_t(polled.count), -1)
            for (index, entry) in zip(open, polled) where entry.revents != 0 {
                for line in children[index].read() {
                    if let take {
                        take(index, line)
                    } else if commands[index].shows(line) {
                        print(line)
                    }
                }
                fflush(nil)
            }
        }
        return children.map { $0.status() }
    }
}

/// A program that runs.
private struct Child {
    private(set) var output: Int32 = -1
    private var identifier: pid_t = 0
    private var log: Int32 = -1
    private var line: [UInt8] = []

    init(_ command: Command, standardErrorToo: Bool) {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { return }
        // Another child must not hold them open. There is one thread, so none starts meanwhile.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        if let path = command.log {
            log = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        }
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        unsafe posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        if standardErrorToo { unsafe posix_spawn_file_actions_adddup2(&actions, ends[1], 2) }
        let environment = Child.environment.merging(command.environment) { $1 }.map { "\($0)=\($1)" }
        var arguments: [UnsafeMutablePointer<CChar>?] = unsafe command.arguments.map { unsafe strdup($0) } + [nil]
        var variables: [UnsafeMutablePointer<CChar>?] = unsafe environment.map { unsafe strdup($0) } + [nil]
        let error = unsafe posix_spawnp(&identifier, command.arguments[0], &actions, nil, &arguments, &variables)
        unsafe (arguments + variables).forEach { unsafe free($0) }
        unsafe posix_spawn_file_actions_destroy(&actions)
        close(ends[1])
        if error == 0 {
            output = ends[0]
        } else {
            close(ends[0])
            identifier = 0
        }
    }

    /// Our own variables.
    private static var environment: [String: String] {
        var result: [String: String] = [:]
        var entry = unsafe environ
        while let text = unsafe entry.pointee {
            let parts = unsafe String(cString: text).split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { result[String(parts[0])] = String(parts[1]) }
            unsafe entry += 1
        }
        return result
    }

    /// Takes what is there, and gives the lines that are whole; at the end, the last one in any case.
    mutating func read() -> [Substring] {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = unsafe buffer.withUnsafeMutableBytes { unsafe Glibc.read(output, $0.baseAddress, $0.count) }
        if count < 0, errno == EINTR { return [] }
        if count <= 0 {
            close(output)
            output = -1
            if log >= 0 { close(log) }
            defer { line = [] }
            return line.isEmpty ? [] : [Substring(decoding: line, as: UTF8.self)]
        }
        if log >= 0 { _ = unsafe buffer.withUnsafeBytes { unsafe write(log, $0.baseAddress, count) } }
        line += buffer[..<count]
        guard let end = line.lastIndex(of: 10) else { return [] }
        let text = String(decoding: line[..<end], as: UTF8.self)
        line.removeFirst(end + 1)
        return text.split(separator: "\n", omittingEmptySubsequences: false)
    }

    /// Waits for its end.
    func status() -> Int32 {
        guard identifier > 0 else { return 127 }
        var status: Int32 = 0
        while unsafe waitpid(identifier, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7f
        return signal == 0 ? (status >> 8) & 0xff : 128 + signal
    }
}
