internal import CPixels
internal import PipEffects
internal import PipFrames
package import PipPlan

/// Computes a table of a picture on the CPU, such as a histogram.
@safe package final class TableProgram {
    private let pass: TablePass
    private let picture: PicturePixels
    private let function: @convention(c) (UnsafePointer<PipTableRun>?) -> Void
    private let uniforms: [Float]
    /// The size of the table that the preceding step made; 1×1 without a preceding step.
    private let sizeBefore: PixelSize

    /// Creates a program; nil when there is no code for the table's shader.
    ///
    /// - Parameters:
    ///   - pass: The pass that computes the table.
    ///   - textures: The textures of the plan.
    package init?(_ pass: TablePass, textures: [PlannedTexture]) {
        guard let maker = TableMakers.byIdentity[pass.step.call.source.identity] else { return nil }
        self.pass = pass
        picture = PicturePixels(pass.picture, texel: textures[pass.picture.textures[0]].format)
        sizeBefore = pass.before.map { textures[$0].size } ?? PixelSize(1, 1)
        unsafe function = maker.function
        uniforms = maker.uniforms.flatMap { name, count in
            let given = pass.step.call.uniforms.first { $0.name == name }?.value.numbers ?? []
            return given.prefix(count) + Array(repeating: 0, count: max(0, count - given.count))
        }
    }

    /// Computes the table, from a picture in `memory` into a texture in `memory`.
    package func run(_ memory: PlaneMemory) {
        guard let own = memory[picture.texture], let target = memory[pass.target] else { return }
        let size = pass.step.size
        // Shaders write only nonzero entries, so the table starts with zeros.
        target.fill(with: [0, 0, 0, 0], size: size, format: .rgba32f)
        var run = unsafe PipTableRun()
        unsafe run.picture = own.texture(picture.size, isFloat: picture.isFloat)
        unsafe run.hasAlpha = picture.hasAlpha ? 1 : 0
        if let before = pass.before.flatMap({ memory[$0] }) {
            unsafe run.table = before.texture(sizeBefore, isFloat: true)
        }
        unsafe run.result = target.texture(size, isFloat: true)
        unsafe run.groupsAcross = Int32(pass.step.groups.width)
        unsafe run.groupsDown = Int32(pass.step.groups.height)
        unsafe uniforms.withUnsafeBufferPointer { values in
            unsafe run.uniforms = values.baseAddress
            unsafe function(&run)
        }
    }
}

/// The CPU's code for the shaders that compute tables.
enum TableMakers {
    @safe struct Maker: Sendable {
        let function: @convention(c) (UnsafePointer<PipTableRun>?) -> Void
        /// The names of the shader's uniforms, and the number of floats of each, in the order of the C arguments.
        let uniforms: [(String, Int)]
    }

    static let byIdentity: [UInt64: Maker] = {
        var makers: [UInt64: Maker] = [:]
        var count: Int32 = 0
        guard let all = unsafe pip_table_makers(&count) else { return makers }
        for index in 0..<Int(count) {
            let maker = unsafe all[index]
            guard let function = unsafe maker.function else { continue }
            let uniforms = (0..<Int(unsafe maker.uniformCount)).map { index in
                let uniform = unsafe maker.uniforms[index]
                return (unsafe String(cString: uniform.name), Int(unsafe uniform.count))
            }
            unsafe makers[maker.identity] = Maker(function: function, uniforms: uniforms)
        }
        return makers
    }()
}

extension PixelPlane {
    /// The plane as a texture of the given size, in the layout that the C functions take.
    func texture(_ size: PixelSize, isFloat: Bool) -> PipTexture {
        unsafe PipTexture(
            texels: UnsafeRawPointer(start), width: Int32(size.width), height: Int32(size.height),
            stride: Int32(stride), isFloat: isFloat ? 1 : 0)
    }
}
