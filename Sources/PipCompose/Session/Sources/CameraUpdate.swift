/// What a graph asks of the cameras that run, other than the graph before: all of it is made, or nothing.
///
/// Belongs to the session's controller.
struct CameraUpdate {
    private struct Change {
        let id: NodeID
        let slot: CameraSlot
        let before: CameraSetup
        let after: CameraSetup
        let limit: CameraLimit

        /// What the camera is to do about it.
        var step: (slot: CameraSlot, change: SetupChange) {
            (slot, SetupChange(from: limit.applied(to: before), to: limit.applied(to: after)))
        }
    }

    private let changes: [Change]
    private let transaction: CameraTransaction?

    /// Makes the changes, as far as the relief allows.
    ///
    /// - Parameters:
    ///   - graph: The graph to be drawn.
    ///   - main: Its main source.
    ///   - sources: The open sources.
    ///   - relief: Limits sizes, and switches cameras off.
    ///   - cameras: Knows the buses.
    /// - Throws: ``SessionError`` of the first that a camera does not take; then all are as they were.
    init(
        to graph: Graph, main: NodeID?, _ sources: SourceRegistry, _ relief: ReliefDirector, _ cameras: CameraDirectory
    ) async throws(SessionError) {
        changes = sources.changedCameras(by: graph).map { camera in
            Change(
                id: camera.id, slot: camera.slot, before: camera.before, after: camera.after,
                limit: relief.limit(isMain: camera.id == main))
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

    /// Lets the changes stay, and notes them.
    func settle(_ sources: SourceRegistry, _ relief: ReliefDirector, _ matcher: CameraMatcher) async {
        await transaction?.settle()
        for change in changes {
            sources.note(change.after, of: change.id)
            relief.note(change.after.wish, of: change.id, within: change.limit.size)
            if change.before.selector != change.after.selector { matcher.replaced(change.id) }
        }
    }

    /// Makes the cameras what they were before, as far as they take that.
    func takeBack() async { await transaction?.takeBack() }
}
