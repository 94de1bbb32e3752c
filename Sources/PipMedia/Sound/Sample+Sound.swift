#if Media
internal import CGStreamer
internal import PipFrames
internal import PipSound

extension AudioBlock {
    /// Replaces the samples from an index on with `samples`.
    mutating func replaceSamples(from index: Int, with samples: ArraySlice<Float>) {
        unsafe withSamples { own in
            _ = unsafe UnsafeMutableBufferPointer(rebasing: own[index..<index + samples.count])
                .update(fromContentsOf: samples)
        }
    }
}

extension Outlet.Sample {
    /// The sample as a block of sound without a timestamp, and its running time in the pipeline.
    ///
    /// Nil for a sample without a timestamp, or without a supported sound format. The samples must be 32-bit floats.
    var sound: (block: AudioBlock, time: Duration)? {
        guard let buffer = unsafe buffer, let caps = unsafe caps,
            let structure = unsafe gst_caps_get_structure(caps, 0), let time = runningTime(unsafe buffer.pointee.pts)
        else { return nil }
        var (rate, channels) = (gint(0), gint(0))
        guard unsafe gst_structure_get_int(structure, "rate", &rate) != 0,
            unsafe gst_structure_get_int(structure, "channels", &channels) != 0,
            let format = try? AudioFormat(rate: Int(rate), channels: Int(channels))
        else { return nil }
        var map = unsafe GstMapInfo()
        guard unsafe gst_buffer_map(buffer, &map, GST_MAP_READ) != 0 else { return nil }
        defer { unsafe gst_buffer_unmap(buffer, &map) }
        let bytes = unsafe UnsafeRawBufferPointer(start: map.data, count: Int(map.size))
        return (AudioBlock(format, samples: unsafe Array(bytes.bindMemory(to: Float.self))), time)
    }
}
#endif
