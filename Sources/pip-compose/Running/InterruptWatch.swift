import Foundation
import PipCompose
import PipRig
import Synchronization

/// Handles signals: the first SIGINT, SIGTERM or SIGHUP stops the run, the second one ends the process at once.
///
/// `main` creates it before any other thread, so that all threads block the signals and one thread waits for them.
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
        // A closed pipe must be an error of the output, not the end of the process.
        signal(SIGPIPE, SIG_IGN)
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        for number in Self.signals { unsafe sigaddset(&signals, number) }
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
        Thread.detachNewThread { [self] in
            while true { receive(Self.wait(for: Self.signals)) }
        }
    }

    /// Calls a function at the first signal, or at once if there was one before.
    func onFirstSignal(_ body: @escaping @Sendable () -> Void) {
        let isLate = state.withLock { state in
            state.onFirst = body
            return state.first != nil
        }
        if isLate { body() }
    }

    /// Runs a function in a task that the first signal cancels.
    func cancelling<R: Sendable>(_ body: @escaping @Sendable () async throws -> R) async throws -> R {
        let task = Task { try await body() }
        onFirstSignal { task.cancel() }
        return try await task.value
    }

    /// Returns a stream with an element for each SIGHUP from now on.
    ///
    /// SIGHUP then no longer ends the process, except in a terminal, where it means that the terminal has closed.
    func reloads() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        guard !Terminal.standardError.isInteractive else { return AsyncStream { $0.finish() } }
        state.withLock { $0.reloads = continuation }
        return stream
    }

    /// Returns a stream with an element for each SIGUSR1 from now on.
    ///
    /// Earlier signals have no effect.
    func splits() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        state.withLock { $0.splits = continuation }
        return stream
    }

    /// Returns a stream with an element for each SIGUSR2 from now on.
    ///
    /// Earlier signals have no effect.
    func stills() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingOldest(16))
        state.withLock { $0.stills = continuation }
        return stream
    }

    /// The exit status after the first signal; nil before it.
    var exitStatus: Int32? { state.withLock { $0.first }.map { 128 + $0 } }

    private static var signals: [Int32] {
        // Under nohup, SIGHUP stays ignored.
        [SIGINT, SIGTERM, SIGUSR1, SIGUSR2] + (isIgnored(SIGHUP) ? [] : [SIGHUP])
    }

    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard unsafe sigaction(number, nil, &action) == 0 else { return false }
        return unsafe action.__sigaction_handler.sa_handler.map { unsafe unsafeBitCast($0, to: Int.self) } == 1
    }

    private static func wait(for numbers: [Int32]) -> Int32 {
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        for number in numbers { unsafe sigaddset(&signals, number) }
        var number: Int32 = 0
        while unsafe sigwait(&signals, &number) != 0 {}
        return number
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
