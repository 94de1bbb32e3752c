import TestRuns

/// The camera lab, which `Tests/Lab` builds and starts.
enum Lab {
    case ready
    /// The camera lab cannot be used on this machine.
    case missing(reason: String)

    var isReady: Bool { if case .ready = self { true } else { false } }

    /// Builds the missing parts of the lab.
    ///
    /// - Throws: ``Failure`` when the lab is broken.
    static func prepare() throws(Failure) -> Lab {
        var last = ""
        let end = Command(["Tests/Lab/build"]).run { line in
            last = String(line)
            return true
        }
        switch end.status {
        case 0: return .ready
        case 77: return .missing(reason: last)
        default: throw Failure("the camera lab is broken: \(last)")
        }
    }

    /// The command that starts a program in the lab's guest.
    ///
    /// - Parameters:
    ///   - limit: The longest time, in the guest's seconds, after which the program prints the stacks of its threads.
    ///   - hasVirtualTime: True for virtual time, in which sleeping costs no time.
    /// - Returns: The words in front of the program.
    static func launcher(limitInSeconds limit: Int, hasVirtualTime: Bool = false) -> [String] {
        ["Tests/Lab/lab", "--share", ".build", "--timeout", String(limit + 100)]
            + (hasVirtualTime ? ["--virtual-time"] : [])
            + ["--", "timeout", "--signal=QUIT", "--kill-after=60", String(limit)]
    }

    /// The words in front of the test program, by the class of its tests.
    static func launcher(of testClass: TestClass) -> [String] {
        switch testClass {
        case .programs, .pure: []
        case .slowLab: launcher(limitInSeconds: 900)
        case .lab: launcher(limitInSeconds: 900, hasVirtualTime: true)
        }
    }
}
