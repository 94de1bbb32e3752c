internal import Glibc
package import PipConcurrency
package import PipFrames

/// A reading, or a change of a device's presence, that an ``InputReader`` tells.
package enum InputEvent: Sendable, Hashable {
    case reading(InputReading, at: Timestamp)
    /// The device cannot be read, or not all that was requested of it; it is tried again.
    case missing(InputProblem)
    /// All that was requested is read, after a time in which it was not.
    case back
}

/// Reads a device on a thread of its own, and opens it again whenever it comes back.
package final class InputReader: Sendable {
    private let interruption = Interruption()
    private let thread: WorkerThread

    /// Starts to read.
    ///
    /// - Parameters:
    ///   - request: The part of a device to read.
    ///   - devices: The machine's devices.
    ///   - clock: The clock of attempts and of readings at intervals.
    ///   - predecessors: Stopped readers, for whose end the thread waits first: a device may have one reader only.
    ///   - onEvent: Receives readings, and changes of the device's presence, on the reader's thread.
    package init(
        _ request: InputRequest, _ devices: any InputDevices, clock: MonotonicClock = MonotonicClock(),
        after predecessors: [InputReader] = [], onEvent: @escaping @Sendable (InputEvent) -> Void
    ) {
        let interruption = interruption
        thread = WorkerThread(name: "pip-input", clock: clock) {
            for predecessor in predecessors { predecessor.thread.join() }
            var loop = InputLoop(
                request: request, devices: devices, interruption: interruption, clock: clock, onEvent: onEvent)
            loop.run()
        }
    }

    deinit { stop() }

    /// Ends the thread soon; the device is then closed.
    package func stop() { interruption.raise() }
}

/// The body of a reader's thread.
private struct InputLoop {
    /// The time from one attempt to open the device to the next.
    private static let patience = Duration.seconds(1)
    /// The time for which further events stay in the kernel's queue.
    ///
    /// A device with a thousand events a second then wakes the thread 200 times at most.
    private static let pause = Duration.milliseconds(5)

    let request: InputRequest
    let devices: any InputDevices
    let interruption: Interruption
    let clock: MonotonicClock
    let onEvent: @Sendable (InputEvent) -> Void
    /// The problem that was told last; nil once all is well.
    private var told: InputProblem?

    init(
        request: InputRequest, devices: any InputDevices, interruption: Interruption, clock: MonotonicClock,
        onEvent: @escaping @Sendable (InputEvent) -> Void
    ) {
        (self.request, self.devices, self.interruption) = (request, devices, interruption)
        (self.clock, self.onEvent) = (clock, onEvent)
    }

    mutating func run() {
        while !interruption.isRaised {
            let begun = clock.now
            do throws(InputProblem) {
                var input = try open()
                tell(input.missing)
                try follow(&input)
            } catch {
                // A device that is lost after a while is opened again at once: that tells best why it cannot be read.
                if begun.duration(to: clock.now) > Self.patience { continue }
                tell(error)
                _ = interruption.wait(for: -1, events: 0, until: clock.now.advanced(by: Self.patience), by: clock)
            }
        }
    }

    private func open() throws(InputProblem) -> any OpenInput {
        switch request {
        case .keys(let request): try KeyInput(request, devices)
        case .line(let request): try LineInput(request, devices)
        case .acceleration(let sensor): try Accelerometer(sensor, devices)
        case .text(let request): try LinesInput(request)
        case .messages(let request): try CANInput(request, devices)
        }
    }

    private mutating func tell(_ problem: InputProblem?) {
        guard problem != told else { return }
        told = problem
        onEvent(problem.map { .missing($0) } ?? .back)
    }

    private mutating func follow(_ input: inout any OpenInput) throws(InputProblem) {
        var due = clock.now
        while true {
            let interval = input.interval
            if let interval { due = max(due.advanced(by: interval), clock.now) }
            let watches = input.descriptors.map { (descriptor: $0, events: CInt(POLLIN)) }
            let wake = interruption.wait(for: watches, until: interval.map { _ in due }, by: clock).wake
            if wake == .interrupted { return }
            try input.read(at: clock.now) { onEvent(.reading($0, at: $1)) }
            tell(input.missing)
            guard wake == .ready else { continue }
            _ = interruption.wait(for: -1, events: 0, until: clock.now.advanced(by: Self.pause), by: clock)
        }
    }
}
