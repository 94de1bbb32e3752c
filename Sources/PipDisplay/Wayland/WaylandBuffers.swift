internal import CDisplay
internal import Glibc
internal import PipFrames
internal import SystemPackage

/// Memory shared with a compositor for two pictures of one size, which are shown in turn.
@safe final class WaylandBuffers {
    static let count = 2

    let size: PixelSize
    /// The object identifiers of the pictures.
    let identifiers: [UInt32]
    /// The object identifiers of the pictures that the compositor is reading.
    private var taken: Set<UInt32> = []
    private let memory: UnsafeMutableRawPointer

    /// Allocates and maps the memory.
    ///
    /// - Parameters:
    ///   - size: The size of a picture.
    ///   - identifiers: The object identifiers of the pictures, whose objects the caller creates.
    ///   - share: Receives the descriptor of the memory, and must close the descriptor.
    /// - Throws: `Errno` when the memory cannot be allocated or mapped.
    init(_ size: PixelSize, _ identifiers: [UInt32], share: (Int32) -> Void) throws(Errno) {
        self.size = size
        self.identifiers = identifiers
        let byteCount = Self.byteCount(of: size)
        let descriptor = pip_display_memory(byteCount)
        guard descriptor >= 0 else { throw Errno(rawValue: -descriptor) }
        var start: UnsafeMutableRawPointer?
        let result = unsafe pip_display_map(descriptor, byteCount, 0, &start)
        guard result == 0, let start = unsafe start else {
            close(descriptor)
            throw Errno(rawValue: -result)
        }
        unsafe memory = unsafe start
        share(descriptor)
    }

    deinit { unsafe munmap(memory, Self.byteCount(of: size)) }

    /// The length of the memory in bytes.
    static func byteCount(of size: PixelSize) -> Int { count * size.area * 4 }

    /// The offset of a picture in the memory, in bytes.
    func offset(of index: Int) -> Int { index * size.area * 4 }

    /// The index of a picture that the compositor does not read; nil when it reads both pictures.
    var free: Int? { identifiers.indices.first { !taken.contains(identifiers[$0]) } }

    /// Paints a picture, and marks it as being read by the compositor.
    func take(_ index: Int, _ paint: (UnsafeMutableRawPointer, Int) -> Void) {
        unsafe paint(memory + offset(of: index), size.width * 4)
        taken.insert(identifiers[index])
    }

    /// Marks a picture as no longer being read by the compositor.
    func release(_ identifier: UInt32) { taken.remove(identifier) }
}
