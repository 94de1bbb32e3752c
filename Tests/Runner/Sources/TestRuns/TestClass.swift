/// A class of tests that need the same share of the machine, which limits what can run at the same time.
public enum TestClass: String, CaseIterable, Sendable {
    /// Tests of whole programs, sessions, servers, displays and browsers, in real time.
    case programs
    /// Tests in the camera lab in real time.
    ///
    /// These are tests that measure how long work takes, which takes no virtual time, and tests of systemd and
    /// libcamera, which poll while they wait.
    case slowLab
    /// Tests in the camera lab in virtual time, whose results do not depend on the load of the machine.
    case lab
    /// All other tests, whose results do not depend on speed.
    case pure

    private static let programModules: Set = [
        "PipComposeTests", "CommandTests", "PipMediaTests", "PipRecordingsTests", "PipControlTests", "PipDisplayTests",
        "OutsideTests",
    ]
    private static let programSuites: Set = ["PackagingTests.FirstDayTests"]
    private static let slowLabSuites: Set = ["LibcameraReturn", "Load", "Service"]

    /// Determines the class of a test.
    ///
    /// - Parameters:
    ///   - test: The test.
    ///   - hasLab: False if the camera lab cannot be used. Tests of the lab then run on this machine, where each
    ///     reports why it is skipped.
    public init(of test: TestIdentifier, hasLab: Bool) {
        let suite = test.suite
        if test.module == "LabTests" {
            let name = suite.split(separator: "/").dropFirst().first ?? ""
            let isSlow = name.hasSuffix("Tests") && Self.slowLabSuites.contains(String(name.dropLast(5)))
            self = !hasLab ? .pure : isSlow ? .slowLab : .lab
        } else if Self.programModules.contains(test.module) || Self.programSuites.contains(suite) {
            self = .programs
        } else {
            self = .pure
        }
    }

    /// True for tests that depend on the machine's clock.
    ///
    /// The processes of these tests have priority over all others.
    public var isInRealTime: Bool { self == .programs || self == .slowLab }

    /// True for tests that run in the guest of the camera lab.
    public var isInLab: Bool { self == .lab || self == .slowLab }

    /// The number of places of each resource that a running process of this class occupies.
    var needs: [MachineShare: Int] {
        switch self {
        case .programs: [.realTime: 1]
        case .slowLab: [.realTime: 2, .guest: 1]
        case .lab: [.guest: 1]
        case .pure: [.spare: 1]
        }
    }

    /// The longest expected duration of a job with several suites, in seconds.
    ///
    /// Several suites share a job, because each job starts the test program or boots a guest.
    var jobSeconds: Double {
        switch self {
        case .programs, .pure: 15
        case .slowLab, .lab: 60
        }
    }

    /// The assumed duration of a test whose suite has no recorded duration, in seconds.
    var assumedSeconds: Double {
        switch self {
        case .programs: 1
        case .slowLab: 5
        case .lab: 3
        case .pure: 0.1
        }
    }
}

/// A resource of the machine that test processes share, divided into places.
enum MachineShare {
    /// The processors, for tests in real time.
    case realTime
    /// The processor to which the guest of the camera lab is bound.
    ///
    /// A second guest might be bound to the same processor.
    case guest
    /// The processor time that tests in real time leave to other tests.
    case spare

    /// The number of places of the resource.
    var size: Int {
        switch self {
        case .realTime: 3
        case .guest: 1
        case .spare: 2
        }
    }
}
