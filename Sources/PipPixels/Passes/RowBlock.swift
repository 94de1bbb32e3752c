internal import CPixels
internal import PipFrames

/// A row of red, green, blue and alpha, or of Y', Cb, Cr and alpha, as floats.
@safe final class RowBlock {
    /// Numbers before the first and behind the last that may be read and written.
    private static let leastMargin = 16

    private let memory: UnsafeMutablePointer<Float>
    /// The components from the first pixel on, and from another one on.
    private let places: UnsafeMutablePointer<PipRows>

    /// - Parameters:
    ///   - count: Pixels in a row.
    ///   - margin: Pixels around them.
    ///   - hasAlpha: Whether there is a row of alpha.
    init(count: Int, margin: Int = 0, hasAlpha: Bool) {
        let margin = max(margin, Self.leastMargin).roundedUp(to: 16)
        let stride = count.roundedUp(to: 16) + 2 * margin
        let capacity = 4 * stride + 16
        unsafe memory = .allocate(capacity: capacity)
        unsafe memory.initialize(repeating: 0, count: capacity)
        let first = unsafe memory + margin
        unsafe places = .allocate(capacity: 2)
        unsafe places.initialize(
            repeating: PipRows(
                components: (first, first + stride, first + 2 * stride, hasAlpha ? first + 3 * stride : nil)), count: 2)
    }

    deinit {
        unsafe memory.deallocate()
        unsafe places.deallocate()
    }

    /// All components, as loops take them; of alpha none, where all pixels are opaque.
    var rows: UnsafePointer<PipRows> { unsafe UnsafePointer(places) }

    /// The same from one pixel on, until the next call.
    func rows(from offset: Int) -> UnsafePointer<PipRows> {
        let c = unsafe places[0].components
        unsafe places[1].components = (
            c.0.map { unsafe $0 + offset }, c.1.map { unsafe $0 + offset }, c.2.map { unsafe $0 + offset },
            c.3.map { unsafe $0 + offset }
        )
        return unsafe UnsafePointer(places + 1)
    }

    /// The first pixel of a component; of alpha nil where all are opaque.
    func component(_ index: Int) -> UnsafeMutablePointer<Float>? {
        switch index {
        case 0: unsafe places[0].components.0
        case 1: unsafe places[0].components.1
        case 2: unsafe places[0].components.2
        default: unsafe places[0].components.3
        }
    }

    var hasAlpha: Bool { unsafe places[0].components.3 != nil }

    /// Gives all pixels of a component one value.
    func fill(_ index: Int, with value: Float, count: Int) {
        unsafe component(index)?.update(repeating: value, count: count)
    }
}
