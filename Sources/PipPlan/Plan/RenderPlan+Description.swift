internal import PipEffects
internal import PipFrames
public import PipGraph

extension RenderPlan {
    /// The plan as text: its uploads, passes and read-backs, and its cost.
    ///
    /// - Parameter graph: The graph that the plan draws; gives the names of nodes.
    /// - Returns: Lines of text.
    public func description(of graph: Graph) -> String {
        var lines: [String] = []
        for (step, isStill) in zip(steps, isStepStill) {
            lines.append(line(for: step, graph: graph) + (isStill ? "; only when it changes" : ""))
        }
        for output in outputs {
            let names = output.sinks.map { name(of: $0, graph) }.joined(separator: ", ")
            lines.append("output  \(output.layout.format.rawValue) \(output.layout.size) for \(names)")
            for blit in output.blits {
                lines.append(
                    "  blit      plane \(blit.plane) of \(graph.label(of: blit.source)) \(blit.conversion.summary) -> \(blit.region), \(kilobytes(blit.byteCount))"
                )
            }
            for step in output.draws?.steps ?? [] { lines.append("  " + line(for: step, graph: graph)) }
            for readback in output.readbacks {
                lines.append(
                    "  read back \(textures[readback.texture].label) (\(readback.region.size) texels), \(kilobytes(readback.byteCount))"
                )
            }
        }
        let cost = cost
        let shared = cost.bytesShared > 0 ? "\(kilobytes(cost.bytesShared)) read in place, " : ""
        lines.append(
            "a frame: \(counted(passes: cost.passes)), \(cost.pixels) pixels shaded, \(kilobytes(cost.bytesUploaded)) uploaded, \(shared)"
                + "\(counted(passes: cost.rowPasses)) of \(cost.rowPixels) pixels by the CPU, "
                + "\(kilobytes(cost.bytesReadBack)) read back, \(kilobytes(cost.bytesBlitted)) blitted")
        return lines.joined(separator: "\n")
    }

    /// The name of a sink, with the interval at which it takes pictures.
    private func name(of sink: NodeID, _ graph: Graph) -> String {
        graph.label(of: sink) + (graph.sink(sink)?.interval.map { " (a picture every \($0))" } ?? "")
    }

    private func line(for step: Step, graph: Graph) -> String {
        switch step {
        case .upload(let upload):
            return
                "\(upload.isShared ? "share " : "upload")  plane \(upload.plane) of \(graph.label(of: upload.source)) "
                + "(\(upload.region.size) texels, \(textures[upload.texture].format.rawValue)), \(kilobytes(upload.byteCount))"
        case .clear(let clear): return "clear   \(textures[clear.texture].label)"
        case .keep(let keep): return "keep    \(textures[keep.texture].label) for the next frame"
        case .transfer(let transfer):
            let texture = textures[transfer.texture]
            return (transfer.executor == .gl ? "lend    " : "fetch   ")
                + "\(texture.label) (\(texture.size) \(texture.format.rawValue)) "
                + (transfer.executor == .gl ? "to OpenGL ES" : "from OpenGL ES") + ", \(kilobytes(transfer.byteCount))"
        case .tabulate(let pass): return "tabulate \(pass.label), \(pass.pixels) pixels"
        case .rows(let pass):
            let targets = pass.targets.map {
                "\(textures[$0].label) (\(textures[$0].size) \(textures[$0].format.rawValue))"
            }
            let blending = pass.contents.isBlended ? ", blended" : ""
            return "rows    \(pass.label) -> \(targets.joined(separator: " + ")), \(pass.pixels) pixels\(blending)"
        case .draw(let pass):
            let blending = pass.blending == .none ? "" : ", blended"
            let targets = pass.targets.map {
                "\(textures[$0].label) (\(textures[$0].size) \(textures[$0].format.rawValue))"
            }
            let verb = pass.groups == nil ? "draw   " : "compute"
            return "\(verb) \(pass.label) -> \(targets.joined(separator: " + ")), \(pass.pixels) pixels\(blending)"
        }
    }

