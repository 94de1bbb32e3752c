import PipCompose
import PipRig

extension RenderPlan {
    /// The plan as the JSON document that `explain --format json` prints.
    func json(of graph: Graph, renderer: String) -> JSON {
        .object([
            "renderer": renderer, "executor": executor.rawValue, "cost": costs, "textures": textures.map(Self.texture),
            "steps": steps.map { step($0, graph) }, "outputs": outputs.map { output($0, graph) },
        ])
    }

    private var costs: JSON {
        let cost = cost
        return .object([
            "passes": cost.passes, "pixels_shaded": cost.pixels, "bytes_uploaded": cost.bytesUploaded,
            "bytes_shared": cost.bytesShared, "bytes_read_back": cost.bytesReadBack, "bytes_blitted": cost.bytesBlitted,
            "row_passes": cost.rowPasses, "row_pixels": cost.rowPixels,
        ])
    }

    private static func texture(_ texture: PlannedTexture) -> JSON {
        .object(["label": texture.label, "size": texture.size.description, "format": texture.format.rawValue])
    }

    private func step(_ step: Step, _ graph: Graph) -> JSON {
        switch step {
        case .upload(let upload):
            .object([
                "step": upload.isShared ? "share" : "upload", "source": graph.label(of: upload.source),
                "plane": upload.plane, "texture": upload.texture, "region": upload.region.description,
                "bytes": upload.byteCount,
            ])
        case .clear(let clear): .object(["step": "clear", "texture": clear.texture])
        case .keep(let keep):
            .object(["step": "keep", "texture": keep.texture, "history": keep.history])
        case .transfer(let transfer):
            .object([
                "step": transfer.executor == .gl ? "lend" : "fetch", "texture": transfer.texture,
                "bytes": transfer.byteCount,
            ])
        case .tabulate(let pass):
            .object([
                "step": "tabulate", "label": pass.label, "targets": JSON.array([.integer(pass.target)]),
                "pixels": pass.pixels,
            ])
        case .rows(let pass):
            .object([
                "step": "rows", "label": pass.label, "targets": pass.targets, "inputs": pass.inputs,
                "regions": pass.rects.map(\.description),
                "blending": pass.contents.isBlended ? "premultiplied" : "none", "pixels": pass.pixels,
            ])
        case .draw(let pass):
            .object([
                "step": "draw", "label": pass.label, "targets": pass.targets, "inputs": pass.inputs.map(\.texture),
                "regions": pass.regions.map(\.description), "blending": pass.blending.rawValue, "pixels": pass.pixels,
            ])
        }
    }

    private func output(_ output: PlannedOutput, _ graph: Graph) -> JSON {
        .object([
            "format": output.layout.format.rawValue, "size": output.layout.size.description,
            "sinks": JSON.array(output.sinks.map { .string(graph.label(of: $0)) }),
            "intervals_in_seconds": JSON.array(
                output.sinks.map { graph.sink($0)?.interval.map { JSON.number($0.seconds, decimals: 3) } ?? .null }),
            "blits": JSON.array(
                output.blits.map { blit in
                    .object([
                        "source": graph.label(of: blit.source), "plane": blit.plane, "region": blit.region.description,
                        "bytes": blit.byteCount,
                    ])
                }),
            "draws": JSON.array((output.draws?.steps ?? []).map { step($0, graph) }),
            "readbacks": JSON.array(
                output.readbacks.map { readback in
                    .object([
                        "texture": readback.texture, "region": readback.region.description, "plane": readback.plane,
                        "bytes": readback.byteCount,
                    ])
                }),
        ])
    }
}
