internal import PipGL

/// A temporal filter's last result, kept for the next frame.
///
/// Thread: the thread of its context.
final class History {
    let target: RenderTarget
    /// True once a frame was kept.
    var isFilled = false

    var texture: Texture { target.textures[0] }

    /// - Parameter target: A target with one texture, into which nothing else draws.
    init(_ target: RenderTarget) { self.target = target }
}

struct WeakHistory {
    weak var history: History?
}

/// A copy of a drawn picture into a history.
struct PreparedKeep {
    let from: RenderTarget
    let history: History
    /// The sources without whose frames the copy is not made.
    let sources: [Int]

    func run(on gpu: isolated RenderContext) {
        from.copy(to: history.target, on: gpu)
        history.isFilled = true
    }
}
