extension SessionController {
    /// How often cameras are looked at while they settle, at most.
    private static let mostLooks = 10

    /// Makes cameras keep exposure and white balance once they have settled: those that are there, and others when they come.
    func matchCameras(of wiring: Wiring, _ matching: CameraMatching) async {
        let main = wiring.graph.mainSource
        let ids = feedOrder.filter { camera($0) != nil }
        var example: CameraAppearance?
        // The main one first: others follow it.
        await match(ids.filter { $0 == main } + ids.filter { $0 != main }, matching, like: &example)
        for await id in arrivals.stream where !matched.contains(id) { await match([id], matching, like: &example) }
    }

    /// Waits until these cameras have settled, for two seconds at most, and makes those that are there keep what they have.
    private func match(_ ids: [NodeID], _ matching: CameraMatching, like example: inout CameraAppearance?) async {
        await settle(ids)
        guard !isClosing else { return }
        for id in ids {
            guard let camera = camera(id), let name = feeds[id]?.name else { continue }
            do throws(CaptureError) {
                if matching == .copy, example == nil { example = try camera.appearance() }
                let (set, refused) = try camera.keepAppearance(like: example)
                for error in refused { events.yield(.matchingRefused(error)) }
                if !set.isEmpty { events.yield(.cameraMatched(name: name, controls: set.map { "\($0)=\($1)" })) }
            } catch {
                // One that is missing is matched when it comes.
                if error.kind == .disconnected { continue }
                events.yield(.matchingRefused(error))
            }
            matched.insert(id)
        }
    }

    /// Waits until no camera changes its settings by itself any more.
    private func settle(_ ids: [NodeID]) async {
        var last: [CameraAppearance?] = []
        for _ in 0..<Self.mostLooks {
            try? await options.time.sleep(for: options.matchingInterval)
            if isClosing { return }
            var looks: [CameraAppearance?] = []
            for id in ids {
                do throws(CaptureError) { looks.append(try camera(id)?.appearance()) } catch { looks.append(nil) }
            }
            if looks == last { return }
            last = looks
        }
    }
}
