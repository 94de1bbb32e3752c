internal import Synchronization

/// The cameras that the slots of a directory use or wait for, so that no slot opens the camera of another slot.
final class CameraClaims: Sendable {
    struct Claim {
        var device: CameraDevice
        /// True while the device is open.
        ///
        /// A slot also claims the lost camera that it waits for.
        var isOpen: Bool
    }

    private let claims = Mutex<[ObjectIdentifier: Claim]>([:])

    /// Records the camera that a slot uses or waits for; pass nil to release the camera.
    func set(_ claim: Claim?, of slot: AnyObject) { claims.withLock { $0[ObjectIdentifier(slot)] = claim } }

    /// The claims of other slots.
    func others(than slot: AnyObject) -> [Claim] {
        claims.withLock { claims in claims.filter { $0.key != ObjectIdentifier(slot) }.map(\.value) }
    }
}
