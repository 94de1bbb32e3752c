internal import Synchronization

/// Which cameras the slots of a program have, so that none takes another's.
final class CameraClaims: Sendable {
    struct Claim {
        var device: CameraDevice
        /// True while the device is open; a lost camera stays its slot's.
        var isOpen: Bool
    }

    private let claims = Mutex<[ObjectIdentifier: Claim]>([:])

    /// Notes which camera a slot has.
    func set(_ claim: Claim?, of slot: AnyObject) { claims.withLock { $0[ObjectIdentifier(slot)] = claim } }

    /// The claims of other slots.
    func others(than slot: AnyObject) -> [Claim] {
        claims.withLock { claims in claims.filter { $0.key != ObjectIdentifier(slot) }.map(\.value) }
    }
}
