internal import PipGL

/// The texture in which a temporal filter keeps its result for the next frame.
///
/// Thread: render thread only.
final class History {
    let target: RenderTarget
    /// True once the texture holds a frame's result.
    var isFilled = false

    var texture: Texture { target.textures[0] }

    /// - Parameter target: A target with one texture, which nothing else writes.
    init(_ target: RenderTarget) { self.target = target }
}

struct WeakHistory {
    weak var history: History?
}

/// The GL objects of a step that copies a drawn picture into a history.
struct PreparedKeep {
    let from: RenderTarget
    let history: History
    /// The indices of the sources whose frames the copy needs.
    let sources: [Int]

    func run(on gpu: isolated RenderContext) {
        from.copy(to: history.target, on: gpu)
        history.isFilled = true
    }
}
