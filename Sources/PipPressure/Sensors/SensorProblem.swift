internal import Glibc
internal import PipFrames
public import SystemPackage

/// A sensor that was set aside because what it says cannot be true, or because it says nothing.
public struct SensorProblem: Sendable, Hashable, CustomStringConvertible {
    /// The kind of problem.
    public enum Kind: Sendable, Hashable {
        /// It could not be read for ten seconds.
        case unreadable(Errno)
        /// It said nothing for ten seconds that makes sense.
        case implausible(String)
        /// It says the same for minutes while others move.
        case stuck(String)
        /// It is no longer there.
        case vanished
        /// The policy names a thermometer that does not exist; the existing ones.
        case unknown([String])
    }

    /// The sensor's name.
    public let source: String
    /// The kind of problem.
    public let kind: Kind

    package init(source: String, kind: Kind) {
        self.source = source
        self.kind = kind
    }

    public var description: String {
        switch kind {
        case .unreadable(let error): "\(source): cannot be read: \(error); the sensor is set aside"
        case .implausible(let said): "\(source): says \(said), which cannot be; the sensor is set aside"
        case .stuck(let said):
            "\(source): says \(said) for five minutes while others move; the sensor is set aside until it moves"
        case .vanished: "\(source): the sensor is gone"
        case .unknown(let others):
            "the policy has thresholds for \(source), and no thermometer goes by this name; "
                + (others.isEmpty ? "this machine has none" : "there are \(others.joined(separator: ", "))")
        }
    }
}

/// The raw result of reading a sensor once, before its plausibility check.
struct RawSample {
    let source: String
    let result: Result<SensorValue, SensorFailure>
}

/// The reason why a sensor gave no value.
enum SensorFailure: Error, Hashable {
    case unreadable(Errno)
    /// Its text does not parse.
    case garbled(String)
    /// Its device sleeps to save power, and asking would wake it.
    case asleep

    /// True when the sensor is gone, rather than silent.
    var isGone: Bool {
        switch self {
        case .unreadable(let error): [ENOENT, ENODEV, ENXIO].contains(error.rawValue)
        case .garbled, .asleep: false
        }
    }
}

/// Enumerates and reads one family of sensors.
protocol SensorReader: Sendable {
    /// Enumerates the sensors; called at the start and at intervals, since sensors come and go.
    mutating func scan(_ files: some SensorFiles)

    /// Reads them all.
    mutating func read(_ files: some SensorFiles, now: Timestamp, into samples: inout [RawSample])
}

extension SensorFiles {
    /// Reads a sensor's file and makes a value of its text.
    func sample(_ source: String, at path: String, _ parse: (String) -> SensorValue?) -> RawSample {
        do throws(Errno) {
            let text = try text(of: path)
            return RawSample(source: source, result: parse(text).map { .success($0) } ?? .failure(.garbled(text)))
        } catch {
            return RawSample(source: source, result: .failure(.unreadable(error)))
        }
    }
}
