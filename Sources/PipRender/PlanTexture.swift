internal import PipFrames
internal import PipGL
internal import PipPlan

/// A texture as the passes of a plan know it.
enum PlanTexture {
    /// One for as long as the plan lasts.
    case own(Texture)
    /// A camera's plane, which lies in another buffer with each frame.
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

/// A plane that is read where its camera wrote it, or from a copy where that cannot be.
final class SharedPlane {
    private let planned: PlannedTexture
    private let imports: ImportedPlanes
    /// The texture that passes read.
    private(set) var texture: Texture?
    /// Made when a frame has to be copied for the first time.
    private var copy: Texture?

    init(_ planned: PlannedTexture, _ imports: ImportedPlanes) {
        self.planned = planned
        self.imports = imports
    }

    /// True when passes read a camera's memory in place.
    var isImported: Bool { texture !== copy }

    /// Goes over to a frame's plane.
    ///
    /// `region`: In texels. `newTexture`: Makes a texture to copy into.
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
