extension CameraState {
    /// Whether frames are to be expected.
    var isDelivering: Bool {
        switch self {
        case .streaming: true
        case .opening, .stalled, .lost, .disabled, .closed: false
        }
    }
}

extension SourceFormat {
    /// Whether a plan for this format can draw a frame; where its planes lie in memory does not matter.
    func describes(_ frame: Frame) -> Bool {
        let info = frame.info
        return info.layout.format == layout.format && info.layout.size == layout.size
            && info.colorimetry == colorimetry
    }
}
