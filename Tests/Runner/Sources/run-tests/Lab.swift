/// The camera lab, which `Tests/Lab` builds and starts.
enum Lab {
    case ready
    /// It cannot be used on this machine.
    case missing(reason: String)

    /// Builds what of it is not there yet.
    ///
    /// - Throws: ``Failure`` when it is broken.
    static func prepare() throws(Failure) -> Lab {
        var last = ""
        let status = Command.run([Command(["Tests/Lab/build"])]) { _, line in
            print(line)
            last = String(line)
        }
        switch status[0] {
        case 0: return .ready
        case 77: return .missing(reason: last)
        default: throw Failure("the camera lab is broken")
        }
    }

    /// What starts a program in it.
    static func launcher(limitInSeconds: Int, hasVirtualTime: Bool = false) -> [String] {
        ["Tests/Lab/lab", "--share", ".build", "--timeout", String(limitInSeconds)]
            + (hasVirtualTime ? ["--virtual-time"] : []) + ["--"]
    }
}
