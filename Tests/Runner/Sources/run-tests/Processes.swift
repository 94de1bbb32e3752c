internal import Foundation
internal import Glibc

/// Programs that run at the same time, and their output.
///
/// Each program leads its own process group.
///
/// Thread: one at a time.
struct Processes {
    /// An event of a program, with the program's number.
    enum Event {
        case line(Int, Substring, isError: Bool)
        /// The program has ended.
        ///
        /// The exit status is 128 plus the signal's number after a signal, and 127 if the program could not be started.
        /// The processor time includes the program's children.
        case ended(Int, status: Int32, processorSeconds: Double)
    }

    private var children: [Int: Child] = [:]
    private var nextNumber = 0

    /// Starts a program.
    ///
    /// - Parameter command: The program to run.
    /// - Returns: The number of the program in events.
    mutating func start(_ command: Command) -> Int {
        // Pending output of this process is written first, to keep the order of the lines.
        fflush(nil)
        defer { nextNumber += 1 }
        children[nextNumber] = Child(command)
        return nextNumber
    }

    var isEmpty: Bool { children.isEmpty }

    /// Waits for events, at most a tenth of a second.
    mutating func wait() -> [Event] {
        let pipes = children.flatMap { number, child in
            [(number, false, child.output.descriptor), (number, true, child.errors.descriptor)]
        }.filter { $0.2 >= 0 }
        var polled = pipes.map { pollfd(fd: $0.2, events: Int16(POLLIN), revents: 0) }
        _ = unsafe poll(&polled, nfds_t(polled.count), 100)
        var events: [Event] = []
        for (pipe, entry) in zip(pipes, polled) where entry.revents != 0 {
            let lines = children[pipe.0]?.read(errors: pipe.1) ?? []
            events += lines.map { .line(pipe.0, $0, isError: pipe.1) }
        }
        for (number, child) in children {
            guard let end = child.end() else { continue }
            // Child processes that outlive the program may keep the pipes open, so the pipes are not read to their end.
            for isError in [false, true] {
                events += children[number]?.drain(errors: isError).map { .line(number, $0, isError: isError) } ?? []
            }
            children[number]?.close()
            children[number] = nil
            events.append(.ended(number, status: end.status, processorSeconds: end.processorSeconds))
        }
        return events
    }

    /// Sends a signal to a program, but not to its children.
    func signal(_ number: Int, _ signal: Int32) {
        if let identifier = children[number]?.identifier, identifier > 0 { Glibc.kill(identifier, signal) }
    }

    /// The process identifiers of a program and of all running processes that descend from it.
    func tree(of number: Int) -> [pid_t] {
        guard let root = children[number]?.identifier, root > 0 else { return [] }
        var parents: [pid_t: [pid_t]] = [:]
        for name in (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? [] {
            // The second field of `/proc/PID/stat` is the name in parentheses, and the fourth field is the parent.
            guard let identifier = pid_t(name), let stat = Files.text("/proc/\(name)/stat"),
                let end = stat.ranges(of: ") ").last?.upperBound,
                let parent = stat[end...].split(separator: " ").dropFirst().first.flatMap({ pid_t($0) })
            else { continue }
            parents[parent, default: []].append(identifier)
        }
        var tree = [root]
        var index = 0
        while index < tree.count {
            tree += parents[tree[index]] ?? []
            index += 1
        }
        return tree
    }

    /// Kills a program and all processes that descend from it.
    func kill(_ number: Int) { Self.kill(tree(of: number)) }

    /// Kills processes by their identifiers.
    static func kill(_ tree: [pid_t]) { for identifier in tree { Glibc.kill(identifier, SIGKILL) } }

    /// Kills all programs and all processes that descend from them.
    func killAll() { for number in children.keys { kill(number) } }
}

/// A pipe that is read line by line, without blocking.
private struct LinePipe {
    private(set) var descriptor: Int32
    private var rest: [UInt8] = []

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
        if descriptor >= 0 { _ = fcntl(descriptor, F_SETFL, O_NONBLOCK) }
    }

