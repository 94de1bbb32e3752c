package import PipConcurrency
public import PipFrames

/// The present values of sensors and programs, such as a speed or a temperature.
///
/// ```swift
/// let telemetry = Telemetry()
/// let speed = ReadoutSource("{speed:%.0f} km/h", of: telemetry)
/// telemetry.set("speed", to: 87.2, lasting: .seconds(3))  // at any time, from any thread
/// ```
///
/// Thread: any.
public final class Telemetry: Sendable {
    /// A number or a text.
    public enum Value: Sendable, Hashable {
        case number(Double)
        case text(String)
    }

    /// A value with the time at which it was measured.
    package struct Reading: Sendable, Hashable {
        package let value: Value
        package let time: Timestamp
        /// The time for which the value counts as present; nil for a value that stays until the next one.
        package let validity: Duration?

        /// The value's age, if it is older than its validity; nil for a present value.
        package func overdue(at now: Timestamp) -> Duration? {
            guard let validity else { return nil }
            let age = time.duration(to: now)
            return age > validity ? age : nil
        }
    }

    /// All readings at one moment.
    package struct Readings: Sendable {
        /// The readings by their names.
        package private(set) var all: [String: Reading] = [:]
        /// A number that each change increases.
        fileprivate var revision = 0

        /// Sets values; further names than ``Telemetry/mostNames`` are left out.
        mutating func take(_ values: [String: Value], lasting validity: Duration?, at time: Timestamp) {
            revision += 1
            for (name, value) in values {
                guard let value = value.bounded else {
                    all[name] = nil
                    continue
                }
                guard all[name] != nil || all.count < Telemetry.mostNames else { continue }
                all[name] = Reading(value: value, time: time, validity: validity)
            }
        }
    }

    /// The largest number of names.
    public static let mostNames = 256
    /// The longest text of a value, in characters (Unicode scalars).
    public static let longestText = 256

    private let state: Monitor<Readings>
    /// The clock of the readings' times.
    package let clock: MonotonicClock
    /// The values that texts and gauges show in place of the present ones; nil for the present ones.
    let recorded: RecordedValues?

    /// Creates a set without values.
    public convenience init() { self.init(clock: MonotonicClock()) }

    /// Creates a set without values, whose readings have the times of a clock.
    package init(clock: MonotonicClock, recorded: RecordedValues? = nil) {
        (self.clock, self.recorded) = (clock, recorded)
        state = Monitor(Readings(), clock: clock)
    }

    /// Sets a number.
    ///
    /// - Parameters:
    ///   - name: The value's name, as in `{speed}`.
    ///   - number: The number; infinities and NaN end the value.
    ///   - validity: The time for which the number counts as present. Texts then show a dash and its age, and triggers
    ///     ignore it. Nil for a number that stays until the next one.
    public func set(_ name: String, to number: Double, lasting validity: Duration? = nil) {
        take([name: .number(number)], lasting: validity)
    }

    /// Sets a text.
    ///
    /// - Parameters:
    ///   - name: The value's name, as in `{driver}`.
    ///   - text: The text, of which the first 256 characters (Unicode scalars) are used.
    ///   - validity: The time for which the text counts as present, as for numbers.
    public func set(_ name: String, to text: String, lasting validity: Duration? = nil) {
        take([name: .text(text)], lasting: validity)
    }

    /// Sets several values at once, so that a text never shows one without the others.
    ///
    /// Further names than 256 are left out.
    ///
    /// - Parameters:
    ///   - values: The values by their names.
    ///   - validity: The time for which the values count as present; nil for values that stay until the next ones.
    ///   - time: The time of the measurement; nil for now.
    public func take(_ values: [String: Value], lasting validity: Duration? = nil, at time: Timestamp? = nil) {
        let time = time ?? clock.now
        state.update { $0.take(values, lasting: validity, at: time) }
    }

    /// The present value of a name; nil for an unknown one, and for a value that has outlived its validity.
    public func value(of name: String) -> Value? {
        guard let reading = state.read({ $0.all[name] }), reading.overdue(at: clock.now) == nil else { return nil }
        return reading.value
    }

    /// The names that have had values, in alphabetic order.
    public var names: [String] { state.read { $0.all.keys.sorted() } }

    /// The present readings.
    package var readings: Readings { state.read { $0 } }

    /// Blocks until the readings have changed.
    ///
    /// - Parameters:
    ///   - known: The readings that the caller knows.
    ///   - deadline: The time at which the wait ends; nil for no deadline.
    ///   - isOver: Ends the wait when it is true, after ``wake()``.
    /// - Returns: The present readings; nil when the wait is over.
    package func wait(
        after known: Readings, until deadline: Timestamp?, unless isOver: () -> Bool
    ) -> Readings? {
        let changed: Readings?? = state.wait(until: deadline) { state in
            if isOver() { return .some(nil) }
            return state.revision == known.revision ? nil : .some(state)
        }
        return changed ?? known
    }

    /// Blocks until a time, whatever changes.
    ///
    /// - Parameters:
    ///   - deadline: The time at which the wait ends.
    ///   - isOver: Ends the wait when it is true, after ``wake()``.
    package func rest(until deadline: Timestamp, unless isOver: () -> Bool) {
        _ = state.wait(until: deadline) { _ in isOver() ? true : nil }
    }

    /// Has each waiting thread look whether its wait is over.
    package func wake() { state.update { _ in } }
}

extension Telemetry.Value {
    /// The value within its limits; nil for a number that is none.
    fileprivate var bounded: Telemetry.Value? {
        switch self {
        case .number(let number): number.isFinite ? self : nil
        case .text(let text):
            .text(String(String.UnicodeScalarView(text.unicodeScalars.prefix(Telemetry.longestText))))
        }
    }
}
