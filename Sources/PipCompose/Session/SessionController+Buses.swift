internal import Synchronization

extension SessionController {
    /// What is wished of the cameras that a graph adds, so that those of one bus fit together.
    func jointWishes(of graph: Graph) -> [NodeID: CameraWish] {
        let main = graph.mainSource
        let new = graph.sources.filter { feeds[$0] == nil }
        let cameras = new.compactMap { id -> (id: NodeID, camera: CameraSpecification)? in
            guard case .source(let specification)? = graph[id] else { return nil }
            return (specification as? CameraSpecification).map { (id, $0) }
        }
        // The main one first: it gives up last.
        let ordered = cameras.filter { $0.id == main } + cameras.filter { $0.id != main }
        guard ordered.count > 1 else { return [:] }
        let wishes = self.cameras.jointWishes(ordered.map { ($0.camera.selector, $0.camera.wish) })
        return Dictionary(zip(ordered.map(\.id), wishes)) { first, _ in first }
    }

    /// What the running cameras ask of their buses.
    nonisolated var busLoads: [BusLoad] {
        let feeds = published.withLock { $0.feeds }
        return cameras.busLoads(
            of: feeds.compactMap { feed in
                guard case .camera(let slot) = feed.inlet, let device = slot.device, let format = slot.format else {
                    return nil
                }
                return (device, format.mode)
            })
    }
}
