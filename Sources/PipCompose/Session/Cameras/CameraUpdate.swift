/// Applies a graph's changed camera settings to the running cameras: all changes, or none.
///
/// Thread: the session's controller only.
struct CameraUpdate {
    private struct Change {
        let id: NodeID
        let slot: CameraSlot
        let before: CameraSetup
        let after: CameraSetup
        let limit: CameraLimit

        /// The camera's slot, with the change of its settings within the limit.
        var step: (slot: CameraSlot, change: SetupChange) {
            (slot, SetupChange(from: limit.applied(to: before), to: limit.applied(to: after)))
        }
    }

    private let changes: [Change]
    private let transaction: CameraTransaction?

    /// Applies the changes, within the limits that the present relief sets.
    ///
    /// - Parameters:
    ///   - graph: The graph with the cameras' settings.
    ///   - main: The graph's main source.
    ///   - sources: The open sources.
    ///   - relief: The relief in force, which may limit sizes and switch cameras off.
    ///   - cameras: The camera directory, which tells the cameras' buses.
    /// - Throws: ``SessionError`` of the first camera that refuses its change. Then all cameras have their former
    ///   settings, as far as the cameras accept them.
    init(
        to graph: Graph, main: NodeID?, _ sources: SourceRegistry, _ relief: PressureRelief, _ cameras: CameraDirectory
    ) async throws(SessionError) {
        changes = sources.changedCameras(by: graph).map { camera in
            Change(
                id: camera.id, slot: camera.slot, before: camera.before, after: camera.after,
                limit: relief.cameraLimit(isMain: camera.id == main))
        }
        guard !changes.isEmpty else {
            transaction = nil
            return
        }
        let all = sources.cameraIDs.compactMap { sources.camera($0) }
        do throws(CaptureError) {
            transaction = try await CameraTransaction(changes.map(\.step), beside: all, in: cameras)
        } catch {
            throw .camera(error)
        }
    }

    /// Makes the changes final, and records the new settings.
    func keep(_ sources: SourceRegistry, _ relief: CameraRelief, _ matcher: CameraMatcher) async {
        await transaction?.settle()
        for change in changes {
            sources.note(change.after, of: change.id)
            relief.note(change.after.wish, of: change.id, within: change.limit)
            if change.before.selector != change.after.selector { matcher.replaced(change.id) }
        }
    }

    /// Restores the cameras' former settings, as far as the cameras accept them.
    func takeBack() async { await transaction?.takeBack() }
}
