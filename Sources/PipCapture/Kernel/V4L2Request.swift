internal import CV4L2

/// A request of V4L2 or the media controller: the number for `ioctl`, and the name for messages.
package struct V4L2Request: Hashable, Sendable {
    package let number: UInt
    private let label: StaticString

    private init(_ number: UInt, _ label: StaticString) {
        self.number = number
        self.label = label
    }

    /// The request's name in the documentation: `VIDIOC_S_FMT`.
    package var name: String { label.description }

    package static func == (left: V4L2Request, right: V4L2Request) -> Bool { left.number == right.number }

    package func hash(into hasher: inout Hasher) { hasher.combine(number) }

    package static var queryCapabilities: Self { Self(PIP_VIDIOC_QUERYCAP, "VIDIOC_QUERYCAP") }
    package static var enumerateFormats: Self { Self(PIP_VIDIOC_ENUM_FMT, "VIDIOC_ENUM_FMT") }
    package static var enumerateSizes: Self { Self(PIP_VIDIOC_ENUM_FRAMESIZES, "VIDIOC_ENUM_FRAMESIZES") }
    package static var enumerateIntervals: Self { Self(PIP_VIDIOC_ENUM_FRAMEINTERVALS, "VIDIOC_ENUM_FRAMEINTERVALS") }
    package static var getFormat: Self { Self(PIP_VIDIOC_G_FMT, "VIDIOC_G_FMT") }
    package static var setFormat: Self { Self(PIP_VIDIOC_S_FMT, "VIDIOC_S_FMT") }
    package static var tryFormat: Self { Self(PIP_VIDIOC_TRY_FMT, "VIDIOC_TRY_FMT") }
    package static var getParameters: Self { Self(PIP_VIDIOC_G_PARM, "VIDIOC_G_PARM") }
    package static var setParameters: Self { Self(PIP_VIDIOC_S_PARM, "VIDIOC_S_PARM") }
    package static var getStandard: Self { Self(PIP_VIDIOC_G_STD, "VIDIOC_G_STD") }
    package static var getTimings: Self { Self(PIP_VIDIOC_G_DV_TIMINGS, "VIDIOC_G_DV_TIMINGS") }
    package static var setTimings: Self { Self(PIP_VIDIOC_S_DV_TIMINGS, "VIDIOC_S_DV_TIMINGS") }
    package static var queryTimings: Self { Self(PIP_VIDIOC_QUERY_DV_TIMINGS, "VIDIOC_QUERY_DV_TIMINGS") }
    package static var subscribeEvent: Self { Self(PIP_VIDIOC_SUBSCRIBE_EVENT, "VIDIOC_SUBSCRIBE_EVENT") }
    package static var dequeueEvent: Self { Self(PIP_VIDIOC_DQEVENT, "VIDIOC_DQEVENT") }
    package static var requestBuffers: Self { Self(PIP_VIDIOC_REQBUFS, "VIDIOC_REQBUFS") }
    package static var queryBuffer: Self { Self(PIP_VIDIOC_QUERYBUF, "VIDIOC_QUERYBUF") }
    package static var queueBuffer: Self { Self(PIP_VIDIOC_QBUF, "VIDIOC_QBUF") }
    package static var dequeueBuffer: Self { Self(PIP_VIDIOC_DQBUF, "VIDIOC_DQBUF") }
    package static var exportBuffer: Self { Self(PIP_VIDIOC_EXPBUF, "VIDIOC_EXPBUF") }
    package static var streamOn: Self { Self(PIP_VIDIOC_STREAMON, "VIDIOC_STREAMON") }
    package static var streamOff: Self { Self(PIP_VIDIOC_STREAMOFF, "VIDIOC_STREAMOFF") }
    package static var queryControl: Self { Self(PIP_VIDIOC_QUERY_EXT_CTRL, "VIDIOC_QUERY_EXT_CTRL") }
    package static var queryMenu: Self { Self(PIP_VIDIOC_QUERYMENU, "VIDIOC_QUERYMENU") }
    package static var getControl: Self { Self(PIP_VIDIOC_G_CTRL, "VIDIOC_G_CTRL") }
    package static var setControl: Self { Self(PIP_VIDIOC_S_CTRL, "VIDIOC_S_CTRL") }
    package static var tryControls: Self { Self(PIP_VIDIOC_TRY_EXT_CTRLS, "VIDIOC_TRY_EXT_CTRLS") }
    package static var setControls: Self { Self(PIP_VIDIOC_S_EXT_CTRLS, "VIDIOC_S_EXT_CTRLS") }
    package static var getSelection: Self { Self(PIP_VIDIOC_G_SELECTION, "VIDIOC_G_SELECTION") }
    package static var setSelection: Self { Self(PIP_VIDIOC_S_SELECTION, "VIDIOC_S_SELECTION") }
    package static var setPriority: Self { Self(PIP_VIDIOC_S_PRIORITY, "VIDIOC_S_PRIORITY") }

    package static var mediaInformation: Self { Self(PIP_MEDIA_IOC_DEVICE_INFO, "MEDIA_IOC_DEVICE_INFO") }
    package static var mediaTopology: Self { Self(PIP_MEDIA_IOC_G_TOPOLOGY, "MEDIA_IOC_G_TOPOLOGY") }

    /// All requests that this type defines.
    package static var all: [Self] {
        [
            queryCapabilities, enumerateFormats, enumerateSizes, enumerateIntervals, getFormat, setFormat, tryFormat,
            getParameters, setParameters, getStandard,
            getTimings, setTimings, queryTimings, subscribeEvent, dequeueEvent,
            requestBuffers, queryBuffer,
            queueBuffer, dequeueBuffer, exportBuffer, streamOn, streamOff, queryControl, queryMenu, getControl,
            setControl, tryControls, setControls, getSelection, setSelection, setPriority, mediaInformation,
            mediaTopology,
        ]
    }
}
