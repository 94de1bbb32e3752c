internal import PipEffects
internal import PipFrames
internal import PipGraph

extension RenderPlan {
    /// Has passes read planes where their cameras wrote them, instead of copies.
    ///
    /// A texture that is drawn into or read back stays a copy: the memory is the camera's. So does one of three bytes a
    /// texel, which no GPU reads.
    mutating func shareUploads(of sources: [NodeID: SourceFormat], _ capabilities: PlanCapabilities) {
        guard capabilities.hasBufferImport else { return }
        let written = written
        for index in steps.indices {
            guard case .upload(var upload) = steps[index], !written.contains(upload.texture),
                textures[upload.texture].format != .rgb8,
                sources[upload.source]?.canBeShared(with: capabilities) == true
            else { continue }
            upload.isShared = true
            steps[index] = .upload(upload)
        }
    }

    /// The textures that something other than an upload writes, or that outputs are read from.
    private var written: Set<TextureIndex> {
        var indices = Set(outputs.flatMap { $0.readbacks.map(\.texture) })
        for step in steps {
            switch step {
            case .upload: continue
            case .clear(let clear): indices.insert(clear.texture)
            case .draw(let pass): indices.formUnion(pass.targets)
            case .keep(let keep): indices.formUnion([keep.texture, keep.history])
            }
        }
        return indices
    }
}

extension SourceFormat {
    /// Whether textures can be made of its frames' memory.
    fileprivate func canBeShared(with capabilities: PlanCapabilities) -> Bool {
        let strides = Set(layout.planes.map(\.strideInBytes))
        return isShareable && (capabilities.renderer.importsStridesOfPlanes || strides.count == 1)
    }
}
