internal import PipFrames

/// A transaction of camera setups: all changes are made, or none.
///
/// All changes are checked before the first is made: with the driver's test calls, where it has them, and against the
/// bandwidth of the buses. Cameras without a change are left alone. When a camera still refuses its change, the earlier
/// changes are reverted in reverse order.
///
/// Slots may exchange cameras. A camera that another slot takes is stopped first; any other replaced camera delivers
/// until its successor does, if their bus can carry both. The caller of a successful transaction must call
/// ``settle()`` or ``takeBack()``.
package struct CameraTransaction: Sendable {
    private let slots: [CameraSlot]
    /// The paths of the cameras before the transaction, keyed by slot.
    private let before: [ObjectIdentifier: String]

    /// Carries out the changes.
    ///
    /// - Parameters:
    ///   - changes: The slots to change, with their changes.
    ///   - all: All slots whose cameras share buses, including those of `changes`.
    ///   - directory: The directory that computes the load of the buses.
    /// - Throws: ``CaptureError`` of the first impossible change; then all changes are reverted, as far as the cameras
    ///   permit.
    package init(
        _ changes: [(slot: CameraSlot, change: SetupChange)], beside all: [CameraSlot], in directory: CameraDirectory
    ) async throws(CaptureError) {
        slots = changes.map(\.slot)
        var paths: [ObjectIdentifier: String] = [:]
        for slot in slots { paths[ObjectIdentifier(slot)] = slot.device?.path }
        before = paths
        do throws(CaptureError) {
            var modes: [ObjectIdentifier: CameraMode] = [:]
            let freed = Set(changes.filter(\.change.hasOtherCamera).compactMap(\.slot.device?.path))
            for (slot, var change) in changes {
                change.freedPaths = freed
                modes[ObjectIdentifier(slot)] = try await slot.prepare(change)
            }
            if !modes.isEmpty { try Self.checkBuses(of: all, modes, directory) }
            for slot in slots where isTaken(slot.device, from: slot, by: { $0.successor?.path }) {
                try await slot.vacate()
            }
            for slot in slots { try await slot.carryOut() }
        } catch {
            await takeBack()
            throw error
        }
    }

    /// Makes the changes permanent.
    package func settle() async {
        for slot in slots { await slot.settle() }
    }

    /// Reverts the changes, as far as the cameras permit.
    package func takeBack() async {
        for slot in slots where isTaken(slot.device, from: slot, by: { before[ObjectIdentifier($0)] }) {
            try? await slot.vacate()
        }
        for slot in slots.reversed() { await slot.takeBack() }
    }

    /// True when another slot of the transaction takes the camera `device` from `slot`.
    private func isTaken(
        _ device: CameraDevice?, from slot: CameraSlot, by path: (CameraSlot) -> String?
    ) -> Bool {
        guard let device, path(slot) != device.path else { return false }
        return slots.contains { $0 !== slot && path($0) == device.path }
    }

    /// Throws when the new modes exceed a bus's bandwidth, and need more than the previous modes.
    private static func checkBuses(
        of slots: [CameraSlot], _ modes: [ObjectIdentifier: CameraMode], _ directory: CameraDirectory
    ) throws(CaptureError) {
        let cameras = slots.compactMap { slot in
            slot.device.flatMap { device in
                slot.format.map { (device: device, before: $0.mode, after: modes[ObjectIdentifier(slot)] ?? $0.mode) }
            }
        }
        let before = directory.busLoads(of: cameras.map { ($0.device, $0.before) })
        for load in directory.busLoads(of: cameras.map { ($0.device, $0.after) }) where load.cost > 1 {
            let last = before.first { $0.controller == load.controller }
            guard load.cost > last?.cost ?? 0 else { continue }
            let names = cameras.filter { $0.device.hostController == load.controller }.map {
                "\($0.device.card) \($0.after)"
            }
            throw CaptureError(
                .noBandwidth, device: load.controller, operation: "carry \(names.joined(separator: " and "))",
                reason: "these streams need more bandwidth than the bus has: \(load)",
                hint: "use MJPEG, a lower rate or size, or a port on another controller")
        }
    }
}
