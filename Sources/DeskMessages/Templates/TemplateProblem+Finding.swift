extension TemplateProblem {
    /// What a report states as found, in few words; holds names, no values.
    public var found: String {
        switch self {
        case .missing(let name): "no \(name)"
        case .empty: "an empty text"
        case .wrongType, .notAChoice, .badDefault: "another value"
        case .unknownValue: "an unknown value"
        case .noItems: "no item"
        case .tooManyItems: "more than \(TemplateParameter.maximumItems) items"
        case .notAnItem, .badValues, .badPayload: "no object"
        case .badParameters, .parameterTwice, .badPlaceholder, .tooManyPlaceholders,
            .misplacedList, .notAList, .unknownPlaceholder, .missingFallback, .tooLarge:
            name ?? "the template"
        }
    }

    /// What a report states as allowed.
    public var allowed: String {
        switch self {
        case .missing(let name): "the value \(name)"
        case .empty: "a text of at least one character"
        case .wrongType(_, let expected): Self.form(of: expected)
        case .notAChoice(_, let choices): Self.list(choices)
        case .unknownValue: "the parameters of the template"
        case .noItems, .tooManyItems: "1 to \(TemplateParameter.maximumItems) items"
        case .notAnItem: "an object with a value for each member"
        case .badValues: "an object with a value for each parameter"
        case .badPayload, .badParameters, .parameterTwice, .badPlaceholder, .tooManyPlaceholders,
            .misplacedList, .notAList, .unknownPlaceholder, .missingFallback, .badDefault,
            .tooLarge:
            sentence
        }
    }

    /// What to do about it.
    public var fix: String {
        switch self {
        case .missing(let name): "Add \(name) to values."
        case .empty(let name): "Give \(name) a text, or declare it as not required."
        case .wrongType(let name, let expected): Self.fix(name, expected)
        case .notAChoice(let name, _): "Send one of these as \(name)."
        case .unknownValue(let name): "Take \(name) out, or declare it as a parameter."
        case .noItems(let name): "Send at least one item, or declare \(name) as not required."
        case .tooManyItems(let name): "Send fewer items as \(name)."
        case .notAnItem(let name): "Send \(name) as a JSON object."
        case .badValues: "Send values as a JSON object."
        case .badPayload, .badParameters, .parameterTwice, .badPlaceholder, .tooManyPlaceholders,
            .misplacedList, .notAList, .unknownPlaceholder, .missingFallback, .badDefault,
            .tooLarge:
            sentence
        }
    }

    private static func form(of kind: TemplateParameter.Kind) -> String {
        switch kind {
        case .text: "a text"
        case .number: "a number"
        case .date: "a day such as 2026-12-01, or a moment such as 2026-12-01T09:30+09:00"
        case .choice: "one of the choices"
        case .list: "an array of objects"
        }
    }

    private static func fix(_ name: String, _ kind: TemplateParameter.Kind) -> String {
        switch kind {
        case .text, .choice: "Send \(name) as a JSON string."
        case .number: "Send \(name) as a JSON number."
        case .date: "Send \(name) in one of these forms."
        case .list: "Send \(name) as a JSON array."
        }
    }
}
