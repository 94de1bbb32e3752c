/// A class of tests: what they need of the machine, and so beside what they can run.
public enum TestClass: String, CaseIterable, Sendable {
    /// Whole programs, sessions, servers, displays and browsers, in real time.
    case programs
    /// The camera lab in real time: tests that ask how long work takes, which in virtual time takes none, and those of
    /// systemd and libcamera, which look again and again while they wait.
    case slowLab
    /// The camera lab in its virtual time, where it does not matter what else the machine has to do.
    case lab
    /// Values, fakes and virtual time: nothing that a test states depends on how fast it runs.
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
    ///   - hasLab: False where the camera lab cannot be used: its tests then run on this machine, where each says why
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

    /// True for tests that the machine's clock judges: they get the processors before all others.
    public var isInRealTime: Bool { self == .programs || self == .slowLab }

    /// True for tests that run in the camera lab's guest.
    public var isInLab: Bool { self == .lab || self == .slowLab }

    /// What a process of the class takes of the machine while it runs.
    var needs: [MachineShare: Int] {
        switch self {
        case .programs: [.realTime: 1]
        case .slowLab: [.realTime: 2, .guest: 1]
        case .lab: [.guest: 1]
        case .pure: [.spare: 1]
        }
    }

    /// The time that a job of several suites may take, in seconds: each job starts the test program, or boots a guest.
    var jobSeconds: Double {
        switch self {
        case .programs, .pure: 15
        case .slowLab, .lab: 60
        }
    }

    /// The time that a test takes of which nothing is known yet, in seconds.
    var assumedSeconds: Double {
        switch self {
        case .programs: 1
        case .slowLab: 5
        case .lab: 3
        case .pure: 0.1
        }
    }
}

/// A part of the machine that processes of tests share.
enum MachineShare {
    /// The processors, for tests that the clock judges.
    case realTime
    /// The processor that a guest of the camera lab is bound to: a second guest might be bound to the same one.
    case guest
    /// What the others leave of the processors.
    case spare

    /// What there is of it.
    var size: Int {
        switch self {
        case .realTime: 3
        case .guest: 1
        case .spare: 2
        }
    }
}
