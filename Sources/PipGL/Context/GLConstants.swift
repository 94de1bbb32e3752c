internal import CGL

/// OpenGL's constants as `GLenum`, the type that GL's functions take; Swift imports the macros as `Int32`.
enum GL {
    static let noError = GLenum(GL_NO_ERROR)

    static let vendor = GLenum(GL_VENDOR)
    static let renderer = GLenum(GL_RENDERER)
    static let version = GLenum(GL_VERSION)
    static let extensions = GLenum(GL_EXTENSIONS)
    static let extensionCount = GLenum(GL_NUM_EXTENSIONS)

    static let texture2D = GLenum(GL_TEXTURE_2D)
    static let texture0 = GLenum(GL_TEXTURE0)
    static let minFilter = GLenum(GL_TEXTURE_MIN_FILTER)
    static let magFilter = GLenum(GL_TEXTURE_MAG_FILTER)
    static let wrapS = GLenum(GL_TEXTURE_WRAP_S)
    static let wrapT = GLenum(GL_TEXTURE_WRAP_T)

    static let red = GLenum(GL_RED)
    static let rg = GLenum(GL_RG)
    static let rgb = GLenum(GL_RGB)
    static let rgba = GLenum(GL_RGBA)
    static let unsignedByte = GLenum(GL_UNSIGNED_BYTE)
    static let halfFloat = GLenum(GL_HALF_FLOAT)
    static let float = GLenum(GL_FLOAT)

    static let unpackRowLength = GLenum(GL_UNPACK_ROW_LENGTH)
    static let unpackAlignment = GLenum(GL_UNPACK_ALIGNMENT)
    static let packRowLength = GLenum(GL_PACK_ROW_LENGTH)
    static let packAlignment = GLenum(GL_PACK_ALIGNMENT)
    static let readFormat = GLenum(GL_IMPLEMENTATION_COLOR_READ_FORMAT)
    static let readType = GLenum(GL_IMPLEMENTATION_COLOR_READ_TYPE)

    static let framebuffer = GLenum(GL_FRAMEBUFFER)
    static let framebufferComplete = GLenum(GL_FRAMEBUFFER_COMPLETE)
    static let color0 = GLenum(GL_COLOR_ATTACHMENT0)

    static let vertexShader = GLenum(GL_VERTEX_SHADER)
    static let fragmentShader = GLenum(GL_FRAGMENT_SHADER)
    static let compileStatus = GLenum(GL_COMPILE_STATUS)
    static let linkStatus = GLenum(GL_LINK_STATUS)
    static let infoLogLength = GLenum(GL_INFO_LOG_LENGTH)
    static let activeUniforms = GLenum(GL_ACTIVE_UNIFORMS)
    static let activeUniformNameLength = GLenum(GL_ACTIVE_UNIFORM_MAX_LENGTH)
    static let binaryRetrievable = GLenum(GL_PROGRAM_BINARY_RETRIEVABLE_HINT)
    static let binaryLength = GLenum(GL_PROGRAM_BINARY_LENGTH)

    static let pixelPackBuffer = GLenum(GL_PIXEL_PACK_BUFFER)
    static let streamRead = GLenum(GL_STREAM_READ)
    static let mapRead = GLbitfield(GL_MAP_READ_BIT)
    static let mapPersistentCoherent = GLbitfield(GL_MAP_PERSISTENT_BIT_EXT | GL_MAP_COHERENT_BIT_EXT)
    static let clientStorage = GLbitfield(GL_CLIENT_STORAGE_BIT_EXT)

    static let blend = GLenum(GL_BLEND)
    static let one = GLenum(GL_ONE)
    static let zero = GLenum(GL_ZERO)
    static let oneMinusSourceAlpha = GLenum(GL_ONE_MINUS_SRC_ALPHA)
    static let secondSourceColor = GLenum(GL_SRC1_COLOR_EXT)
    static let dither = GLenum(GL_DITHER)
    static let triangleStrip = GLenum(GL_TRIANGLE_STRIP)

    static let commandsComplete = GLenum(GL_SYNC_GPU_COMMANDS_COMPLETE)
    static let flushCommands = GLbitfield(GL_SYNC_FLUSH_COMMANDS_BIT)
    static let alreadySignaled = GLenum(GL_ALREADY_SIGNALED)
    static let conditionSatisfied = GLenum(GL_CONDITION_SATISFIED)

    static let debugOutput = GLenum(GL_DEBUG_OUTPUT_KHR)
    static let debugSynchronous = GLenum(GL_DEBUG_OUTPUT_SYNCHRONOUS_KHR)
    static let debugSeverityHigh = GLenum(GL_DEBUG_SEVERITY_HIGH_KHR)
}
