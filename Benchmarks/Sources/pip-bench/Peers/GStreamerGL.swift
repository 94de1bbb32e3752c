import Foundation

/// Builds commands for GStreamer's `glvideomixer`, which draws on an EGL device without a window.
struct GStreamerGL: Sendable {
    /// The place at which a pipeline converts to and from RGBA.
    enum Mode: String, CaseIterable, Sendable {
        /// OpenGL converts: the pipeline uploads the input's format and downloads NV12.
        case converting
        /// Nothing converts: the input, the pictures and the output are RGBA.
        case rgba
        /// The CPU converts the input to RGBA, and the picture to NV12.
        case convertedByCPU

        var name: String {
            switch self {
            case .converting: Name.gl
            case .rgba: Name.glRGBA
            case .convertedByCPU: Name.glConverted
            }
        }
    }

    struct Branch: Sendable {
        /// The GL elements of the source, in order, without the `!` that links them.
        var effects: [String] = []
        /// The properties of the mixer's pad, such as the position and the size.
        var pad: String
        /// The size to which the source is scaled, before its effects if it has any; nil for no scaling.
        var size: FrameSize?
    }

    /// A variant of the elements that draw the effects.
    struct Variant: Sendable {
        var name = ""
        var branches: [Branch]
    }

    var site: Site
    var input: PixelLayout?
    var variants: [Variant]
    var lacks: String?

    var contenders: [Contender] {
        let modes: [Mode] = input == nil ? Mode.allCases : [.converting, .convertedByCPU]
        return modes.map { mode in
            var ways: [Contender.Way] = []
            for variant in variants {
                for scaling in Scaling.allCases {
                    let words = [variant.name, scaling.rawValue].filter { !$0.isEmpty }
                    ways.append(
                        Contender.Way(name: words.joined(separator: ", ")) { frames in
                            command(variant, mode, scaling, frames: frames)
                        })
                }
            }
            return Contender(name: mode.name, program: "gst-launch-1.0", lacks: lacks, ways: ways)
        }
    }

    /// The element that scales sources down.
    private enum Scaling: String, CaseIterable {
        case before = "scaled before the upload"
        case mixer = "scaled by GL"
    }

    private static let memory = "video/x-raw(memory:GLMemory)"

    private func command(_ variant: Variant, _ mode: Mode, _ scaling: Scaling, frames: Int) -> Command {
        var words = ["gst-launch-1.0", "-q", "glvideomixerelement", "name=c", "background=black"]
        for (index, branch) in variant.branches.enumerated() {
            words += branch.pad.split(separator: " ").map { "sink_\(index)::\($0)" }
        }
        let canvas = "\(Self.memory),format=RGBA,width=\(site.size.width),height=\(site.size.height)"
        words += ["!", canvas, "!"] + output(mode) + ["!", "fakesink", "sync=false"]
        for (index, branch) in variant.branches.enumerated() {
            let layout = mode == .rgba ? PixelLayout.rgba : input ?? .nv12
            words += GStreamer.source(
                site.inputs.framePattern(index, layout), layout, frames, site
            ).split(separator: " ").map(String.init)
            words += upload(branch, layout, mode, scaling)
            for effect in branch.effects { words += ["!"] + Self.words(effect) }
            words += ["!", "c.sink_\(index)"]
        }
        return Command(
            words, environment: ["GST_GL_PLATFORM": "egl", "GST_GL_API": "gles2", "GST_GL_WINDOW": "egl-device"])
    }

    private func upload(_ branch: Branch, _ layout: PixelLayout, _ mode: Mode, _ scaling: Scaling) -> [String] {
        var words: [String] = []
        if let size = branch.size, scaling == .before {
            let colorimetry = layout == .rgba ? "" : ",colorimetry=bt709"
            words += ["!", "videoscale", "!", "video/x-raw,width=\(size.width),height=\(size.height)\(colorimetry)"]
        }
        if mode == .convertedByCPU { words += ["!", "videoconvert", "!", "video/x-raw,format=RGBA"] }
        words += ["!", "glupload"]
        if mode == .converting { words += ["!", "glcolorconvert", "!", "\(Self.memory),format=RGBA"] }
        if let size = branch.size, scaling == .mixer, !branch.effects.isEmpty {
            words += ["!", "glcolorscale", "!", "\(Self.memory),width=\(size.width),height=\(size.height)"]
        }
        return words
    }

    private func output(_ mode: Mode) -> [String] {
        switch mode {
        case .converting: ["glcolorconvert", "!", "\(Self.memory),format=NV12", "!", "gldownload", "!", "video/x-raw"]
        case .rgba: ["gldownload", "!", "video/x-raw"]
        case .convertedByCPU:
            ["gldownload", "!", "video/x-raw", "!", "videoconvert", "!", "video/x-raw,format=NV12,colorimetry=bt709"]
        }
    }

    /// Splits an element into words.
    ///
    /// The text of a shader is one word.
    private static func words(_ element: String) -> [String] {
        guard let shader = element.range(of: "fragment=") else {
            return element.split(separator: " ").map(String.init)
        }
        return element[..<shader.lowerBound].split(separator: " ").map(String.init) + [
            String(element[shader.lowerBound...])
        ]
    }
}
