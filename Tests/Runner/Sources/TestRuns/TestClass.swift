/// A class of tests: the resources that they need, which decide what else can run at the same time.
public enum TestClass: String, CaseIterable, Sendable {
    /// Whole programs, sessions, servers, displays and browsers, in real time.
    case programs
    /// The camera lab in real time: for tests that measure how long work takes, which takes no time in virtual time,
    /// and for tests of systemd and libcamera, which poll while they wait.
    case slowLab
    /// The camera lab in virtual time, where the machine's other load does not matter.
    case lab
    /// Values, fakes and virtual time: no result depends on the speed.
    case pure

    private static let programModules: Set = [
        "PipComposeTests", "CommandTests", "PipMediaTests", "PipControlTests", "PipDisplayTests", "OutsideTests",
    ]
    private static let programSuites: Set = ["PackagingTests.FirstDayTests"]
    private static let slowLabSuites: Set = ["LibcameraReturn", "Load", "Service"]

    /// The class of a test.
    ///
    /// - Parameters:
    ///   - test: The test.
    ///   - hasLab: False when the camera lab cannot be used. Its tests then run on this machine, where each reports why
    ///     it is skipped.
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
    /// They get the processors before all others.
    public var isInRealTime: Bool { self == .programs || self == .slowLab }

    /// True for tests that run in the camera lab's guest.
    public var isInLab: Bool { self == .lab || self == .slowLab }

    /// The share of the machine that a process of this class takes while it runs.
    var needs: [MachineShare: Int] {
        switch self {
        case .programs: [.realTime: 1]
        case .slowLab: [.realTime: 2, .guest: 1]
        case .lab: [.guest: 1]
        case .pure: [.spare: 1]
        }
    }

    /// The longest time for a job of several suites, in seconds, since each job starts the test program or boots a
    /// guest.
    var jobSeconds: Double {
        switch self {
        case .programs, .pure: 15
        case .slowLab, .lab: 60
        }
    }

    /// The assumed time of an unknown test, in seconds.
    var assumedSeconds: Double {
        switch self {
        case .programs: 1
        case .slowLab: 5
        case .lab: 3
        case .pure: 0.1
        }
    }
}

/// A part of the machine that test processes share.
enum MachineShare {
    /// The processors, for tests in real time.
    case realTime
    /// The processor to which a guest of the camera lab is bound. A second guest might be bound to the same one.
    case guest
    /// The processor time that other tests leave.
    case spare

    /// The size of the share.
    var size: Int {
        switch self {
        case .realTime: 3
        case .guest: 1
        case .spare: 2
        }
    }
}