    private func counted(passes count: Int) -> String { count == 1 ? "1 pass" : "\(count) passes" }

    private func kilobytes(_ bytes: Int) -> String {
        bytes < 10_000 ? "\(bytes) B" : "\((bytes + 500) / 1000) kB"
    }

    /// The plan as a graph in Graphviz's DOT language.
    ///
    /// Sources, textures and sinks are the nodes. The edges are uploads, passes, blits, read-backs, and planes that are
    /// drawn in place.
    public func dot(of graph: Graph) -> String {
        var lines = ["digraph plan {", "  rankdir=LR;", "  node [shape=box, fontname=\"sans-serif\"];"]
        for (index, texture) in textures.enumerated() {
            lines.append(
                "  t\(index) [label=\"\(quoted(texture.label))\\n\(texture.size) \(texture.format.rawValue)\"];")
        }
        lines += (steps + outputs.flatMap { $0.draws?.steps ?? [] }).flatMap { edges(of: $0, in: graph) }
        for output in outputs {
            for sink in output.sinks { lines += edges(of: output, to: quoted(graph.label(of: sink)), in: graph) }
        }
        return (lines + ["}"]).joined(separator: "\n")
    }

    /// The edges of a step, from the source or the textures that the step reads to the textures that it writes.
    ///
    /// Empty for a clear, a keep or a transfer.
    private func edges(of step: Step, in graph: Graph) -> [String] {
        func edges(from inputs: [TextureIndex], to targets: [TextureIndex], label: String) -> [String] {
            targets.flatMap { target in
                inputs.map { "  t\($0) -> t\(target) [label=\"\(quoted(label))\"];" }
            }
        }
        switch step {
        case .upload(let upload):
            let source = quoted(graph.label(of: upload.source))
            return ["  \"\(source)\" -> t\(upload.texture) [label=\"\(upload.isShared ? "share" : "upload")\"];"]
        case .clear, .keep, .transfer: return []
        case .tabulate(let pass): return edges(from: pass.inputs, to: [pass.target], label: pass.label)
        case .rows(let pass): return edges(from: pass.inputs, to: pass.targets, label: pass.label)
        case .draw(let pass):
            return pass.targets.flatMap { target in
                let inputs = pass.inputs.map(\.texture).filter { $0 != target }
                return edges(from: inputs, to: [target], label: pass.label)
            }
        }
    }

    /// The edges that lead to a sink.
    private func edges(of output: PlannedOutput, to sink: String, in graph: Graph) -> [String] {
        output.blits.map { "  \"\(quoted(graph.label(of: $0.source)))\" -> \"\(sink)\" [label=\"blit\"];" }
            + (output.draws?.planes ?? []).map { "  t\($0) -> \"\(sink)\" [label=\"in place\"];" }
            + output.readbacks.map { "  t\($0.texture) -> \"\(sink)\" [label=\"read back\"];" }
    }

    private func quoted(_ text: String) -> String { text.replacing("\"", with: "\\\"") }
}

extension Blit.Conversion {
    /// The conversion in a few words, for the plan's text.
    fileprivate var summary: String {
        var change = (scaling == nil ? "" : ", scaled") + (kernel == nil ? "" : ", blurred")
        if values != .same { change += ", with its values changed" }
        switch samples {
        case .plane(mean: 1): return change.isEmpty ? "as it is" : String(change.dropFirst(2))
        case .plane(let mean): return "in means of \(mean)x\(mean)\(change)"
        case .everySecond(_, 1), .packedChroma(_, 1): return "from its packed samples\(change)"
        case .everySecond(_, let mean), .packedChroma(_, let mean):
            return "from its packed samples in means of \(mean)x\(mean)\(change)"
        case .bothPlanes(1): return "from two planes\(change)"
        case .bothPlanes(let mean): return "from two planes in means of \(mean)x\(mean)\(change)"
        }
    }
}
