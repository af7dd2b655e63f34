import DeskBytes
import DeskJSON

/// The values for one message of a template, and how they are written.
struct TemplateFilling {
    /// An item of a list.
    private struct Item: Hashable {
        let list: ByteString
        let place: Int
    }

    /// What is written alike in every place.
    private struct Writing: Hashable {
        let name: ByteString
        let form: Gap.Form
        let item: Item?
    }

    private let payload: [UInt8]
    private let values: [ByteString: JSONValue]
    /// For each list the values of its items, by the names that placeholders have for them.
    private let items: [ByteString: [[ByteString: JSONValue]]]
    private let locale: [UInt8]?
    private var written: [Writing: ArraySlice<UInt8>] = [:]

    /// - Parameter values: by name; those of lists hold no more items than are allowed.
    init(
        _ payload: [UInt8], _ values: [ByteString: JSONValue], _ parameters: [TemplateParameter]
    ) {
        self.payload = payload
        self.values = values
        locale = values[ByteString("customer.locale")]?.stringBytes
        var items: [ByteString: [[ByteString: JSONValue]]] = [:]
        for parameter in parameters where parameter.kind == .list {
            let name = ByteString(parameter.name)
            guard let value = values[name], value.count <= TemplateParameter.maximumItems else {
                continue
            }
            items[name] = value.elements.enumerated().map { parameter.values(of: $1, at: $0) }
        }
        self.items = items
    }

    /// How many places are written: placeholders, and elements of a list for each of its items.
    func countPlaces(_ parts: [TemplatePart]) -> Int {
        parts.reduce(0) { sum, part in
            switch part {
            case .gap: sum + 1
            case .array(_, let elements):
                elements.reduce(sum) { sum, element in
                    let places = countPlaces(element.parts)
                    guard let list = element.list else { return sum + places }
                    return sum + (items[ByteString(list)]?.count ?? 0) * (1 + places)
                }
            }
        }
    }

    /// Problems of values that are right by themselves but do not fit where they are put.
    ///
    /// - Parameter known: problems of values; what they name is not judged again.
    func misfits(_ gaps: [Gap], besides known: [TemplateProblem]) -> [TemplateProblem] {
        var problems: [TemplateProblem] = []
        func note(_ problem: TemplateProblem?) {
            guard let problem, !problems.contains(problem),
                !known.contains(where: { $0.name == problem.name })
            else { return }
            problems.append(problem)
        }
        for gap in gaps {
            guard TemplateError.hasRoom(beside: problems) else { break }
            guard let list = gap.list, let member = gap.member else {
                note(values[ByteString(gap.name)].flatMap { gap.problem(with: $0) })
                continue
            }
            for (place, item) in (items[ByteString(list)] ?? []).enumerated() {
                guard TemplateError.hasRoom(beside: problems) else { break }
                note(
                    item[ByteString(gap.name)].flatMap {
                        gap.problem(with: $0, at: "\(list)/\(place)/\(member)")
                    })
            }
        }
        return problems
    }

    /// How many bytes the payload has when it is written.
    mutating func size(_ parts: [TemplatePart]) -> Int { size(payload.indices, parts, nil) }

    private mutating func size(
        _ range: Range<Int>, _ parts: [TemplatePart], _ item: Item?
    ) -> Int {
        var count = range.count
        for part in parts {
            count -= part.range.count
            switch part {
            case .gap(let gap): count += text(gap, item).count
            case .array(_, let elements):
                let sizes = times(elements, item).map { size($0.range, $0.parts, $1) }
                count += sizes.reduce(2 + max(0, sizes.count - 1), +)
            }
        }
        return count
    }

    /// Adds the payload as it is filled.
    mutating func write(_ parts: [TemplatePart], to whole: inout [UInt8]) {
        write(payload.indices, parts, nil, to: &whole)
    }

    private mutating func write(
        _ range: Range<Int>, _ parts: [TemplatePart], _ item: Item?, to whole: inout [UInt8]
    ) {
        var copied = range.lowerBound
        for part in parts {
            whole.append(contentsOf: payload[copied..<part.range.lowerBound])
            copied = part.range.upperBound
            switch part {
            case .gap(let gap): whole.append(contentsOf: text(gap, item))
            case .array(_, let elements):
                whole.append(UInt8(ascii: "["))
                for (place, one) in times(elements, item).enumerated() {
                    if place > 0 { whole.append(UInt8(ascii: ",")) }
                    write(one.0.range, one.0.parts, one.1, to: &whole)
                }
                whole.append(UInt8(ascii: "]"))
            }
        }
        whole.append(contentsOf: payload[copied..<range.upperBound])
    }

    /// The elements of an array as often as they are written, each with the item that it is for.
    private func times(
        _ elements: [TemplateElement], _ item: Item?
    ) -> [(TemplateElement, Item?)] {
        elements.flatMap { element -> [(TemplateElement, Item?)] in
            guard let list = element.list.map({ ByteString($0) }) else { return [(element, item)] }
            return (items[list] ?? []).indices.map { (element, Item(list: list, place: $0)) }
        }
    }

    private mutating func text(_ gap: Gap, _ item: Item?) -> ArraySlice<UInt8> {
        let ownItem = gap.member == nil ? nil : item
        let writing = Writing(name: ByteString(gap.name), form: gap.form, item: ownItem)
        if let known = written[writing] { return known }
        let value =
            ownItem.map { items[$0.list]?[$0.place][writing.name] } ?? values[writing.name]
        let text = gap.written(value, locale: locale)
        written[writing] = text
        return text
    }
}

extension TemplateParameter {
    /// The values of one item of a list, by the names that placeholders have for them.
    fileprivate func values(of item: JSONValue, at place: Int) -> [ByteString: JSONValue] {
        var values: [ByteString: JSONValue] = [:]
        for member in members {
            let given = item[member.name].flatMap { $0.isNull ? nil : $0 }
            values[ByteString("\(name).\(member.name)")] =
                given ?? member.defaultText.flatMap { JSONValue.parsed($0) }
        }
        let number = JSON.integer(place + 1).bytes()
        values[ByteString("\(name).\(Self.position)")] = JSONValue.parsed(number)
        return values
    }
}
