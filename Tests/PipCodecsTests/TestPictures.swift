import Foundation
import PipCodecs
import PipFrames
import PipTestSupport

/// Files made by other programs.
enum TestPictures {
    /// The JPEG pictures of 9 x 7 pixels.
    ///
    /// A failed test prints a case's name instead of all bytes.
    enum JPEG: String, CaseIterable {
        case yuv420, yuv422, yuv444, yuv440, yuv411, gray, progressive

        var bytes: [UInt8] {
            switch self {
            case .yuv420: TestPictures.yuv420
            case .yuv422: TestPictures.yuv422
            case .yuv444: TestPictures.yuv444
            case .yuv440: TestPictures.yuv440
            case .yuv411: TestPictures.yuv411
            case .gray: TestPictures.gray
            case .progressive: TestPictures.progressive
            }
        }
    }

    // Python made the PNG pictures: signature, `IHDR`, `IDAT` from `zlib.compress(rows, 9)` with filter 0, and `IEND`.
    // `zlib.crc32` closes each chunk.

    /// A picture of 2 x 2 pixels, 8-bit RGB: red, green; blue, (10, 20, 30).
    static let rgb = bytes(
        "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAE0lEQVR42mP4z8DAAMIM/7lE5AAaWAM64pJu2QAAAABJRU5ErkJggg==")
    /// A picture of 2 x 1 pixels, 8-bit RGBA with straight alpha: (200, 100, 50, 128), (9, 8, 7, 0).
    static let rgba = bytes(
        "iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAYAAAD0In+KAAAAEUlEQVR42mM4kWLUwMnBzgAADPsB92Wv68YAAAAASUVORK5CYII=")
    /// A picture of 2 x 1 pixels, 16-bit grey: 0x8000, 0xffff.
    static let gray16 = bytes(
        "iVBORw0KGgoAAAANSUhEUgAAAAIAAAABEAAAAACB2fwVAAAADUlEQVR42mNoYPj/HwAFAgJ/yQDWdQAAAABJRU5ErkJggg==")
    /// A picture of 3 x 1 pixels with a 2-bit palette: entries 0, 1, 2 of (1, 2, 3), (40, 50, 60) with
    /// alpha 0, (255, 254, 253).
    static let palette = bytes(
        "iVBORw0KGgoAAAANSUhEUgAAAAMAAAABAgMAAABmjvwnAAAACVBMVEUBAgMoMjz//v2anb24AAAAAnRSTlP/AOW3MEoAAAAKSURBVHjaY5AAAAAa"
            + "ABmAAI67AAAAAElFTkSuQmCC")
    /// A picture of 3 x 3 pixels, 8-bit grey, interlaced (Adam7): 5, 15, 25, … 85.
    static let interlaced = bytes(
        "iVBORw0KGgoAAAANSUhEUgAAAAMAAAADCAAAAAEERNr1AAAAF0lEQVR42mNgZZBkcAxl4GfwZlDWNQcACeIBljzeX0oAAAAASUVORK5CYII=")

