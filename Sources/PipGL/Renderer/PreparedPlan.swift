internal import PipFrames
package import PipGraph
package import PipPlan
internal import PipShaders

/// A plan with its GL objects made, ready to be drawn without an allocation.
///
/// Not `Sendable`: it lives on its context's thread.
package final class PreparedPlan {
    package let plan: RenderPlan
    /// The sources whose frames it draws; frames are given in this order.
    package let sources: [NodeID]
    let steps: [PreparedStep]
    let outputs: [PreparedOutput]
    /// Keeps what steps and outputs refer to.
    private let textures: [Texture]
    /// The frames whose planes are in the textures, by source.
    var uploaded: [UploadedFrame?]

    /// Makes the textures, programs and buffers of a plan.
    ///
    /// `framesInFlight`: Frames of each output that the renderer and the sinks may hold at a time.
    /// - Throws: ``GLError`` when a shader does not compile or memory is out; then nothing is left behind.
    package init(
        _ plan: RenderPlan, framesInFlight: Int, renderer: Renderer, on gpu: isolated RenderContext
    ) throws(GLError) {
        self.plan = plan
        let sources = Array(plan.sources)
        self.sources = sources
        var textures: [Texture] = []
        for planned in plan.textures {
            textures.append(try renderer.texture(for: planned, on: gpu))
        }
        var targets: [Int: RenderTarget] = [:]
        func target(_ index: Int) throws(GLError) -> RenderTarget {
            if let target = targets[index] { return target }
            let target = try RenderTarget([textures[index]], on: gpu)
            targets[index] = target
            return target
        }
        let drawnInto = Set(plan.passes.map(\.target))
        var steps: [PreparedStep] = []
        for step in plan.steps {
            switch step {
            case .upload(let upload):
                guard let source = sources.firstIndex(of: upload.source) else { continue }
                steps.append(
                    .upload(
                        PreparedUpload(
                            upload, source: source, texture: textures[upload.texture],
                            isKept: !drawnInto.contains(upload.texture))))
            case .clear(let clear):
                let color = SIMD4(clear.red, clear.green, clear.blue, clear.alpha)
                steps.append(.clear(try target(clear.texture), color))
            case .draw(let pass):
                let program = try renderer.program(for: pass, on: gpu)
                steps.append(
                    .draw(
                        PreparedPass(
                            pass, program: program, target: try target(pass.target), textures: textures,
                            sources: pass.sources.compactMap { sources.firstIndex(of: $0) }, on: gpu)))
            }
        }
        self.steps = steps
        var outputs: [PreparedOutput] = []
        for output in plan.outputs {
            var readbacks: [PreparedReadback] = []
            for readback in output.readbacks {
                readbacks.append(
                    PreparedReadback(
                        readback, target: try target(readback.texture), format: textures[readback.texture].format))
            }
            outputs.append(
                PreparedOutput(output, readbacks: readbacks, sources: sources, framesInFlight: framesInFlight))
        }
        self.outputs = outputs
        self.textures = textures
        uploaded = Array(repeating: nil, count: sources.count)
    }

    /// Draws one pass, whatever its textures hold: drivers compile a program to the end when it is first drawn with.
    ///
    /// `index`: Counts the passes from 0.
    package func warmUp(_ index: Int, on gpu: isolated RenderContext) {
        var count = 0
        for step in steps {
            guard case .draw(let pass) = step else { continue }
            if count == index { return pass.run(on: gpu) }
            count += 1
        }
    }
}

/// Which frame a source's textures hold.
struct UploadedFrame {
    /// Of its buffer; not kept, so that the source can use it again.
    let identity: ObjectIdentifier
    let sequence: UInt64
}

/// A step of a plan with its GL objects.
enum PreparedStep {
    case upload(PreparedUpload)
    case clear(RenderTarget, SIMD4<Float>)
    case draw(PreparedPass)
}

/// A plane to be copied into a texture.
struct PreparedUpload {
    let source: Int
    let plane: Int
    let texture: Texture
    let region: PixelRect
    /// Bytes from the plane's first sample to the region's first texel, less whole rows.
    let columnOffset: Int
    /// Whether the texture still holds the plane at the next frame, because nothing draws into it.
    let isKept: Bool

    init(_ upload: Upload, source: Int, texture: Texture, isKept: Bool) {
        self.source = source
        plane = upload.plane
        self.texture = texture
        region = upload.region
        columnOffset = upload.region.x * upload.bytesPerTexel
        self.isKept = isKept
    }

    func run(_ frame: Frame, on gpu: isolated RenderContext) {
        guard plane < frame.layout.planes.count, let start = unsafe frame.unsafePlane(plane) else { return }
        let stride = frame.layout.planes[plane].strideInBytes
        let target = PixelRect(x: 0, y: 0, width: region.width, height: region.height)
        unsafe texture.upload(
            from: start + region.y * stride + columnOffset, strideInBytes: stride, region: target, on: gpu)
    }
}
