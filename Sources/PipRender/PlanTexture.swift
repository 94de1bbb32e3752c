internal import PipFrames
internal import PipGL
internal import PipPlan

/// The storage of a plan's texture.
enum PlanTexture {
    /// A texture that lasts as long as the plan.
    case own(Texture)
    /// A camera's plane, which has another buffer with each frame.
    case shared(SharedPlane)
    /// Memory that only the CPU reads and writes.
    case memory

    /// The texture that passes read; nil before a shared plane's first frame.
    var texture: Texture? {
        switch self {
        case .own(let texture): texture
        case .shared(let plane): plane.texture
        case .memory: nil
        }
    }
}

/// A plane that is read in the camera's memory, or from a copy where that is impossible.
final class SharedPlane {
    private let planned: PlannedTexture
    private let imports: ImportedPlanes
    /// The texture that passes read.
    private(set) var texture: Texture?
    /// The texture for copies, made for the first frame that has to be copied.
    private var copy: Texture?

    init(_ planned: PlannedTexture, _ imports: ImportedPlanes) {
        self.planned = planned
        self.imports = imports
    }

    /// True when passes read a camera's memory in place.
    var isImported: Bool { texture !== copy }

    /// Takes over a frame's plane.
    ///
    /// `region`: The part of the plane, in texels. `newTexture`: Makes a texture for copies.
    ///
    /// - Returns: The texture to copy the plane into; nil when it is read in place.
    /// - Throws: ``GLError`` when there is no memory for the copy.
    func take(
        _ frame: Frame, plane: Int, region: PixelRect, on gpu: isolated RenderContext,
        newTexture: (PlannedTexture) throws(GLError) -> Texture
    ) throws(GLError) -> Texture? {
        let format = TextureFormat(planned.format)
        if let imported = imports.texture(for: frame, plane: plane, region: region, format: format, on: gpu) {
            texture = imported
            return nil
        }
        let target: Texture
        if let copy { target = copy } else { target = try newTexture(planned) }
        copy = target
        texture = target
        return target
    }
}
