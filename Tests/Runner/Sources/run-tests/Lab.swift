import TestRuns

/// The availability of the camera lab, which `Tests/Lab` builds and starts.
enum Lab {
    case ready
    /// The camera lab cannot be used on this machine, for a reason.
    case missing(reason: String)

    var isReady: Bool { if case .ready = self { true } else { false } }

    /// Builds the missing parts of the camera lab.
    ///
    /// - Throws: ``Failure`` if the lab should work, but does not.
    static func prepare() throws(Failure) -> Lab {
        var last = ""
        let end = Command(["Tests/Lab/build"]).run { line in
            last = String(line)
            return true
        }
        switch end.status {
        case 0: return .ready
        case 77: return .missing(reason: last)
        default: throw Failure("Tests/Lab/build has failed\(last.isEmpty ? "" : ": \(last)")")
        }
    }

    /// The command that starts a program in the guest of the camera lab.
    ///
    /// - Parameters:
    ///   - limit: The program's time limit in seconds, after which the program prints the stacks of its threads.
    ///   - hasVirtualTime: True for virtual time, in which waiting takes no real time.
    /// - Returns: The words before the program and its arguments.
    static func launcher(limitInSeconds limit: Int, hasVirtualTime: Bool = false) -> [String] {
        ["Tests/Lab/lab", "--share", ".build", "--timeout", String(limit + 100)]
            + (hasVirtualTime ? ["--virtual-time"] : [])
            + ["--", "timeout", "--signal=QUIT", "--kill-after=60", String(limit)]
    }

    /// The command that starts the test program, by the class of its tests; an empty command starts the program
    /// directly.
    static func launcher(of testClass: TestClass) -> [String] {
        switch testClass {
        case .programs, .pure: []
        case .slowLab: launcher(limitInSeconds: 900)
        case .lab: launcher(limitInSeconds: 900, hasVirtualTime: true)
        }
    }
}
