internal import CDisplay
internal import Glibc
internal import PipFrames
internal import SystemPackage

/// Memory of pictures that is shared with a compositor: two pictures of one size, shown by turns.
@safe final class WaylandBuffers {
    static let count = 2

    let size: PixelSize
    /// The compositor's objects of the pictures.
    let identifiers: [UInt32]
    /// Pictures that the compositor reads.
    private var taken: Set<UInt32> = []
    private let memory: UnsafeMutableRawPointer

    /// - Parameters:
    ///   - size: Of each picture.
    ///   - identifiers: The objects of the pictures to come.
    ///   - pool: Gets the descriptor of the memory, which is its from then on.
    /// - Throws: `Errno` when there is no memory.
    init(
        _ size: PixelSize, _ identifiers: [UInt32], pool: (Int32) -> Void
    ) throws(Errno) {
        self.size = size
        self.identifiers = identifiers
        let bytes = Self.count * size.area * 4
        let descriptor = pip_display_memory(bytes)
        guard descriptor >= 0 else { throw Errno(rawValue: -descriptor) }
        var start: UnsafeMutableRawPointer?
        let result = unsafe pip_display_map(descriptor, bytes, 0, &start)
        guard result == 0, let start = unsafe start else {
            close(descriptor)
            throw Errno(rawValue: -result)
        }
        unsafe memory = unsafe start
        pool(descriptor)
    }

    deinit { unsafe munmap(memory, Self.count * size.area * 4) }

    /// Where a picture lies in the memory.
    func offset(of index: Int) -> Int { index * size.area * 4 }

    /// A picture that nobody reads; nil when there is none.
    var free: Int? { identifiers.indices.first { !taken.contains(identifiers[$0]) } }

    /// Gives a picture to the compositor, painted.
    func take(_ index: Int, _ paint: (UnsafeMutableRawPointer, Int) -> Void) {
        unsafe paint(memory + offset(of: index), size.width * 4)
        taken.insert(identifiers[index])
    }

    /// Notes that the compositor does not read a picture any more.
    func release(_ identifier: UInt32) { taken.remove(identifier) }
}