    /// A picture of 9 x 7 pixels of (200, 100, 50), made by a C program that calls `tjCompress2(handle, pixels, 9, 0,
    /// 7, TJPF_RGB, &out, &size, TJSAMP_420, 90, 0)`.
    ///
    /// The next pictures come from the same call with other values of `TJSAMP_`.
    static let yuv420 = bytes(
        "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAMCAgMCAgMDAwMEAwMEBQgFBQQEBQoHBwYIDAoMDAsKCwsNDhIQDQ4RDgsLEBYQERMUFRUV"
            + "DA8XGBYUGBIUFRT/2wBDAQMEBAUEBQkFBQkUDQsNFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQU"
            + "FBT/wAARCAAHAAkDASIAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQID"
            + "AAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlq"
            + "c3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3"
            + "+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAECAxEEBSExBhJBUQdhcRMiMoEI"
            + "FEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOEhYaHiImK"
            + "kpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3+Pn6/9oADAMBAAIRAxEAPwCp"
            + "RRRX4ef0gf/Z")
    static let yuv422 = bytes(
        "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAMCAgMCAgMDAwMEAwMEBQgFBQQEBQoHBwYIDAoMDAsKCwsNDhIQDQ4RDgsLEBYQERMUFRUV"
            + "DA8XGBYUGBIUFRT/2wBDAQMEBAUEBQkFBQkUDQsNFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQU"
            + "FBT/wAARCAAHAAkDASEAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQID"
            + "AAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlq"
            + "c3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3"
            + "+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAECAxEEBSExBhJBUQdhcRMiMoEI"
            + "FEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOEhYaHiImK"
            + "kpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3+Pn6/9oADAMBAAIRAxEAPwCp"
            + "RX4ef0gf/9k=")
    static let yuv444 = bytes(
        "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAMCAgMCAgMDAwMEAwMEBQgFBQQEBQoHBwYIDAoMDAsKCwsNDhIQDQ4RDgsLEBYQERMUFRUV"
            + "DA8XGBYUGBIUFRT/2wBDAQMEBAUEBQkFBQkUDQsNFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQU"
            + "FBT/wAARCAAHAAkDAREAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQID"
            + "AAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlq"
            + "c3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3"
            + "+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAECAxEEBSExBhJBUQdhcRMiMoEI"
            + "FEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOEhYaHiImK"
            + "kpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3+Pn6/9oADAMBAAIRAxEAPwCp"
            + "X4ef0gFAH//Z")
    static let yuv440 = bytes(
        "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAMCAgMCAgMDAwMEAwMEBQgFBQQEBQoHBwYIDAoMDAsKCwsNDhIQDQ4RDgsLEBYQERMUFRUV"
            + "DA8XGBYUGBIUFRT/2wBDAQMEBAUEBQkFBQkUDQsNFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQU"
            + "FBT/wAARCAAHAAkDARIAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQID"
            + "AAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlq"
            + "c3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3"
            + "+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAECAxEEBSExBhJBUQdhcRMiMoEI"
            + "FEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOEhYaHiImK"
            + "kpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3+Pn6/9oADAMBAAIRAxEAPwCp"
            + "RX4ef0gFFAH/2Q==")
    static let yuv411 = bytes(
        "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAMCAgMCAgMDAwMEAwMEBQgFBQQEBQoHBwYIDAoMDAsKCwsNDhIQDQ4RDgsLEBYQERMUFRUV"
            + "DA8XGBYUGBIUFRT/2wBDAQMEBAUEBQkFBQkUDQsNFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQU"
            + "FBT/wAARCAAHAAkDAUEAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQID"
            + "AAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlq"
            + "c3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3"
            + "+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAECAxEEBSExBhJBUQdhcRMiMoEI"
            + "FEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOEhYaHiImK"
            + "kpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3+Pn6/9oADAMBAAIRAxEAPwCp"
            + "RRRX4ef0gf/Z")
    static let gray = bytes(
        "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAMCAgMCAgMDAwMEAwMEBQgFBQQEBQoHBwYIDAoMDAsKCwsNDhIQDQ4RDgsLEBYQERMUFRUV"
            + "DA8XGBYUGBIUFRT/wAALCAAHAAkBAREA/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9"
            + "AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZn"
            + "aGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP0"
            + "9fb3+Pn6/9oACAEBAAA/AKlFf//Z")
    /// The picture of `yuv420`, made with `TJFLAG_PROGRESSIVE`.
    static let progressive = bytes(
        "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAMCAgMCAgMDAwMEAwMEBQgFBQQEBQoHBwYIDAoMDAsKCwsNDhIQDQ4RDgsLEBYQERMUFRUV"
            + "DA8XGBYUGBIUFRT/2wBDAQMEBAUEBQkFBQkUDQsNFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQU"
            + "FBT/wgARCAAHAAkDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAP/xAAVAQEBAAAAAAAAAAAAAAAAAAAGB//aAAwDAQACEAMQ"
            + "AAABiA9I/8QAFBABAAAAAAAAAAAAAAAAAAAAEP/aAAgBAQABBQI//8QAFBEBAAAAAAAAAAAAAAAAAAAAAP/aAAgBAwEBPwF//8QAFBEB"
            + "AAAAAAAAAAAAAAAAAAAAAP/aAAgBAgEBPwF//8QAFBABAAAAAAAAAAAAAAAAAAAAEP/aAAgBAQAGPwI//8QAFBABAAAAAAAAAAAAAAAA"
            + "AAAAEP/aAAgBAQABPyE//9oADAMBAAIAAwAAABDz/8QAFBEBAAAAAAAAAAAAAAAAAAAAAP/aAAgBAwEBPxB//8QAFBEBAAAAAAAAAAAA"
            + "AAAAAAAAAP/aAAgBAgEBPxB//8QAFBABAAAAAAAAAAAAAAAAAAAAEP/aAAgBAQABPxA//9k=")

