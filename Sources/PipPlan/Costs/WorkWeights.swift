/// The times that a machine takes for the parts of plans, in nanoseconds.
///
/// Plans that draw the same picture are compared by it. A pass counts by its pixels alone: one that reads many texels
/// takes several times as long.
package struct WorkWeights: Sendable, Hashable {
    /// A pixel of a pass, four samples to a pixel.
    ///
    /// Where the CPU draws, this is time of a processor, else of the GPU.
    package var pixel: Double
    /// A byte uploaded or read back.
    package var movedByte: Double
    /// A byte that the CPU writes into an output as it is in a frame.
    package var copiedByte: Double
    /// A byte whose value the CPU changes while it writes, or takes out of packed samples.
    package var changedByte: Double
    /// A byte that the CPU reads for a mean of several bytes.
    package var averagedByte: Double
    /// Two bytes that a kernel adds to another one.
    package var filteredByte: Double
    /// A byte that the CPU reads to make a plane smaller or larger, other than by whole means.
    package var scaledByte: Double

    /// A simple change of a pixel in a row that the CPU draws.
    package var rowPixel: Double

    /// Weights from the time of each kind of work.
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

    /// The weights of a typical machine, where none were measured.
    package static func typical(shadesOnCPU: Bool) -> WorkWeights {
        WorkWeights(
            pixel: shadesOnCPU ? 5 : 0.02, movedByte: 0.2, copiedByte: 0.1, changedByte: 0.6, averagedByte: 0.2,
            filteredByte: 0.1, scaledByte: 0.3, rowPixel: 0.25)
    }
}
