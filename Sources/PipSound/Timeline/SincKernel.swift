internal import Glibc

/// The interpolation filter of a resampler: a windowed sinc, tabulated at fractions of a sample.
///
/// Coefficients between two tabulated fractions are interpolated linearly. With 256 fractions, the error of the
/// interpolation is below that of the window.
///
/// Source: Smith, "Digital Audio Resampling"; Kaiser and Schafer, "On the Use of the I0-Sinh Window Functions for
/// Spectrum Analysis".
struct SincKernel: Sendable {
    /// The number of coefficients for each fraction, a multiple of 8.
    let taps: Int
    private let phases = 256
    /// The coefficients: ``taps`` for each fraction, from 0 to 1 inclusive.
    private let table: [Float]

    /// The number of taps at equal rates, and at a higher output rate.
    private static let baseTaps = 48
    /// The window's parameter, for 90 dB of attenuation.
    private static let beta = 8.96

    /// Creates the kernel for a ratio of sample rates.
    ///
    /// - Parameter step: The number of input samples for each output sample. Above 1, the kernel is also the low-pass
    ///   filter.
    init(step: Double) {
        let scale = max(1, step)
        taps = Int((Double(Self.baseTaps) * scale / 8).rounded(.up)) * 8
        var table: [Float] = []
        table.reserveCapacity((phases + 1) * taps)
        for phase in 0...phases {
            let row = Self.row(Double(phase) / Double(phases), taps: taps, scale: scale)
            let sum = row.reduce(0, +)
            table += row.map { Float($0 / sum) }
        }
        self.table = table
    }

    /// The number of samples that the kernel reads before a position, including the sample at the position.
    var reach: Int { taps / 2 }

    private static func row(_ fraction: Double, taps: Int, scale: Double) -> [Double] {
        let half = Double(taps / 2)
        return (0..<taps).map { tap in
            let x = Double(tap - taps / 2 + 1) - fraction
            let place = x / half
            guard abs(place) < 1 else { return 0 }
            let angle = Double.pi * x / scale
            let sinc = abs(angle) < 1e-9 ? 1 : sin(angle) / angle
            return sinc * bessel(beta * (1 - place * place).squareRoot())
        }
    }

    /// The modified Bessel function of order 0, computed from its power series.
    private static func bessel(_ x: Double) -> Double {
        var (sum, term, k) = (1.0, 1.0, 1.0)
        while term > 1e-12 * sum {
            term *= (x / 2 / k) * (x / 2 / k)
            sum += term
            k += 1
        }
        return sum
    }

    /// The memory for the output samples of one channel.
    @safe struct Output {
        /// The address of the first sample.
        let start: UnsafeMutablePointer<Float>
        /// The number of floats from one sample of the channel to the next: the number of interleaved channels.
        let stride: Int
        let count: Int
    }

    /// Interpolates consecutive output samples of one channel.
    ///
    /// - Parameters:
    ///   - input: The channel's samples, readable from ``reach`` - 1 before the first position to ``reach`` after the
    ///     last.
    ///   - fraction: The first position's fraction of a sample.
    ///   - step: The number of input samples for each output sample.
    ///   - output: The memory for the output samples.
    func resample(_ input: UnsafePointer<Float>, from fraction: Double, step: Double, to output: Output) {
        unsafe table.withUnsafeBufferPointer { table in
            guard let table = table.baseAddress else { return }
            let start = unsafe input - (reach - 1)
            var index = 0
            while index < output.count {
                let position = fraction + Double(index) * step
                let whole = position.rounded(.down)
                let place = (position - whole) * Double(phases)
                let phase = Int(place)
                unsafe output.start[index * output.stride] = Self.sum(
                    start + Int(whole), table + phase * taps, Float(place - Double(phase)), taps)
                index += 1
            }
        }
    }

    /// The sum of samples, weighted by coefficients interpolated between two adjacent rows of the table.
    @inline(__always)
    private static func sum(
        _ samples: UnsafePointer<Float>, _ row: UnsafePointer<Float>, _ part: Float, _ taps: Int
    ) -> Float {
        // The compiler may not reorder the additions of a single sum. It can put eight sums into vectors.
        var (a, b, c, d) = (Float(0), Float(0), Float(0), Float(0))
        var (e, f, g, h) = (Float(0), Float(0), Float(0), Float(0))
        var (x, y) = unsafe (samples, row)
        var left = taps
        while left > 0 {
            let z = unsafe y + taps
            unsafe a += x[0] * (y[0] + part * (z[0] - y[0]))
            unsafe b += x[1] * (y[1] + part * (z[1] - y[1]))
            unsafe c += x[2] * (y[2] + part * (z[2] - y[2]))
            unsafe d += x[3] * (y[3] + part * (z[3] - y[3]))
            unsafe e += x[4] * (y[4] + part * (z[4] - y[4]))
            unsafe f += x[5] * (y[5] + part * (z[5] - y[5]))
            unsafe g += x[6] * (y[6] + part * (z[6] - y[6]))
            unsafe h += x[7] * (y[7] + part * (z[7] - y[7]))
            unsafe x += 8
            unsafe y += 8
            left -= 8
        }
        return ((a + e) + (b + f)) + ((c + g) + (d + h))
    }
}
