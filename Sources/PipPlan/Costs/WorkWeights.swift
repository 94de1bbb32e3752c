/// The times that a machine takes for the operations of plans, in nanoseconds.
///
/// The planner compares plans of the same picture by these times. A pass of OpenGL ES is weighed by its number of
/// pixels alone, although a pass that reads many texels takes several times as long.
package struct WorkWeights: Sendable, Hashable {
    /// The time per pixel of a pass with a simple effect.
    ///
    /// CPU time if the renderer draws on the CPU, else GPU time.
    package var pixel: Double
    /// The time to upload or read back a byte.
    package var movedByte: Double
    /// The time in which the CPU copies a byte from a frame into an output.
    package var copiedByte: Double
    /// The time in which the CPU writes a byte whose value it changes, or which it unpacks.
    package var changedByte: Double
    /// The time in which the CPU reads a byte for a mean of several bytes.
    package var averagedByte: Double
    /// The time in which the CPU adds a pair of bytes to the sum of a symmetric kernel.
    package var filteredByte: Double
    /// The time in which the CPU adds a byte, or a sum of bytes, to scale a plane by a fractional factor.
    package var scaledByte: Double

    /// The time of one simple change of a pixel in a row that the CPU draws.
    package var rowPixel: Double

    /// Creates weights from the time of each operation, in nanoseconds.
    package init(
        pixel: Double, movedByte: Double, copiedByte: Double, changedByte: Double, averagedByte: Double,
        filteredByte: Double, scaledByte: Double, rowPixel: Double
    ) {
        self.pixel = pixel
        self.movedByte = movedByte
        self.copiedByte = copiedByte
        self.changedByte = changedByte
        self.averagedByte = averagedByte
        self.filteredByte = filteredByte
        self.scaledByte = scaledByte
        self.rowPixel = rowPixel
    }

    /// The weights of a typical machine, for machines without measured weights.
    package static func typical(shadesOnCPU: Bool) -> WorkWeights {
        WorkWeights(
            pixel: shadesOnCPU ? 5 : 0.02, movedByte: 0.2, copiedByte: 0.1, changedByte: 0.6, averagedByte: 0.2,
            filteredByte: 0.1, scaledByte: 0.3, rowPixel: 0.25)
    }
}
