internal import Synchronization

/// The cameras that a program's slots have taken, so that no slot takes another's.
final class CameraClaims: Sendable {
    struct Claim {
        var device: CameraDevice
        /// True while the device is open.
        ///
        /// A lost camera stays its slot's.
        var isOpen: Bool
    }

    private let claims = Mutex<[ObjectIdentifier: Claim]>([:])

    /// Records the camera of a slot; nil releases it.
    func set(_ claim: Claim?, of slot: AnyObject) { claims.withLock { $0[ObjectIdentifier(slot)] = claim } }

    /// The claims of other slots.
    func others(than slot: AnyObject) -> [Claim] {
        claims.withLock { claims in claims.filter { $0.key != ObjectIdentifier(slot) }.map(\.value) }
    }
}
