internal import PipGL

/// A temporal filter's last result, kept for the next frame.
///
/// Not `Sendable`: it lives on its context's thread.
final class History {
    let target: RenderTarget
    /// True once a frame was kept.
    var isFilled = false

    var texture: Texture { target.textures[0] }

    /// - Parameter target: A target with one texture, which nothing else draws into.
    init(_ target: RenderTarget) { self.target = target }
}

struct WeakHistory {
    weak var history: History?
}

/// A copy of what was drawn into a history.
struct PreparedKeep {
    let from: RenderTarget
    let history: History
    /// The sources without whose frames it is left out.
    let sources: [Int]

    func run(on gpu: isolated RenderContext) {
        from.copy(to: history.target, on: gpu)
        history.isFilled = true
    }
}