    /// A picture of 16 x 16 pixels of (200, 100, 50), with all sampling factors twice as large as they need to be.
    ///
    /// Made by `ffmpeg -f lavfi -i "color=c=0xC86432:s=16x16,format=rgb24" -frames:v 1 -pix_fmt yuvj444p -q:v 2 -fflags
    /// +bitexact -flags:v +bitexact -huffman optimal OUT.jpg`, and with `yuvj422p`.
    static let ffmpeg444 = bytes(
        "/9j/4AAQSkZJRgABAgAAAQABAAD/2wBDAAgEBAQEBAUFBQUFBQYGBgYGBgYGBgYGBgYHBwcICAgHBwcGBgcHCAgICAkJCQgICAgJCQoK"
            + "CgwMCwsODg4RERT/xABMAAEBAAAAAAAAAAAAAAAAAAAAAwEBAQAAAAAAAAAAAAAAAAAAAAYQAQAAAAAAAAAAAAAAAAAAAAARAQAAAAAA"
            + "AAAAAAAAAAAAAAD/wAARCAAQABADARIAAhIAAxIA/9oADAMBAAIRAxEAPwCYlRbAAD//2Q==")
    static let ffmpeg422 = bytes(
        "/9j/4AAQSkZJRgABAgAAAQABAAD/2wBDAAgEBAQEBAUFBQUFBQYGBgYGBgYGBgYGBgYHBwcICAgHBwcGBgcHCAgICAkJCQgICAgJCQoK"
            + "CgwMCwsODg4RERT/xABMAAEBAAAAAAAAAAAAAAAAAAAAAwEBAQAAAAAAAAAAAAAAAAAAAAYQAQAAAAAAAAAAAAAAAAAAAAARAQAAAAAA"
            + "AAAAAAAAAAAAAAD/wAARCAAQABADASIAAhIAAxIA/9oADAMBAAIRAxEAPwCYCVFsP//Z")

    static func bytes(_ base64: String) -> [UInt8] { Data(base64Encoded: base64).map { [UInt8]($0) } ?? [] }
}

/// Copies of files, each with one to four bytes replaced by random ones.
///
/// - Parameters:
///   - originals: The files.
///   - seed: The seed of the random numbers.
///   - first: The index of the first byte that may change.
/// - Returns: Three hundred copies.
func brokenFiles(_ originals: [[UInt8]], seed: Int, from first: Int) -> [[UInt8]] {
    var dice = Dice(seed)
    return (0..<300).map { _ in
        var bytes = originals[Int.random(in: originals.indices, using: &dice)]
        for _ in 0..<Int.random(in: 1...4, using: &dice) {
            bytes[Int.random(in: first..<bytes.count, using: &dice)] = UInt8.random(in: 0...255, using: &dice)
        }
        return bytes
    }
}

/// The bytes of an encoder's output.
func contents(_ output: ByteBuffer) -> [UInt8] {
    output.withBytes { bytes in unsafe bytes.withUnsafeBytes { unsafe Array($0) } }
}

func pngHeader(_ bytes: [UInt8], _ subject: String) throws(CodecError) -> PNG.Header {
    try bytes.withBytes { bytes throws(CodecError) in try PNG.header(of: bytes, subject: subject) }
}

func jpegHeader(_ bytes: [UInt8], _ subject: String) throws(CodecError) -> JPEGHeader {
    try bytes.withBytes { bytes throws(CodecError) in try JPEGHeader(bytes, subject: subject) }
}

func y4mHeader(_ line: some Sequence<UInt8>, _ subject: String) throws(CodecError) -> Y4MHeader {
    try Array(line).withBytes { bytes throws(CodecError) in try Y4MHeader(line: bytes, subject: subject) }
}
