/// A GLSL type: a scalar, a vector, a matrix or a sampler, or an array of these.
struct ShaderType: Equatable {
    enum Base: Equatable { case float, int, uint, bool, sampler, void }

    var base: Base
    /// The number of components of a vector, or of columns of a square matrix; 1 for a scalar.
    var size = 1
    var isMatrix = false
    /// The number of elements of an array; nil for a type that is not an array.
    var count: Int?

    /// Creates the type that a keyword names; nil for any other word.
    init?(_ word: String) {
        switch word {
        case "float": self.init(base: .float)
        case "int": self.init(base: .int)
        case "uint": self.init(base: .uint)
        case "bool": self.init(base: .bool)
        case "void": self.init(base: .void)
        case "sampler2D": self.init(base: .sampler)
        case "mat2", "mat3", "mat4": self.init(base: .float, size: Int(word.dropFirst(3)) ?? 0, isMatrix: true)
        default:
            let bases: [(String, Base)] = [("vec", .float), ("ivec", .int), ("uvec", .uint), ("bvec", .bool)]
            guard let last = word.last, let size = Int(String(last)), (2...4).contains(size),
                let base = bases.first(where: { $0.0 == word.dropLast() })?.1
            else { return nil }
            self.init(base: base, size: size)
        }
    }

    private init(base: Base, size: Int = 1, isMatrix: Bool = false) {
        self.base = base
        self.size = size
        self.isMatrix = isMatrix
    }

    /// The number of floats of a uniform of this type.
    var floats: Int { (isMatrix ? size * size : size) * (count ?? 1) }
}

/// A GLSL variable, parameter, constant or uniform.
final class Variable {
    enum Role { case uniform, constant, parameter, output, local, shared }

    let name: String
    var type: ShaderType
    let role: Role
    /// The C++ expression of the variable: its name, or an element of an array with a copy for each lane.
    var text: String
    /// True when the value may differ from pixel to pixel.
    var varies = false
    /// The number of conditions around the declaration that differ from pixel to pixel.
    var depth = 0

    init(_ name: String, _ type: ShaderType, _ role: Role) {
        self.name = name
        text = name
        self.type = type
        self.role = role
    }
}

/// A parsed GLSL expression, as a tree.
indirect enum Expression {
    case number(String)
    case truth(Bool)
    case variable(Variable)
    case word(String)
    case unary(String, Expression)
    case binary(String, Expression, Expression)
    case choice(Expression, Expression, Expression, line: Int)
    case call(String, [Expression], line: Int)
    case make(ShaderType, [Expression], line: Int)
    case list([Expression], line: Int)
    case element(Expression, Expression, line: Int)
    case member(Expression, String, line: Int)
}

/// A parsed GLSL statement, with its line in the source.
indirect enum Statement {
    case declare(Variable, Expression?, line: Int)
    case assign(Expression, String, Expression, line: Int)
    case run(Expression, line: Int)
    case branch(Expression, [Statement], [Statement], line: Int)
    case loop(Variable, from: Expression, while: Expression, isLiteral: Bool, [Statement], line: Int)
    /// A `for` loop in a compute shader.
    case repeats(Statement, while: Expression, step: Statement, [Statement], line: Int)
    case give(Expression?, line: Int)
    case skip(line: Int)
}

/// A parsed GLSL function, with the facts that ``Variation`` finds.
final class Function {
    let name: String
    let result: ShaderType
    let parameters: [Variable]
    let line: Int
    var body: [Statement] = []
    /// True when the returned value may differ from pixel to pixel.
    var varies = false
    /// True when some pixels may return from the function before others.
    var returnsEarly = false

    init(_ name: String, _ result: ShaderType, _ parameters: [Variable], line: Int) {
        self.name = name
        self.result = result
        self.parameters = parameters
        self.line = line
    }
}

/// The declarations in a shader's GLSL source.
struct ShaderUnit {
    let file: String
    var uniforms: [Variable] = []
    var constants: [(variable: Variable, value: Expression)] = []
    /// The variables that the lanes of a work group share (`shared`).
    var shared: [Variable] = []
    var functions: [Function] = []
}

extension Expression {
    /// True for a literal number, with or without a sign.
    var isLiteral: Bool {
        switch self {
        case .number: true
        case .unary(_, let value): value.isLiteral
        default: false
        }
    }
}
