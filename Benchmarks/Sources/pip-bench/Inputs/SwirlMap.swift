import Foundation

/// The sampling positions of a swirl, for programs that read a map.
///
/// The swirl rotates by half a turn at the centre, and not at all from a distance of half the shorter side on.
struct SwirlMap {
    enum Axis: String, CaseIterable, Sendable {
        case column = "x"
        case row = "y"
    }

    var size: FrameSize

    /// The positions along one axis as a PGM file, with 16 bits for each pixel.
    func file(_ axis: Axis) -> Data {
        var data = Data("P5\n\(size.width) \(size.height)\n65535\n".utf8)
        for y in 0..<size.height {
            for x in 0..<size.width {
                let place = source(x, y)
                let value = UInt16(axis == .column ? place.x : place.y)
                data.append(UInt8(value >> 8))
                data.append(UInt8(value & 255))
            }
        }
        return data
    }

    /// The source sample nearest to the position at which a pixel is sampled.
    func source(_ x: Int, _ y: Int) -> (x: Int, y: Int) {
        let (middleX, middleY) = (Double(size.width) / 2, Double(size.height) / 2)
        let (dx, dy) = (Double(x) + 0.5 - middleX, Double(y) + 0.5 - middleY)
        let reach = Double(min(size.width, size.height)) / 2
        let share = 1 - (dx * dx + dy * dy).squareRoot() / reach
        guard share > 0 else { return (x, y) }
        let angle = share * share * .pi
        let (sine, cosine) = (sin(angle), cos(angle))
        let column = Int((middleX + dx * cosine - dy * sine).rounded(.down))
        let row = Int((middleY + dx * sine + dy * cosine).rounded(.down))
        return (min(max(column, 0), size.width - 1), min(max(row, 0), size.height - 1))
    }
}
