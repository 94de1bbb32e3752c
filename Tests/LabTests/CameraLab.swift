import Foundation
import Testing

/// The tests with real drivers.
///
/// The tests run as root, one at a time, in the guest that `Tests/Lab/lab` starts.
@Suite("In the camera lab", .serialized, .inTheLab)
enum CameraLab {
    /// True if sleeping takes no real time in this guest, and work takes no virtual time.
    static let isInVirtualTime =
        (try? String(contentsOfFile: "/proc/cmdline", encoding: .utf8))?.contains("time-travel") ?? false
}

extension Trait where Self == ConditionTrait {
    /// Skips tests outside of the camera lab.
    static var inTheLab: Self {
        let environment = ProcessInfo.processInfo.environment
        let reason = environment["PIP_LAB_MISSING"] ?? "needs the camera lab: `make test` runs the tests there"
        return .enabled(if: environment["PIP_LAB"] == "1", Comment(rawValue: reason))
    }

    /// Skips tests that need the lab's virtual time, in which the kernel can sleep and work takes no time.
    static var inVirtualTime: Self {
        .enabled(if: CameraLab.isInVirtualTime, "needs the lab's virtual time")
    }
}
