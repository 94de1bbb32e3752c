import Foundation
import Testing

/// Tests on real drivers: in the guest that `Tests/Lab/lab` starts, as root of it, one at a time.
@Suite("In the camera lab", .serialized, .inTheLab)
enum CameraLab {
    /// True where sleeping costs no time, and work takes none.
    static let isInVirtualTime =
        (try? String(contentsOfFile: "/proc/cmdline", encoding: .utf8))?.contains("time-travel") ?? false
}

extension Trait where Self == ConditionTrait {
    /// Skips what needs the camera lab where there is none, and says why.
    static var inTheLab: Self {
        let environment = ProcessInfo.processInfo.environment
        let reason = environment["PIP_LAB_MISSING"] ?? "it needs the camera lab: `make test` runs it there"
        return .enabled(if: environment["PIP_LAB"] == "1", Comment(rawValue: reason))
    }

    /// Skips what needs the lab's virtual time: there alone its kernel can sleep, and work takes no time.
    static var inVirtualTime: Self {
        .enabled(if: CameraLab.isInVirtualTime, "it needs the lab's virtual time")
    }
}
