package import PipEffects
internal import PipFrames

/// The part of a chain that one pass draws: how it reads its image, and which changes it makes to each pixel.
package struct Segment: Sendable, Hashable {
    /// The way in which the pass reads its pixels.
    package enum Head: Sendable, Hashable {
        case image
        case neighbourhood(ShaderCall)
        case kernel([Double], isVertical: Bool)
        /// Resamples along one axis with the Lanczos kernel; the ratio is input pixels per output pixel.
        case lanczos(Double, isVertical: Bool)
        /// Reads the image at positions that a warp function displaces.
        ///
        /// The map converts the chain's present positions to the warp function's positions.
        case warp(ShaderCall, Mapping)
        /// Computes pixels with a function that reads the image at any position.
        ///
        /// The map converts the chain's present positions to the function's positions.
        case sampler(ShaderCall, Mapping)
    }

    /// A change of each pixel after it is read.
    package enum Operation: Sendable, Hashable {
        case matrix(ColorTransform)
        case curve(Curve)
        /// A function of the pixel and its position.
        ///
        /// The map converts the chain's present positions to the function's positions.
        case pixel(ShaderCall, Mapping)
        /// A function of the pixel, its position, and the pixels of further pictures at the same position.
        ///
        /// The map converts the chain's present positions to the function's positions.
        case combine(ShaderCall, Mapping, [SecondPicture])
    }

    package var image: Image
    package var head: Head
    /// The map from the chain's present positions (0…1, y down) to samples of the image.
    ///
    /// The map starts at the positions that a warp returns or a sampler reads, if the segment has one.
    package var place: Mapping
    package private(set) var operations: [Operation] = []
    /// The names of the segment's effects, for labels of passes.
    package var effects: [String] = []

    init(_ image: Image, head: Head = .image, place: Mapping, label: String? = nil) {
        self.image = image
        self.head = head
        self.place = place
        if let label { effects.append(label) }
    }

    mutating func append(_ operation: Operation) {
        switch (operations.last, operation) {
        case (.matrix(let before)?, .matrix(let next)): operations[operations.count - 1] = .matrix(before.then(next))
        case (.curve(let before)?, .curve(let next)): operations[operations.count - 1] = .curve(before.then(next))
        default: operations.append(operation)
        }
        if case .matrix(let transform)? = operations.last, transform.isIdentity { operations.removeLast() }
    }

    /// Rotates or mirrors the segment's result.
    mutating func turn(_ orientation: Orientation) {
        let map = Mapping(orientation)
        operations = operations.map { operation in
            switch operation {
            case .pixel(let call, let place): .pixel(call, map.then(place))
            case .combine(let call, let place, let others): .combine(call, map.then(place), others)
            case .matrix, .curve: operation
            }
        }
        switch head {
        case .warp(let call, let before): head = .warp(call, map.then(before))
        case .sampler(let call, let before): head = .sampler(call, map.then(before))
        case .image, .neighbourhood, .kernel, .lanczos: place = map.then(place)
        }
    }

    /// True when the segment's pixels may be translucent.
    package var hasAlpha: Bool {
        let changesInHead =
            switch head {
            case .neighbourhood(let call), .sampler(let call, _): call.changesAlpha
            case .image, .kernel, .lanczos, .warp: false
            }
        return changesInHead || image.alpha != .none
            || operations.contains { operation in
                switch operation {
                case .matrix, .curve: false
                case .pixel(let call, _), .combine(let call, _, _): call.changesAlpha
                }
            }
    }

    /// The largest number of textures that the planner lets a pass read.
    static let samplerLimit = 8

    /// The most textures that the segment may read; an exact count is not known, since a curve may need none.
    var samplerCount: Int {
        let ofHead =
            switch head {
            case .neighbourhood(let call), .warp(let call, _), .sampler(let call, _): call.textures.count
            default: 0
            }
        return operations.reduce(image.format.planeCount + ofHead) { count, operation in
            switch operation {
            case .matrix: count
            case .curve: count + 1
            case .pixel(let call, _): count + call.textures.count
            case .combine(let call, _, let others): count + call.textures.count + others.count
            }
        }
    }

    /// The pictures that the segment reads beside its own image.
    package var others: [SecondPicture] {
        operations.flatMap { if case .combine(_, _, let others) = $0 { others } else { [SecondPicture]() } }
    }

    /// The GLSL functions that the segment calls.
    package var calls: [ShaderCall] {
        var calls: [ShaderCall] = []
        switch head {
        case .neighbourhood(let call), .warp(let call, _), .sampler(let call, _): calls.append(call)
        case .image, .kernel, .lanczos: break
        }
        for operation in operations {
            switch operation {
            case .pixel(let call, _), .combine(let call, _, _): calls.append(call)
            case .matrix, .curve: break
            }
        }
        return calls
    }

    /// True when the segment reads its image directly, and changes pixels at most by a colour matrix.
    ///
    /// The matrix is a conversion such as Y'CbCr to R'G'B', an affine effect, or both.
    var isBare: Bool {
        guard case .image = head else { return false }
        return operations.allSatisfy { if case .matrix = $0 { true } else { false } }
    }

    /// True when the segment reads a Y'CbCr image directly, and computes luma from luma and chroma from chroma.
    ///
    /// Each plane can then be drawn by itself.
    var keepsLumaAndChromaApart: Bool {
        guard image.format.isYUV, case .image = head, operations.count <= 1 else { return false }
        guard case .matrix(let transform)? = operations.first else { return operations.isEmpty }
        return transform.keepsLumaAndChromaApart
    }
}

/// A further picture that a pass reads: pixel by pixel beside its first picture, or at any position for a table.
package struct SecondPicture: Sendable, Hashable {
    package var image: Image
    /// The map from positions in the chain to samples of the picture.
    package var place: Mapping
    /// True when each pixel of the pass is one pixel of the picture, so that the pass need not interpolate.
    package var isSameSize: Bool
    /// True when the picture is an earlier frame's result, which is absent at the first frame.
    package var isHistory = false
    /// True when the shader's function reads the picture itself, at any position.
    package var isTable = false
}
