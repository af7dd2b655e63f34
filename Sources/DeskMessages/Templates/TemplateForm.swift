import DeskBytes
import DeskJSON

/// A message with gaps, and the values that fill them.
///
/// `{{name}}` inside a text is replaced by the value, escaped; a text that is nothing but
/// `{{name|number}}` becomes a number; `{{name|utc}}` writes a moment in UTC, as slots need it;
/// `{{name|date}}` writes a day as the customer's language does. An element `{"{{list}}": element}` of an
/// array is written once for each item of the list, with `{{list.member}}` and `{{list.position}}` of that
/// item. Other keys are never touched.
public struct TemplateForm: Sendable {
    /// Names that may occur without being declared, because the sender fills them in.
    public static let providedNames = [
        "customer.name", "customer.locale", "business.name", "agent.name",
    ]

    /// Names among them whose values the server does not have for every customer.
    public static let uncertainNames = ["customer.name", "customer.locale"]

    /// Most placeholders of a template.
    public static let maximumGaps = 10_000

    /// The declared parameters in their order.
    public let parameters: [TemplateParameter]
    /// The names that occur in the payload, each once, in the order of the text.
    public let placeholders: [String]

    let payload: [UInt8]
    /// All placeholders, those of repeated elements too, in the order of the text.
    let gaps: [Gap]
    /// What is written anew.
    let parts: [TemplatePart]
    /// The objects that repeat an element for the items of a list.
    let repeated: [JSONValue]

    /// Reads a template.
    ///
    /// - Parameters:
    ///   - payload: the message with gaps, a JSON object.
    ///   - parameters: a JSON array of parameters; no bytes for none.
    /// - Throws: every problem of the template at once.
    public init(payload: [UInt8], parameters: [UInt8]) throws(TemplateError) {
        guard let root = JSONValue.parsed(payload), root.kind == .object else {
            throw TemplateError(problems: [.badPayload])
        }
        var problems: [TemplateProblem] = []
        self.payload = payload
        self.parameters = Self.read(parameters, &problems)
        var reader = TemplatePartReader(self.parameters)
        self.parts = reader.parts(of: root)
        self.gaps = reader.gaps
        self.repeated = reader.repeated
        problems += reader.problems
        if gaps.count > Self.maximumGaps { problems.append(.tooManyPlaceholders) }
        self.placeholders = Self.names(gaps, self.parameters, &problems)
        guard problems.isEmpty else { throw TemplateError(problems: problems) }
    }

    /// The names of the placeholders, each once; notes those that name nothing.
    private static func names(
        _ gaps: [Gap], _ parameters: [TemplateParameter], _ problems: inout [TemplateProblem]
    ) -> [String] {
        var seen: Set<ByteString> = []
        var known = Set(providedNames.map { ByteString($0) })
        var ofItems: [ByteString: String] = [:]
        var lists: Set<ByteString> = []
        for parameter in parameters {
            guard parameter.kind == .list else {
                known.insert(ByteString(parameter.name))
                continue
            }
            lists.insert(ByteString(parameter.name))
            for member in parameter.members.map(\.name) + [TemplateParameter.position] {
                ofItems[ByteString("\(parameter.name).\(member)")] = parameter.name
            }
        }
        var names: [String] = []
        for gap in gaps {
            let name = ByteString(gap.name)
            let isNew = seen.insert(name).inserted
            if isNew { names.append(gap.name) }
            guard TemplateError.hasRoom(beside: problems) else { continue }
            if lists.contains(name) || ofItems[name] != nil && gap.member == nil {
                problems.append(
                    .misplacedList(name: ofItems[name] ?? gap.name, pointer: gap.pointer))
            } else if isNew, !known.contains(name), ofItems[name] == nil {
                problems.append(.unknownPlaceholder(name: gap.name, pointer: gap.pointer))
            }
        }
        return names
    }

    /// Refuses a template that says a name which some customers do not have, and not what to say then.
    ///
    /// A declared parameter settles it: by its default, or by asking for a value.
    /// - Throws: each such name at its first place.
    public func requireFallbacks() throws(TemplateError) {
        let problems = Self.uncertainNames.compactMap { name -> TemplateProblem? in
            guard !parameters.contains(where: { $0.name.equalsBytes(name) }),
                let gap = gaps.first(where: { $0.name.equalsBytes(name) })
            else { return nil }
            return .missingFallback(name: name, pointer: gap.pointer)
        }
        guard problems.isEmpty else { throw TemplateError(problems: problems) }
    }

    private static func read(
        _ bytes: [UInt8], _ problems: inout [TemplateProblem]
    ) -> [TemplateParameter] {
        guard !bytes.isEmpty else { return [] }
        guard let list = JSONValue.parsed(bytes), list.kind == .array, list.count <= 100 else {
            problems.append(.badParameters(pointer: ""))
            return []
        }
        var parameters: [TemplateParameter] = []
        for (index, value) in list.elements.enumerated() {
            guard let parameter = TemplateParameter(value) else {
                problems.append(.badParameters(pointer: "/\(index)"))
                continue
            }
            if parameters.contains(where: { Self.collide($0, parameter) }) {
                problems.append(.parameterTwice(name: parameter.name))
            }
            if !parameter.defaultProblems.isEmpty {
                problems.append(.badDefault(name: parameter.name))
            }
            parameters.append(parameter)
        }
        return parameters
    }

    /// Whether two parameters have one name, or one is called what the items of the other have.
    private static func collide(_ one: TemplateParameter, _ other: TemplateParameter) -> Bool {
        one.name.equalsBytes(other.name)
            || one.kind == .list && other.name.utf8.starts(with: "\(one.name).".utf8)
            || other.kind == .list && one.name.utf8.starts(with: "\(other.name).".utf8)
    }
}
