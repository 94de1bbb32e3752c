/// The changes of running cameras that a graph calls for: all of them are made, or none.
///
/// Belongs to the session's controller.
struct CameraUpdate {
    private struct Change {
        let id: NodeID
        let slot: CameraSlot
        let before: CameraSetup
        let after: CameraSetup
        let limit: CameraLimit

        /// The change for the camera, within the limit.
        var step: (slot: CameraSlot, change: SetupChange) {
            (slot, SetupChange(from: limit.applied(to: before), to: limit.applied(to: after)))
        }
    }

    private let changes: [Change]
    private let transaction: CameraTransaction?

    /// Makes the changes, as far as a relief allows.
    ///
    /// - Parameters:
    ///   - graph: The graph with the cameras' settings.
    ///   - main: The graph's main source.
    ///   - sources: The open sources.
    ///   - relief: Limits sizes, and switches cameras off.
    ///   - cameras: Knows the buses.
    /// - Throws: ``SessionError`` of the first camera that refuses its change. Then all cameras are as they were.
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

    /// Keeps the changes, and notes them.
    func keep(_ sources: SourceRegistry, _ relief: CameraRelief, _ matcher: CameraMatcher) async {
        await transaction?.settle()
        for change in changes {
            sources.note(change.after, of: change.id)
            relief.note(change.after.wish, of: change.id, within: change.limit)
            if change.before.selector != change.after.selector { matcher.replaced(change.id) }
        }
    }

    /// Sets the cameras back, as far as they take that.
    func takeBack() async { await transaction?.takeBack() }
}
