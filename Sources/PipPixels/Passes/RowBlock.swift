internal import CPixels
internal import PipFrames

/// A row of red, green, blue and alpha, or of Y', Cb, Cr and alpha, as floats.
@safe final class RowBlock {
    /// The least number of floats before the first pixel and after the last one that loops may read and write.
    private static let leastMargin = 16

    private let memory: UnsafeMutablePointer<Float>
    /// Pointers to the first pixel's components, then pointers for ``rows(from:)``.
    private let places: UnsafeMutablePointer<PipRows>

    /// - Parameters:
    ///   - count: The number of pixels in a row.
    ///   - margin: The number of further pixels before and after the row.
    ///   - hasAlpha: True when the row holds alpha.
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

    /// Pointers to all components, in the layout that the C row functions take.
    ///
    /// Alpha is nil for opaque pixels.
    var rows: UnsafePointer<PipRows> { unsafe UnsafePointer(places) }

    /// Pointers to all components, beginning at the pixel `offset`.
    ///
    /// Valid until the next call.
    func rows(from offset: Int) -> UnsafePointer<PipRows> {
        let c = unsafe places[0].components
        unsafe places[1].components = (
            c.0.map { unsafe $0 + offset }, c.1.map { unsafe $0 + offset }, c.2.map { unsafe $0 + offset },
            c.3.map { unsafe $0 + offset }
        )
        return unsafe UnsafePointer(places + 1)
    }

    /// A pointer to a component of the first pixel; nil for the alpha of opaque pixels.
    func component(_ index: Int) -> UnsafeMutablePointer<Float>? {
        switch index {
        case 0: unsafe places[0].components.0
        case 1: unsafe places[0].components.1
        case 2: unsafe places[0].components.2
        default: unsafe places[0].components.3
        }
    }

    var hasAlpha: Bool { unsafe places[0].components.3 != nil }

    /// Sets the first `count` pixels of a component to one value; does nothing for the alpha of opaque pixels.
    func fill(_ index: Int, with value: Float, count: Int) {
        unsafe component(index)?.update(repeating: value, count: count)
    }
}
