internal import Glibc
internal import PipFrames
internal import SystemPackage

extension InputProblem {
    /// The kind of a device, for the sentences about its node.
    struct Kind {
        /// The noun of a sentence: `input device`.
        let noun: String
        /// The kernel's subsystem, and the group to which systems usually give its nodes.
        let (subsystem, group): (String, String)

        static let keys = Kind(noun: "input device", subsystem: "input", group: "input")
        static let chip = Kind(noun: "GPIO chip", subsystem: "gpio", group: "gpio")
        static let lines = Kind(noun: "source of values", subsystem: "tty", group: "dialout")
    }

    /// The problem of a node that cannot be opened or read.
    init(_ path: String, _ kind: Kind, _ errno: Errno) {
        switch errno {
        case .noSuchFileOrDirectory, .noSuchAddressOrDevice: self.init("\(path): there is no such \(kind.noun)")
        case .operationNotSupportedByDevice, .brokenPipe: self.init("\(path): the \(kind.noun) is gone")
        case .permissionDenied, .notPermitted: self.init(Self.permission(path, kind))
        case .inappropriateIOCTLForDevice, .invalidArgument: self.init("\(path) is no \(kind.noun)")
        default: self.init("\(path): cannot read the \(kind.noun): \(errno)")
        }
    }

    /// The sentence about a node that this process may not read, with the group or the rule that lets it.
    private static func permission(_ path: String, _ kind: Kind) -> String {
        var info = stat()
        let isKnown = unsafe stat(path, &info) == 0
        if isKnown, info.st_gid != 0, info.st_mode & S_IRGRP != 0 {
            let name = group(info.st_gid)
            return "\(path): the \(kind.noun) belongs to the group \(name): run `sudo usermod -aG \(name) $USER` and "
                + "log in again"
        }
        return "\(path): only root may read the \(kind.noun); this udev rule gives it to the group \(kind.group): "
            + "SUBSYSTEM==\"\(kind.subsystem)\", GROUP=\"\(kind.group)\", MODE=\"0660\""
    }

    private static func group(_ number: UInt32) -> String {
        for line in (FileContents.text(of: "/etc/group") ?? "").split(separator: "\n") {
            let fields = line.split(separator: ":", omittingEmptySubsequences: false)
            if fields.count >= 3, UInt32(fields[2]) == number { return String(fields[0]) }
        }
        return String(number)
    }
}
