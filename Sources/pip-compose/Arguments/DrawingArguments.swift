public import ArgumentParser
public import PipCompose

/// `--renderer`: the renderer that draws.
enum RendererArgument: String, ExpressibleByArgument, CaseIterable {
    case auto, gl, cpu

    var choice: RendererChoice {
        switch self {
        case .auto: .automatic
        case .gl: .gl
        case .cpu: .cpu
        }
    }
}

extension Compositor.Light: ExpressibleByArgument {}

/// The argument of `--share-buffers`, which lets the GPU read the cameras' memory in place or from a copy.
enum SharingArgument: String, ExpressibleByArgument, CaseIterable {
    case auto, always, never

    var sharing: BufferSharing {
        switch self {
        case .auto: .automatic
        case .always: .always
        case .never: .never
        }
    }
}
