package import PipFrames

/// The metadata that a picture file records about the picture's origin.
///
/// Source: JEITA CP-3451C (Exif 2.3), 4.6; TIFF 6.0, section 2.
package struct PictureTags: Sendable, Equatable {
    /// The time of capture in EXIF's form.
    package struct CaptureTime: Sendable, Equatable {
        /// The local time, such as `2026:11:23 05:17:30`.
        package var local: String
        /// The offset from UTC, such as `+01:00`.
        package var offset: String
        /// The milliseconds within the second, 0…999.
        package var milliseconds: Int

        package init(local: String, offset: String, milliseconds: Int) {
            self.local = local
            self.offset = offset
            self.milliseconds = milliseconds
        }
    }

    package var time: CaptureTime
    /// The names of the live sources in the picture, such as cameras; empty without live sources.
    package var camera: String
    /// The name of the program that made the file.
    package var software: String
    package var size: PixelSize

    package init(time: CaptureTime, camera: String, software: String, size: PixelSize) {
        self.time = time
        self.camera = camera
        self.software = software
        self.size = size
    }

    /// The EXIF data as a TIFF block, which PNG files hold in their `eXIf` chunk.
    package var tiff: [UInt8] {
        // The limit keeps the block small enough for a JPEG segment.
        let camera = String(decoding: camera.utf8.prefix(1000), as: UTF8.self)
        var first = Directory()
        if !camera.isEmpty { first.add(0x0110, text: camera) }
        first.add(0x0131, text: software)
        first.add(0x0132, text: time.local)
        var second = Directory()
        second.add(0x9000, type: 7, count: 4, Array("0232".utf8))
        second.add(0x9003, text: time.local)
        second.add(0x9004, text: time.local)
        second.add(0x9010, text: time.offset)
        second.add(0x9011, text: time.offset)
        let fraction = String(time.milliseconds)
        second.add(0x9291, text: String(repeating: "0", count: 3 - min(3, fraction.count)) + fraction)
        // The colour space is sRGB.
        second.add(0xa001, type: 3, count: 1, bytes(1, 2) + [0, 0])
        second.add(0xa002, type: 4, count: 1, bytes(size.width, 4))
        second.add(0xa003, type: 4, count: 1, bytes(size.height, 4))
        let header = Array("II".utf8) + bytes(42, 2) + bytes(8, 4)
        // The first directory gets one more entry, which holds the offset of the second directory.
        let start = header.count + first.size(extraEntries: 1)
        first.add(0x8769, type: 4, count: 1, bytes(start, 4))
        return header + first.encoded(at: header.count) + second.encoded(at: start)
    }

    /// Inserts the tags after the first marker of a JPEG picture.
    ///
    /// - Parameter picture: A picture that begins with the SOI marker.
    /// - Returns: The picture with one more segment, APP1.
    package func inserted(intoJPEG picture: [UInt8]) -> [UInt8] {
        let block = Array("Exif\0\0".utf8) + tiff
        let length = block.count + 2
        return picture.prefix(2) + [0xff, 0xe1, UInt8(length >> 8), UInt8(length & 255)] + block + picture.dropFirst(2)
    }

    /// A TIFF directory, encoded with its entries in the order of their tags, and long values after the entries.
    private struct Directory {
        private var entries: [(tag: Int, type: Int, count: Int, value: [UInt8])] = []

        mutating func add(_ tag: Int, type: Int, count: Int, _ value: [UInt8]) {
            entries.append((tag, type, count, value))
        }

        mutating func add(_ tag: Int, text: String) {
            let value = Array(text.utf8.filter { $0 != 0 }) + [0]
            add(tag, type: 2, count: value.count, value)
        }

        func size(extraEntries: Int = 0) -> Int {
            2 + 12 * (entries.count + extraEntries) + 4 + entries.reduce(0) { $0 + Self.room($1.value) }
        }

        /// The encoded directory, followed by the values that do not fit in its entries.
        func encoded(at offset: Int) -> [UInt8] {
            var next = offset + 2 + 12 * entries.count + 4
            var table = bytes(entries.count, 2)
            var values: [UInt8] = []
            for entry in entries.sorted(by: { $0.tag < $1.tag }) {
                table += bytes(entry.tag, 2) + bytes(entry.type, 2) + bytes(entry.count, 4)
                guard Self.room(entry.value) > 0 else {
                    table += entry.value + [UInt8](repeating: 0, count: 4 - entry.value.count)
                    continue
                }
                table += bytes(next, 4)
                values += entry.value + (entry.value.count % 2 == 0 ? [] : [0])
                next += Self.room(entry.value)
            }
            return table + bytes(0, 4) + values
        }

        /// The number of bytes for a value after the entries, rounded up to even; 0 for a value within its entry.
        private static func room(_ value: [UInt8]) -> Int { value.count <= 4 ? 0 : (value.count + 1) & ~1 }
    }
}

/// The lowest `count` bytes of a number, in little-endian order.
private func bytes(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
}
