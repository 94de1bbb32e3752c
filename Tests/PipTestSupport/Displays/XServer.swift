internal import Foundation
package import PipFrames

/// An X server (Xvfb) that draws to memory instead of a screen.
package final class XServer: Sendable {
    package static let size = PixelSize(320, 240)
    package let display: String
    package let process: ServerProcess

    /// Starts the server.
    ///
    /// - Parameters:
    ///   - display: The display number; nil for a free number.
    ///   - authority: The authority file with the clients' key; nil admits every client.
    /// - Throws: ``ServerFailure`` if the server does not start.
    package init(_ display: String? = nil, authority: String? = nil) throws {
        var number = ""
        let process = try ServerProcess(
            ["Xvfb"] + (display.map { [$0] } ?? []) + [
                "-displayfd", "1", "-screen", "0", "\(Self.size)x24", "-nolisten", "tcp", "-noreset",
            ] + (authority.map { ["-auth", $0] } ?? [])
        ) { line in
            number = line
            return Int(line) != nil
        }
        self.process = process
        self.display = ":\(number)"
    }

    /// The contents of the X server's screen, captured by FFmpeg.
    package func picture() throws -> ShownPicture {
        let bytes = try runToEnd([
            "ffmpeg", "-v", "error", "-f", "x11grab", "-draw_mouse", "0", "-video_size", "\(Self.size)", "-i", display,
            "-frames:v", "1", "-f", "rawvideo", "-pix_fmt", "rgb24", "-",
        ])
        return ShownPicture(size: Self.size, bytes: [UInt8](bytes))
    }

    /// Runs Python code as another X client, on the first window below the root window.
    ///
    /// - Parameter statement: The code, in which python-xlib's `d` is the display and `w` the window.
    /// - Returns: The output of the code.
    /// - Throws: ``ServerFailure`` if the code fails, for example because there is no window yet.
    @discardableResult
    package func ask(_ statement: String) throws -> String {
        let program = """
            from Xlib import X, display
            from Xlib.protocol import event
            d = display.Display('\(display)')
            w = d.screen().root.query_tree().children[0]
            \(statement)
            d.sync()
            """
        return String(decoding: try runToEnd(["/usr/bin/python3", "-c", program]), as: UTF8.self)
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Asks the window to close, as a window manager does.
    package func closeWindow() throws {
        try ask(
            """
            p, c = d.get_atom('WM_PROTOCOLS'), d.get_atom('WM_DELETE_WINDOW')
            w.send_event(event.ClientMessage(window=w, client_type=p, data=(32, [c, 0, 0, 0, 0])))
            """)
    }
}

/// The pixels of a display, three bytes each: red, green and blue.
package struct ShownPicture: Equatable {
    package let size: PixelSize
    package let bytes: [UInt8]

    package init(size: PixelSize, bytes: [UInt8]) {
        self.size = size
        self.bytes = bytes
    }

    /// The colour of a pixel as `0xRRGGBB`.
    package subscript(x: Int, y: Int) -> Int {
        let place = (y * size.width + x) * 3
        return Int(bytes[place]) << 16 | Int(bytes[place + 1]) << 8 | Int(bytes[place + 2])
    }
}
