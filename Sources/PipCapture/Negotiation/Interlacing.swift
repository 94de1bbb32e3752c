internal import CV4L2

/// The arrangement of a picture's two fields in a driver's buffer.
struct Interlacing: Equatable {
    /// True when the field with the first row was captured first.
    let isTopFirst: Bool
    /// True when the fields are stored one after the other; false for interleaved rows.
    let isSequential: Bool

    /// Interprets V4L2's `field`; returns nil for progressive pictures, and for fields in separate buffers.
    ///
    /// - Parameters:
    ///   - field: The value in the driver's answer.
    ///   - has525Lines: True when the signal has 525 lines, whose bottom field comes first.
    init?(_ field: UInt32, has525Lines: @autoclosure () -> Bool) {
        switch v4l2_field(field) {
        case V4L2_FIELD_INTERLACED: (isTopFirst, isSequential) = (!has525Lines(), false)
        case V4L2_FIELD_INTERLACED_TB: (isTopFirst, isSequential) = (true, false)
        case V4L2_FIELD_INTERLACED_BT: (isTopFirst, isSequential) = (false, false)
        case V4L2_FIELD_SEQ_TB: (isTopFirst, isSequential) = (true, true)
        case V4L2_FIELD_SEQ_BT: (isTopFirst, isSequential) = (false, true)
        default: return nil
        }
    }

    /// True when a device's analogue signal has 525 lines, as in America and Japan; false for other inputs.
    static func has525Lines(_ device: V4L2Device) -> Bool {
        var standard = v4l2_std_id()
        guard device.perform(.getStandard, &standard) == nil else { return false }
        return standard & PIP_V4L2_STD_525_60 != 0
    }
}
