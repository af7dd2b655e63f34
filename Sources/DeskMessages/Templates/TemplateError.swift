import DeskBytes

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
    /// The payload has more than `TemplateForm.maximumGaps` placeholders.
    case tooManyPlaceholders
    /// A list stands where no list can be repeated, or a value of its items outside of it; says where.
    case misplacedList(name: String, pointer: String)
    /// An element is repeated for a parameter that is no list; says where.
    case notAList(name: String, pointer: String)
    /// A placeholder names no parameter.
    case unknownPlaceholder(name: String, pointer: String)
    /// A placeholder names a value that some customers do not have, and nothing says what to write then.
    case missingFallback(name: String, pointer: String)
    /// A parameter's own default is not of its type.
    case badDefault(name: String)
    /// The values are no JSON object.
    case badValues
    /// No value was given, and there is no default.
    case missing(name: String)
    /// The value is an empty text, where one is required.
    case empty(name: String)
    /// The value is not of the parameter's type.
    case wrongType(name: String, expected: TemplateParameter.Kind)
    /// The value is none of the choices.
    case notAChoice(name: String, choices: [String])
    /// A list that is required has no item.
    case noItems(name: String)
    /// A list has more than `TemplateParameter.maximumItems` items.
    case tooManyItems(name: String)
    /// An item of a list is no object of values.
    case notAnItem(name: String)
    /// A value was given for a name that the template does not have.
    case unknownValue(name: String)
    /// Filled with these values, the payload would have more bytes than it may have.
    case tooLarge(bytes: Int, limit: Int)

    /// The parameter or placeholder meant.
    public var name: String? {
        switch self {
        case .parameterTwice(let name), .unknownPlaceholder(let name, _),
            .missingFallback(let name, _), .misplacedList(let name, _), .notAList(let name, _),
            .badDefault(let name), .missing(let name), .empty(let name), .wrongType(let name, _),
            .notAChoice(let name, _),
            .noItems(let name), .tooManyItems(let name), .notAnItem(let name),
            .unknownValue(let name):
            name
        case .badPayload, .badParameters, .badPlaceholder, .tooManyPlaceholders, .badValues,
            .tooLarge:
            nil
        }
    }

    /// How long the pointer is that it holds.
    fileprivate var pointerBytes: Int {
        switch self {
        case .badParameters(let pointer), .badPlaceholder(let pointer),
            .unknownPlaceholder(_, let pointer), .missingFallback(_, let pointer),
            .misplacedList(_, let pointer), .notAList(_, let pointer):
            pointer.utf8.count
        case .badPayload, .parameterTwice, .tooManyPlaceholders, .badDefault, .badValues, .missing,
            .empty, .wrongType, .notAChoice, .noItems, .tooManyItems, .notAnItem, .unknownValue,
            .tooLarge:
            0
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
        case .tooManyPlaceholders:
            "The payload has more than \(TemplateForm.maximumGaps) placeholders; repeated elements and what "
                + "is in them are counted for each item of their list."
        case .misplacedList(let name, let pointer):
            "The list \(name) at \(pointer) stands where it cannot: an element of an array is repeated as "
                + "{\"{{\(name)}}\": element}, not within another list, and the values of its items are "
                + "written inside that element."
        case .unknownPlaceholder(let name, let pointer):
            "The placeholder \(name) at \(pointer) is no parameter of the template."
        case .missingFallback(let name, let pointer):
            "Not every customer has the value \(name) at \(pointer): declare it as a parameter with "
                + "a default, or as a required one to be asked for."
        case .badDefault(let name): "The default of \(name) is not of its type."
        case .badValues: "The values are no JSON object."
        case .missing(let name): "The parameter \(name) is missing."
        case .empty(let name): "The value of \(name) is empty, and it is required."
        case .wrongType(let name, let expected):
            "The value of \(name) is no \(expected.rawValue)."
        case .notAChoice(let name, let choices):
            "The value of \(name) is none of \(Self.list(choices))."
        case .notAList(let name, let pointer):
            "The parameter \(name) at \(pointer) is no list: only one of type list repeats an element."
        case .noItems(let name): "The list \(name) has no item; at least one is needed."
        case .tooManyItems(let name):
            "The list \(name) has more than \(TemplateParameter.maximumItems) items."
        case .notAnItem(let name): "The item \(name) is no JSON object of values."
        case .unknownValue(let name): "The template has no parameter \(name)."
        case .tooLarge(let bytes, let limit):
            "Filled with these values the template has \(bytes) bytes; at most \(limit) are allowed."
        }
    }

    /// Some of the choices; a form has them all.
    static func list(_ choices: [String]) -> String {
        let shown = choices.prefix(10).map { $0.prefixOfScalars(60) }.joined(separator: ", ")
        return choices.count > 10 ? "\(shown) and \(choices.count - 10) more" : shown
    }
}

/// Why a template or its values were refused: every problem at once.
public struct TemplateError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Most problems of one template or its values, and about the most bytes of their pointers; more
    /// are not reported.
    private static let maximum = (problems: 100, pointerBytes: 64 * 1_024)

    /// Whether one more problem is reported beside these.
    static func hasRoom(beside problems: [TemplateProblem]) -> Bool {
        problems.count < maximum.problems
            && problems.reduce(0) { $0 + $1.pointerBytes } < maximum.pointerBytes
    }

    /// The problems, at least one.
    public let problems: [TemplateProblem]

    /// The problems' sentences; they name parameters, never values.
    public var description: String {
        "TemplateError: " + problems.map(\.sentence).joined(separator: " ")
    }
}
