package import PipFrames

/// A three-dimensional lookup table of colours, with red, green and blue in equal steps.
package struct ColorCube: Sendable, Hashable {
    /// The path of the file that the table was read from.
    package let path: String
    /// The identity of the table: its path and checksum, so that a changed file is another table.
    private let label: String
    /// The number of entries along each edge, 2…65.
    let edge: Int
    /// The input colours of the first and of the last entry.
    let low: [Float]
    let high: [Float]
    /// The red, green and blue of each entry.
    ///
    /// Input red changes fastest, then green, then blue.
    let values: [Float]

    init(
        path: String, checksum: String, edge: Int, low: [Float] = [0, 0, 0], high: [Float] = [1, 1, 1], values: [Float]
    ) {
        self.path = path
        label = "\(path) \(checksum)"
        self.edge = edge
        self.low = low
        self.high = high
        self.values = values
    }

    package static func == (left: ColorCube, right: ColorCube) -> Bool { left.label == right.label }
    package func hash(into hasher: inout Hasher) { hasher.combine(label) }

    /// The table as a texture: a tile for each value of input blue, side by side in rows.
    var texture: ConstantTexture {
        let (edge, values) = (edge, values)
        let across = tilesAcross
        let size = PixelSize(edge * across, edge * ((edge + across - 1) / across))
        return ConstantTexture(label: "colours of \(label)", size: size, format: .rgba32f) {
            var texels = [Float](repeating: 1, count: size.area * 4)
            for blue in 0..<edge {
                for green in 0..<edge {
                    let row = (blue / across * edge + green) * size.width + blue % across * edge
                    for red in 0..<edge {
                        let entry = ((blue * edge + green) * edge + red) * 3
                        for part in 0..<3 { texels[(row + red) * 4 + part] = values[entry + part] }
                    }
                }
            }
            return texels
        }
    }

    private var tilesAcross: Int {
        // A layout as square as possible keeps the texture within every renderer's size limit.
        (1...edge).first { $0 * $0 >= edge } ?? edge
    }

    /// Makes the call of a GLSL function that reads the table.
    func call(_ source: ShaderSource, intensity: Float) -> ShaderCall {
        let scale = zip(low, high).map { 1 / ($1 - $0) }
        return ShaderCall(
            source,
            [
                .vector("grid", Float(edge), Float(tilesAcross), intensity), .vector("low", low[0], low[1], low[2]),
                .vector("scale", scale[0], scale[1], scale[2]),
            ], textures: [TextureUniform("table", texture)])
    }
}

extension ColorCube {
    /// The largest size of a lookup table's file, in bytes.
    package static let byteLimit = 16 << 20
    /// The size of a picture that stores a lookup table.
    package static let pictureSize = PixelSize(512, 512)

    /// Reads the table from a picture of 8×8 tiles with 64×64 pixels each.
    ///
    /// Red rises to the right and green downwards in each tile; blue rises from tile to tile.
    ///
    /// - Parameters:
    ///   - frame: The picture, of ``pictureSize``, in `rgba`.
    ///   - path: The path of the picture's file.
    ///   - checksum: The checksum of the file, which distinguishes its contents from others at the same path.
    ///
    /// Source: GPUImage, `GPUImageLookupFilter`.
    package init(tiles frame: Frame, path: String, checksum: String) {
        assert(frame.size == Self.pictureSize && frame.layout.format == .rgba)
        let values = frame.withPlane(0) { span, plane in
            var values: [Float] = []
            values.reserveCapacity(64 * 64 * 64 * 3)
            for entry in 0..<64 * 64 * 64 {
                let (red, green, blue) = (entry % 64, entry / 64 % 64, entry / 4096)
                let start = (blue / 8 * 64 + green) * plane.strideInBytes + (blue % 8 * 64 + red) * 4
                for part in 0..<3 {
                    values.append(Float(unsafe span.unsafeLoad(fromByteOffset: start + part, as: UInt8.self)) / 255)
                }
            }
            return values
        }
        self.init(path: path, checksum: checksum, edge: 64, values: values)
    }

    /// Makes the operation that maps colours through the table, with trilinear interpolation between its entries.
    ///
    /// - Parameter intensity: The strength, from 0 (unchanged) to 1 (the table alone).
    /// - Returns: A pixel operation that reads the table's texture.
    package func trilinear(intensity: Float) -> EffectOperation {
        .pixel(call(ShaderSource("Lookup.frag", PackageResources.Lookup_frag), intensity: intensity))
    }
}
