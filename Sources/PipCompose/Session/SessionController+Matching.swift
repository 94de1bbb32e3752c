extension SessionController {
    /// How often cameras are looked at while they settle, at most.
    private static let mostLooks = 10

    /// Waits until the cameras have settled, for two seconds at most, and makes them keep exposure and white balance.
    func matchCameras(of wiring: Wiring, _ matching: CameraMatching) async {
        let main = wiring.graph.mainSource
        var ids = feedOrder.filter { camera($0) != nil }
        // The main one first: others follow it.
        ids = ids.filter { $0 == main } + ids.filter { $0 != main }
        await settle(ids)
        guard !isClosing else { return }
        var example: CameraAppearance?
        for id in ids {
            guard let camera = camera(id), let name = feeds[id]?.name else { continue }
            do throws(CaptureError) {
                if matching == .copy, example == nil { example = try camera.appearance() }
                let (set, refused) = try camera.keepAppearance(like: example)
                for error in refused { events.yield(.matchingRefused(error)) }
                if !set.isEmpty { events.yield(.cameraMatched(name: name, controls: set.map { "\($0)=\($1)" })) }
            } catch {
                events.yield(.matchingRefused(error))
            }
        }
    }

    /// Waits until no camera changes its settings by itself any more.
    private func settle(_ ids: [NodeID]) async {
        var last: [CameraAppearance?] = []
        for _ in 0..<Self.mostLooks {
            try? await Task.sleep(for: options.matchingInterval)
            if isClosing { return }
            var looks: [CameraAppearance?] = []
            for id in ids {
                do throws(CaptureError) { looks.append(try camera(id)?.appearance()) } catch { looks.append(nil) }
            }
            if looks == last, !looks.contains(nil) { return }
            last = looks
        }
    }
}
