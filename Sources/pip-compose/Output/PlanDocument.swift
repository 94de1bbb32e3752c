import PipCompose
import PipRig

extension RenderPlan {
    /// The plan as a document for programs.
    ///
    /// - Parameters:
    ///   - graph: The graph that was planned.
    ///   - renderer: The renderer's name.
    ///   - members: Further members, of the session.
    /// - Returns: The document.
    func json(of graph: Graph, renderer: String, _ members: [JSON.Member] = []) -> JSON {
        .object(
            [
                .init(key: "renderer", value: .string(renderer)),
                .init(key: "executor", value: .string(executor.rawValue)), .init(key: "cost", value: costs),
                .init(key: "textures", value: .array(textures.map(Self.texture))),
                .init(key: "steps", value: .array(steps.map { step($0, graph) })),
                .init(key: "outputs", value: .array(outputs.map { output($0, graph) })),
            ] + members)
    }

    private var costs: JSON {
        let cost = cost
        return .object([
            "passes": .integer(cost.passes), "pixels_shaded": .integer(cost.pixels),
            "bytes_uploaded": .integer(cost.bytesUploaded), "bytes_shared": .integer(cost.bytesShared),
            "bytes_read_back": .integer(cost.bytesReadBack),
            "bytes_blitted": .integer(cost.bytesBlitted), "row_passes": .integer(cost.rowPasses),
            "row_pixels": .integer(cost.rowPixels),
        ])
    }

    private static func texture(_ texture: PlannedTexture) -> JSON {
        .object([
            "label": .string(texture.label), "size": .string(texture.size.description),
            "format": .string(texture.format.rawValue),
        ])
    }

    private func step(_ step: Step, _ graph: Graph) -> JSON {
        switch step {
        case .upload(let upload):
            .object([
                "step": .string(upload.isShared ? "share" : "upload"),
                "source": .string(graph.label(of: upload.source)),
                "plane": .integer(upload.plane), "texture": .integer(upload.texture),
                "region": .string(upload.region.description), "bytes": .integer(upload.byteCount),
            ])
        case .clear(let clear): .object(["step": .string("clear"), "texture": .integer(clear.texture)])
        case .keep(let keep):
            .object([
                "step": .string("keep"), "texture": .integer(keep.texture), "history": .integer(keep.history),
            ])
        case .transfer(let transfer):
            .object([
                "step": .string(transfer.executor == .gl ? "lend" : "fetch"), "texture": .integer(transfer.texture),
                "bytes": .integer(transfer.byteCount),
            ])
        case .tabulate(let pass):
            .object([
                "step": .string("tabulate"), "label": .string(pass.label), "targets": .array([.integer(pass.target)]),
                "pixels": .integer(pass.pixels),
            ])
        case .rows(let pass):
            .object([
                "step": .string("rows"), "label": .string(pass.label),
                "targets": .array(pass.targets.map { .integer($0) }),
                "inputs": .array(pass.inputs.map { .integer($0) }),
                "regions": .array(pass.rects.map { .string($0.description) }),
                "blending": .string(pass.contents.isBlended ? "premultiplied" : "none"),
                "pixels": .integer(pass.pixels),
            ])
        case .draw(let pass):
            .object([
                "step": .string("draw"), "label": .string(pass.label),
                "targets": .array(pass.targets.map { .integer($0) }),
                "inputs": .array(pass.inputs.map { .integer($0.texture) }),
                "regions": .array(pass.regions.map { .string($0.description) }),
                "blending": .string(pass.blending.rawValue), "pixels": .integer(pass.pixels),
            ])
        }
    }

    private func output(_ output: PlannedOutput, _ graph: Graph) -> JSON {
        .object([
            "format": .string(output.layout.format.rawValue), "size": .string(output.layout.size.description),
            "sinks": .array(output.sinks.map { .string(graph.label(of: $0)) }),
            "blits": .array(
                output.blits.map { blit in
                    .object([
                        "source": .string(graph.label(of: blit.source)), "plane": .integer(blit.plane),
                        "region": .string(blit.region.description), "bytes": .integer(blit.byteCount),
                    ])
                }),
            "draws": .array((output.draws?.steps ?? []).map { step($0, graph) }),
            "readbacks": .array(
                output.readbacks.map { readback in
                    .object([
                        "texture": .integer(readback.texture), "region": .string(readback.region.description),
                        "plane": .integer(readback.plane), "bytes": .integer(readback.byteCount),
                    ])
                }),
        ])
    }
}
