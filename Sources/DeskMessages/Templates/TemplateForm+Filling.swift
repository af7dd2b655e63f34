import DeskBytes
import DeskJSON

extension TemplateForm {
    /// The payload with its gaps filled.
    ///
    /// - Parameters:
    ///   - values: a JSON object of values by name, as the sender gave them.
    ///   - provided: what the server knows by itself; a value given wins over it.
    ///   - limitBytes: most bytes of the filled payload. A value is written once for every place that
    ///     names it, and an element once for each item of a list, so a few bytes could become any number:
    ///     the sum is known before anything is made.
    /// - Throws: every missing, wrong or unknown value at once, or `tooLarge`; then nothing was made.
    public func fill(
        values: [UInt8], provided: [String: String] = [:], limitBytes: Int
    ) throws(TemplateError) -> [UInt8] {
        guard let given = JSONValue.parsed(values), given.kind == .object else {
            throw TemplateError(problems: [.badValues])
        }
        let (found, problems) = collect(given, provided)
        var filling = TemplateFilling(payload, found, parameters)
        guard filling.countPlaces(parts) <= Self.maximumGaps else {
            throw TemplateError(problems: [.tooManyPlaceholders])
        }
        let all = problems + filling.misfits(gaps, besides: problems)
        guard all.isEmpty else { throw TemplateError(problems: all) }
        let count = filling.size(parts)
        guard count <= limitBytes else {
            throw TemplateError(problems: [.tooLarge(bytes: count, limit: limitBytes)])
        }
        var whole: [UInt8] = []
        whole.reserveCapacity(count)
        filling.write(parts, to: &whole)
        return whole
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
                problems += parameter.problems(with: value)
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
        return (found, problems)
    }
}
