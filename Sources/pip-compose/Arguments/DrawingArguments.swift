public import ArgumentParser
public import PipCompose

/// `--renderer`: the choice of the renderer.
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

/// `--share-buffers`: the choice between reading the cameras' memory in place and copying it.
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
