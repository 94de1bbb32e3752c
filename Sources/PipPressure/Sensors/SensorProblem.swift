internal import Glibc
internal import PipFrames
public import SystemPackage

/// A sensor that was set aside because its readings are implausible, stuck or missing, or a thermometer that a policy
/// names and the machine lacks.
public struct SensorProblem: Sendable, Hashable, CustomStringConvertible {
    /// The kinds of problems.
    public enum Kind: Sendable, Hashable {
        /// The sensor cannot be read; a session reports this after ten seconds.
        case unreadable(Errno)
        /// The sensor's reading, the associated text, is not plausible; a session reports this after ten seconds.
        case implausible(String)
        /// The sensor's value, the associated text, has not changed for minutes, while another sensor's value has.
        case stuck(String)
        /// The sensor no longer exists.
        case vanished
        /// The policy names a thermometer that does not exist. The associated names are those of existing thermometers.
        case unknown([String])
    }

    /// The sensor's name, or the name in a policy that no thermometer has.
    public let source: String
    /// The kind of the problem.
    public let kind: Kind

    package init(source: String, kind: Kind) {
        self.source = source
        self.kind = kind
    }

    public var description: String {
        switch kind {
        case .unreadable(let error): "\(source): cannot be read: \(error); the sensor is set aside"
        case .implausible(let said): "\(source): reports \(said), which is not plausible; the sensor is set aside"
        case .stuck(let said):
            "\(source): has reported \(said) for five minutes while other sensors change; "
                + "the sensor is set aside until its value changes"
        case .vanished: "\(source): the sensor is gone"
        case .unknown(let others):
            "the policy has thresholds for \(source), but no thermometer has this name; "
                + (others.isEmpty
                    ? "no thermometer of this machine can be read" : "known: \(others.joined(separator: ", "))")
        }
    }
}

/// The result of reading a sensor once, before the plausibility check.
struct RawSample {
    let source: String
    let result: Result<SensorValue, SensorFailure>
}

/// The reason for which a sensor gave no value.
enum SensorFailure: Error, Hashable {
    case unreadable(Errno)
    /// The text in the sensor's file cannot be parsed.
    case garbled(String)
    /// The sensor's device sleeps to save power, and reading the sensor would wake it.
    case asleep

    /// True when the sensor no longer exists, false when it is silent.
    var isGone: Bool {
        switch self {
        case .unreadable(let error): [ENOENT, ENODEV, ENXIO].contains(error.rawValue)
        case .garbled, .asleep: false
        }
    }
}

/// A family of sensors that are enumerated and read in the same way.
protocol SensorReader: Sendable {
    /// Enumerates the family's sensors. Called at the start and at intervals, since sensors come and go.
    mutating func scan(_ files: some SensorFiles)

    /// Reads all sensors of the family, and adds a sample for each.
    mutating func read(_ files: some SensorFiles, now: Timestamp, into samples: inout [RawSample])
}

extension SensorFiles {
    /// Reads a sensor's file and parses the text.
    func sample(_ source: String, at path: String, _ parse: (String) -> SensorValue?) -> RawSample {
        do throws(Errno) {
            let text = try text(of: path)
            return RawSample(source: source, result: parse(text).map { .success($0) } ?? .failure(.garbled(text)))
        } catch {
            return RawSample(source: source, result: .failure(.unreadable(error)))
        }
    }
}
