import DeskBytes
import DeskJSON

/// A message with gaps, and the values that fill them.
///
/// `{{name}}` inside a text is replaced by the value, escaped; a text that is nothing but
/// `{{name|number}}` becomes a number; `{{name|utc}}` writes a moment in UTC, as slots need it;
/// `{{name|date}}` writes a day as the customer's language does.
/// Keys are never touched.
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

    private let payload: [UInt8]
    let gaps: [Gap]

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
        var gaps: [Gap] = []
        Gap.collect(in: root, &gaps, &problems)
        if gaps.count > Self.maximumGaps { problems.append(.tooManyPlaceholders) }
        self.gaps = gaps
        let declared = self.parameters.map { ByteString($0.name) }
        let known = Set(declared).union(Self.providedNames.map { ByteString($0) })
        var seen: Set<ByteString> = []
        var placeholders: [String] = []
        for gap in gaps {
            guard seen.insert(ByteString(gap.name)).inserted else { continue }
            placeholders.append(gap.name)
            if !known.contains(ByteString(gap.name)), TemplateError.hasRoom(beside: problems) {
                problems.append(.unknownPlaceholder(name: gap.name, pointer: gap.pointer))
            }
        }
        self.placeholders = placeholders
        guard problems.isEmpty else { throw TemplateError(problems: problems) }
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

    /// The payload with its gaps filled.
    ///
    /// - Parameters:
    ///   - values: a JSON object of values by name, as the sender gave them.
    ///   - provided: what the server knows by itself; a value given wins over it.
    ///   - limitBytes: most bytes of the filled payload. A value is written once for every place that
    ///     names it, so a few bytes could become any number: the sum is known before anything is made.
    /// - Throws: every missing, wrong or unknown value at once, or `tooLarge`; then nothing was made.
    public func fill(
        values: [UInt8], provided: [String: String] = [:], limitBytes: Int
    ) throws(TemplateError) -> [UInt8] {
        guard let given = JSONValue.parsed(values), given.kind == .object else {
            throw TemplateError(problems: [.badValues])
        }
        let (found, problems) = collect(given, provided)
        guard problems.isEmpty else { throw TemplateError(problems: problems) }
        var written: [Filling: ArraySlice<UInt8>] = [:]
        var count = payload.count
        let locale = found[ByteString("customer.locale")]?.stringBytes
        for gap in gaps {
            let filling = Filling(name: ByteString(gap.name), form: gap.form)
            let text = written[filling] ?? gap.written(found[filling.name], locale: locale)
            written[filling] = text
            count += text.count - gap.range.count
        }
        guard count <= limitBytes else {
            throw TemplateError(problems: [.tooLarge(bytes: count, limit: limitBytes)])
        }
        var whole: [UInt8] = []
        whole.reserveCapacity(count)
        var copied = 0
        for gap in gaps {
            whole.append(contentsOf: payload[copied..<gap.range.lowerBound])
            let filling = Filling(name: ByteString(gap.name), form: gap.form)
            whole.append(contentsOf: written[filling] ?? [])
            copied = gap.range.upperBound
        }
        whole.append(contentsOf: payload[copied...])
        return whole
    }

    /// What is written alike in every place.
    private struct Filling: Hashable {
        let name: ByteString
        let form: Gap.Form
    }

    private func collect(
        _ given: JSONValue, _ provided: [String: String]
    ) -> ([ByteString: JSONValue], [TemplateProblem]) {
        var problems: [TemplateProblem] = []
        var found: [ByteString: JSONValue] = [:]
        for (name, text) in provided {
            found[ByteString(name)] = JSONValue.parsed(JSON.string(text).bytes())
        }
        for parameter in parameters {
            let name = ByteString(parameter.name)
            if let value = given[parameter.name], !value.isNull {
                if let problem = parameter.problem(with: value) { problems.append(problem) }
                found[name] = value
            } else if found[name] == nil {
                if let standard = parameter.defaultText {
                    found[name] = JSONValue.parsed(standard)
                } else if parameter.isRequired {
                    problems.append(.missing(name: parameter.name))
                }
            }
        }
        let declared = Set(parameters.map { ByteString($0.name) })
        let free = Set(Self.providedNames.map { ByteString($0) }).subtracting(declared)
        for member in given.members where !declared.contains(ByteString(member.keyBytes)) {
            guard TemplateError.hasRoom(beside: problems) else { break }
            if free.contains(ByteString(member.keyBytes)), member.value.isString {
                found[ByteString(member.keyBytes)] = member.value
            } else {
                problems.append(.unknownValue(name: member.key))
            }
        }
        for name in placeholders where free.contains(ByteString(name)) {
            if found[ByteString(name)] == nil { problems.append(.missing(name: name)) }
        }
        return (found, problems + misfits(found, problems))
    }

    /// Problems of values that are right by themselves but do not fit where they are put.
    private func misfits(
        _ found: [ByteString: JSONValue], _ known: [TemplateProblem]
    ) -> [TemplateProblem] {
        var problems: [TemplateProblem] = []
        for gap in gaps where TemplateError.hasRoom(beside: problems) {
            guard let value = found[ByteString(gap.name)], let problem = gap.problem(with: value),
                !problems.contains(problem),
                !known.contains(where: { $0.name?.equalsBytes(gap.name) == true })
            else { continue }
            problems.append(problem)
        }
        return problems
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
            if parameters.contains(where: { $0.name.equalsBytes(parameter.name) }) {
                problems.append(.parameterTwice(name: parameter.name))
            }
            if let text = parameter.defaultText, let standard = JSONValue.parsed(text),
                parameter.problem(with: standard) != nil
            {
                problems.append(.badDefault(name: parameter.name))
            }
            parameters.append(parameter)
        }
        return parameters
    }
}
