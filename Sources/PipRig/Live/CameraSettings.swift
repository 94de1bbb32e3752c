internal import PipCompose

/// Changes of cameras' modes, controls and switches: what a graph does not hold.
struct CameraSettings {
    /// A change of one camera.
    private struct Change {
        let picture: String
        let before: RigPicture
        let after: RigPicture
    }

    private let changes: [Change]

    /// The differences of two compositions, in cameras that both have.
    init(from old: Rig, to new: Rig) {
        var seen: Set<String> = []
        changes = new.pictures.compactMap { picture in
            guard let camera = picture.camera, let before = old[picture: picture.name],
                before.camera?.selector == camera.selector,
                before.source.identity != picture.source.identity || before.isEnabled != picture.isEnabled,
                // One camera may be in several pictures.
                seen.insert("\(camera.selector)").inserted
            else { return nil }
            return Change(picture: picture.name, before: before, after: picture)
        }
    }

    private init(_ changes: [Change]) { self.changes = changes }

    /// The changes back.
    var inverse: CameraSettings {
        CameraSettings(changes.reversed().map { Change(picture: $0.picture, before: $0.after, after: $0.before) })
    }

    /// Makes the changes, all or none.
    ///
    /// - Throws: ``/PipCompose/SessionError`` for the first that a camera refuses.
    func apply(to session: Session, _ nodes: RigNodes) async throws(SessionError) {
        for (index, change) in changes.enumerated() {
            do throws(SessionError) { try await Self.apply(change, to: session, nodes) } catch {
                await CameraSettings(Array(changes[...index])).inverse.restore(session, nodes)
                throw error
            }
        }
    }

    /// Makes the changes as far as the cameras take them.
    func restore(_ session: Session, _ nodes: RigNodes) async {
        for change in changes { try? await Self.apply(change, to: session, nodes) }
    }

    private static func apply(_ change: Change, to session: Session, _ nodes: RigNodes) async throws(SessionError) {
        guard let camera = nodes.pictures[change.picture]?.source as? CameraSource,
            let before = change.before.camera?.wish, let after = change.after.camera?.wish
        else { return }
        if before.size != after.size || before.frameRate != after.frameRate || before.format != after.format {
            try await session.setMode(after, of: camera)
        }
        if before.adjustments != after.adjustments {
            try await session.adjust(camera) { $0 = after.adjustments }
        }
        let changed = after.controls.filter { control in
            !before.controls.contains { $0.name == control.name && $0.value == control.value }
        }
        if !changed.isEmpty { try await session.setControls(changed, of: camera) }
        if change.before.isEnabled != change.after.isEnabled {
            try await session.setEnabled(change.after.isEnabled, camera)
        }
    }
}
