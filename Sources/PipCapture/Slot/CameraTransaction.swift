internal import PipFrames

/// Changes of what is asked of cameras: all of them, or none.
///
/// Each is checked before the first is made: by the driver, where it can be asked, and by what the cameras together ask
/// of their buses. A camera that is not among them is not touched. One change that a camera refuses all the same takes
/// back those before it, the last one first.
///
/// Cameras may be exchanged: one that another place takes is stopped before that. All others deliver until their
/// successor does.
package struct CameraTransaction: Sendable {
    private let slots: [CameraSlot]
    /// The paths of the cameras before, by slot.
    private let before: [ObjectIdentifier: String]

    /// Makes the changes.
    ///
    /// - Parameters:
    ///   - changes: The cameras that change.
    ///   - all: These, and those that run beside them.
    ///   - directory: Knows the buses.
    /// - Throws: ``CaptureError`` of the first that cannot be made; then all cameras are as they were.
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
                change.freed = freed
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

    /// Lets the changes stay.
    package func settle() async {
        for slot in slots { await slot.settle() }
    }

    /// Makes the cameras what they were before, as far as they take that.
    package func takeBack() async {
        for slot in slots where isTaken(slot.device, from: slot, by: { before[ObjectIdentifier($0)] }) {
            try? await slot.vacate()
        }
        for slot in slots.reversed() { await slot.takeBack() }
    }

    /// True when another slot is to have a slot's camera.
    private func isTaken(
        _ device: CameraDevice?, from slot: CameraSlot, by path: (CameraSlot) -> String?
    ) -> Bool {
        guard let device, path(slot) != device.path else { return false }
        return slots.contains { $0 !== slot && path($0) == device.path }
    }

    /// Refuses modes that ask more of a bus than it has, unless it was asked for no less before.
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
                reason: "they ask for more than the bus has: \(load)",
                hint: "use MJPEG, a lower rate or size, or a port on another controller")
        }
    }
}
