import CPlatform
import Glibc
import PipCompose
import PipConcurrency
import PipRig
import Synchronization

/// Handles signals: the first SIGINT or SIGTERM stops the run, and the second one ends the process at once.
///
/// SIGHUP has the same effect until ``reloads()`` is called.
///
/// `main` must create the watch before any other thread. All threads then inherit blocked signals, and one thread waits
/// for them.
final class InterruptWatch: Sendable {
    private struct State {
        var first: Int32?
        var onFirst: (@Sendable () -> Void)?
        var reloads: AsyncStream<Void>.Continuation?
        var splits: AsyncStream<Void>.Continuation?
        var stills: AsyncStream<Void>.Continuation?
    }
    private let state = Mutex(State())

    init() {
        // A write to a closed pipe must fail with an error, and not end the process.
        signal(SIGPIPE, SIG_IGN)
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        for number in Self.signals { unsafe sigaddset(&signals, number) }
        // `sigwait` would show the signals as not blocked: the Swift runtime stops the other threads of a process that
        // crashes with a signal that a thread does not block, and takes SIGUSR1 first.
        let descriptor = unsafe signalfd(-1, &signals, Int32(SFD_CLOEXEC))
        guard descriptor >= 0 else { return }
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
        _ = WorkerThread(name: "pip-signals") { [self] in
            while true { receive(Self.next(from: descriptor)) }
        }
    }

    /// Calls a function at the first signal that stops the run; at once if that signal has already arrived.
    func onFirstSignal(_ body: @escaping @Sendable () -> Void) {
        let isLate = state.withLock { state in
            state.onFirst = body
            return state.first != nil
        }
        if isLate { body() }
    }

    /// Runs an operation in a task that the first signal that stops the run cancels.
    func cancelling<R: Sendable>(_ body: @escaping @Sendable () async throws -> R) async throws -> R {
        let task = Task { try await body() }
        onFirstSignal { task.cancel() }
        return try await task.value
    }

    /// Returns a stream with one element for each SIGHUP from now on; signals that arrive before the reader is ready
    /// are one element.
    ///
    /// SIGHUP then no longer stops the run. On a terminal, where SIGHUP means that the terminal was closed, the stream
    /// is empty, and SIGHUP still stops the run.
    func reloads() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        guard !Terminal.standardError.isInteractive else { return AsyncStream { $0.finish() } }
        state.withLock { $0.reloads = continuation }
        return stream
    }

    /// Returns a stream with one element for each SIGUSR1 from now on; signals that arrive before the reader is ready
    /// are one element.
    func splits() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        state.withLock { $0.splits = continuation }
        return stream
    }

    /// Returns a stream with one element for each SIGUSR2 from now on, of which at most 16 wait for the reader.
    func stills() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingOldest(16))
        state.withLock { $0.stills = continuation }
        return stream
    }

    /// The exit status for a process that a signal stopped, 128 plus the signal's number; nil before the first signal.
    var exitStatus: Int32? { state.withLock { $0.first }.map { 128 + $0 } }

    private static var signals: [Int32] {
        // Programs started by `nohup` must keep ignoring SIGHUP.
        [SIGINT, SIGTERM, SIGUSR1, SIGUSR2] + (isIgnored(SIGHUP) ? [] : [SIGHUP])
    }

    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard unsafe sigaction(number, nil, &action) == 0 else { return false }
        return unsafe action.__sigaction_handler.sa_handler.map { unsafe unsafeBitCast($0, to: Int.self) } == 1
    }

    private static func next(from descriptor: Int32) -> Int32 {
        var info = signalfd_siginfo()
        while unsafe read(descriptor, &info, MemoryLayout.size(ofValue: info)) <= 0 {}
        return Int32(info.ssi_signo)
    }

    private func receive(_ number: Int32) {
        if number == SIGHUP, let reloads = state.withLock({ $0.reloads }) {
            reloads.yield()
            return
        }
        if number == SIGUSR1 {
            state.withLock { $0.splits }?.yield()
            return
        }
        if number == SIGUSR2 {
            state.withLock { $0.stills }?.yield()
            return
        }
        let (isFirst, body) = state.withLock { state in
            guard state.first == nil else { return (false, nil as (@Sendable () -> Void)?) }
            state.first = number
            return (true, state.onFirst)
        }
        guard isFirst else {
            Terminal.standardError.write("\n")
            _exit(128 + number)
        }
        body?()
    }
}
