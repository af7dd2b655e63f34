import DeskBytes
import DeskJSON

/// A part of a template's payload that is written anew; the bytes between them stay as they are.
indirect enum TemplatePart: Sendable {
    /// A placeholder.
    case gap(Gap)
    /// An array in which an element is repeated for each item of a list.
    case array(range: Range<Int>, elements: [TemplateElement])

    /// The bytes that it stands for.
    var range: Range<Int> {
        switch self {
        case .gap(let gap): gap.range
        case .array(let range, _): range
        }
    }
}

/// An element of an array that has an element for each item of a list.
struct TemplateElement: Sendable {
    /// The list whose items it is repeated for; nil for one that stands once.
    let list: String?
    /// The bytes that are written each time.
    let range: Range<Int>
    /// What is written anew within them.
    let parts: [TemplatePart]
}

/// Reads the parts of a payload, in the order of its text.
///
/// Limit: behind `TemplateForm.maximumGaps` places, and more problems than are reported, nothing is looked
/// for.
struct TemplatePartReader {
    /// The template's parameters, each by its name: whether it is a list.
    let isList: [ByteString: Bool]
    private(set) var gaps: [Gap] = []
    private(set) var problems: [TemplateProblem] = []
    /// The objects `{"{{list}}": element}`.
    private(set) var repeated: [JSONValue] = []

    init(_ parameters: [TemplateParameter]) {
        isList = Dictionary(
            parameters.map { (ByteString($0.name), $0.kind == .list) },
            uniquingKeysWith: { one, _ in one })
    }

    mutating func parts(of value: JSONValue, in list: String? = nil) -> [TemplatePart] {
        guard gaps.count <= TemplateForm.maximumGaps, TemplateError.hasRoom(beside: problems)
        else { return [] }
        switch value.kind {
        case .object:
            var parts: [TemplatePart] = []
            for member in value.members { parts += self.parts(of: member.value, in: list) }
            return parts
        case .array: return elements(of: value, in: list)
        case .string:
            let known = gaps.count
            Gap.scan(value, &gaps, &problems)
            for place in known..<gaps.count { gaps[place].list = list }
            return gaps[known...].map { .gap($0) }
        case .number, .boolean, .null: return []
        }
    }

    private mutating func elements(of value: JSONValue, in list: String?) -> [TemplatePart] {
        var elements: [TemplateElement] = []
        var hasList = false
        for element in value.elements {
            guard let (name, body) = Self.repetition(element) else {
                elements.append(
                    TemplateElement(
                        list: nil, range: element.range, parts: parts(of: element, in: list)))
                continue
            }
            if let problem = problem(repeating: name, element, in: list) {
                problems.append(problem)
                continue
            }
            hasList = true
            repeated.append(element)
            elements.append(
                TemplateElement(list: name, range: body.range, parts: parts(of: body, in: name)))
        }
        guard hasList else { return elements.flatMap(\.parts) }
        return [.array(range: value.range, elements: elements)]
    }

    private func problem(
        repeating name: String, _ element: JSONValue, in list: String?
    ) -> TemplateProblem? {
        switch isList[ByteString(name)] {
        case nil: .unknownPlaceholder(name: name, pointer: element.path)
        case false: .notAList(name: name, pointer: element.path)
        case true: list == nil ? nil : .misplacedList(name: name, pointer: element.path)
        }
    }

    /// The list and the element of `{"{{list}}": element}`; nil for any other value.
    static func repetition(_ value: JSONValue) -> (list: String, element: JSONValue)? {
        guard value.kind == .object, value.count == 1,
            let member = value.members.first(where: { _ in true }),
            let list = Gap.repeatedList(member.keyBytes)
        else { return nil }
        return (list, member.value)
    }
}
