/// One thing that is wrong with a template or with the values given for it.
public enum TemplateProblem: Hashable, Sendable {
    /// The payload is no JSON object.
    case badPayload
    /// The parameters are no list of parameters; says where.
    case badParameters(pointer: String)
    /// Two parameters have one name.
    case parameterTwice(name: String)
    /// Braces hold no name, or a form that does not exist; says where.
    case badPlaceholder(pointer: String)
    /// A placeholder names no parameter.
    case unknownPlaceholder(name: String, pointer: String)
    /// A parameter's own default is not of its type.
    case badDefault(name: String)
    /// The values are no JSON object.
    case badValues
    /// No value was given, and there is no default.
    case missing(name: String)
    /// The value is not of the parameter's type.
    case wrongType(name: String, expected: TemplateParameter.Kind)
    /// The value is none of the choices.
    case notAChoice(name: String, choices: [String])
    /// A value was given for a name that the template does not have.
    case unknownValue(name: String)

    /// The parameter or placeholder meant.
    public var name: String? {
        switch self {
        case .parameterTwice(let name), .unknownPlaceholder(let name, _), .badDefault(let name),
            .missing(let name), .wrongType(let name, _), .notAChoice(let name, _),
            .unknownValue(let name):
            name
        case .badPayload, .badParameters, .badPlaceholder, .badValues: nil
        }
    }

    /// The problem as a sentence for the author; holds names, no values.
    public var sentence: String {
        switch self {
        case .badPayload: "The payload is no JSON object."
        case .badParameters(let pointer): "The parameter at \"\(pointer)\" is not well formed."
        case .parameterTwice(let name): "The parameter \(name) is declared twice."
        case .badPlaceholder(let pointer):
            "The text at \(pointer) holds {{ without a placeholder such as {{customer.name}}."
        case .unknownPlaceholder(let name, let pointer):
            "The placeholder \(name) at \(pointer) is no parameter of the template."
        case .badDefault(let name): "The default of \(name) is not of its type."
        case .badValues: "The values are no JSON object."
        case .missing(let name): "The parameter \(name) is missing."
        case .wrongType(let name, let expected):
            "The value of \(name) is no \(expected.rawValue)."
        case .notAChoice(let name, let choices):
            "The value of \(name) is none of \(choices.joined(separator: ", "))."
        case .unknownValue(let name): "The template has no parameter \(name)."
        }
    }
}

/// Why a template or its values were refused: every problem at once.
public struct TemplateError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The problems, at least one.
    public let problems: [TemplateProblem]

    /// The problems' sentences; they name parameters, never values.
    public var description: String {
        "TemplateError: " + problems.map(\.sentence).joined(separator: " ")
    }
}