    /// Reads available bytes, at most 64 KiB, and returns the lines that they complete.
    ///
    /// At the end of the pipe, the last line is returned even without its line break.
    ///
    /// - Returns: The lines; nil if no bytes are available now, or the pipe is closed.
    mutating func read() -> [Substring]? {
        guard descriptor >= 0 else { return nil }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = unsafe buffer.withUnsafeMutableBytes { unsafe Glibc.read(descriptor, $0.baseAddress, $0.count) }
        if count < 0, errno == EINTR || errno == EAGAIN { return nil }
        guard count > 0 else { return close() }
        rest += buffer[..<count]
        guard let end = rest.lastIndex(of: 10) else { return [] }
        let text = String(decoding: rest[..<end], as: UTF8.self)
        rest.removeFirst(end + 1)
        return text.split(separator: "\n", omittingEmptySubsequences: false)
    }

    /// Closes the pipe, and returns its last line if the line has no line break.
    mutating func close() -> [Substring] {
        if descriptor >= 0 { Glibc.close(descriptor) }
        descriptor = -1
        defer { rest = [] }
        return rest.isEmpty ? [] : [Substring(decoding: rest, as: UTF8.self)]
    }
}

/// A running program with its pipes and its log.
private struct Child {
    private(set) var identifier: pid_t = 0
    private(set) var output = LinePipe(-1)
    private(set) var errors = LinePipe(-1)
    private var log: Int32 = -1
    private let isLogged: (Substring) -> Bool

    init(_ command: Command) {
        isLogged = command.isLogged
        var outputEnds: [Int32] = [-1, -1]
        var errorEnds: [Int32] = [-1, -1]
        guard unsafe pipe(&outputEnds) == 0, unsafe pipe(&errorEnds) == 0 else { return }
        let ends = outputEnds + errorEnds
        // Other programs must not inherit the ends of the pipes. No other thread can start a program before `fcntl`
        // sets the flag.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        if let path = command.log { log = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666) }
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        unsafe posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        unsafe posix_spawn_file_actions_adddup2(&actions, ends[3], 2)
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
        unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe posix_spawnattr_setsigmask(&attributes, &signals)
        // nohup and shells can make this process ignore some signals. Tests send these signals, so a test program must
        // not ignore them.
        for signal in [SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM] { unsafe sigaddset(&signals, signal) }
        unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
        let environment = ProcessInfo.processInfo.environment.merging(command.environment) { $1 }.map { "\($0)=\($1)" }
        var arguments: [UnsafeMutablePointer<CChar>?] = unsafe command.arguments.map { unsafe strdup($0) } + [nil]
        var variables: [UnsafeMutablePointer<CChar>?] = unsafe environment.map { unsafe strdup($0) } + [nil]
        let error = unsafe posix_spawnp(
            &identifier, command.arguments[0], &actions, &attributes, &arguments, &variables)
        unsafe (arguments + variables).forEach { unsafe free($0) }
        unsafe posix_spawn_file_actions_destroy(&actions)
        unsafe posix_spawnattr_destroy(&attributes)
        Glibc.close(ends[1])
        Glibc.close(ends[3])
        output = LinePipe(ends[0])
        errors = LinePipe(ends[2])
        if error != 0 { identifier = 0 }
    }

    mutating func read(errors isError: Bool) -> [Substring]? {
        let lines = isError ? errors.read() : output.read()
        keep(lines?.filter { isError || isLogged($0) } ?? [])
        return lines
    }

    /// Appends lines to the log.
    private func keep(_ lines: [Substring]) {
        guard log >= 0, !lines.isEmpty else { return }
        let bytes = Array((lines.joined(separator: "\n") + "\n").utf8)
        _ = unsafe bytes.withUnsafeBytes { unsafe write(log, $0.baseAddress, $0.count) }
    }

    /// Reads the remaining output of a program that has ended.
    mutating func drain(errors isError: Bool) -> [Substring] {
        var lines: [Substring] = []
        while let more = read(errors: isError) { lines += more }
        let last = isError ? errors.close() : output.close()
        keep(last)
        return lines + last
    }

    mutating func close() {
        if log >= 0 { Glibc.close(log) }
        log = -1
    }

    /// The exit status and the processor seconds of the program; nil while it runs.
    func end() -> (status: Int32, processorSeconds: Double)? {
        guard identifier > 0 else { return (127, 0) }
        var status: Int32 = 0
        var usage = rusage()
        guard unsafe wait4(identifier, &status, WNOHANG, &usage) == identifier else { return nil }
        let seconds = [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 }
        let signal = status & 0x7f
        return (signal == 0 ? (status >> 8) & 0xff : 128 + signal, seconds)
    }
}
