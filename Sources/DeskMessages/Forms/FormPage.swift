import DeskJSON

/// One page of a form: a question, and what may be answered.
public struct FormPage: Sendable {
    /// What a page asks for.
    public enum Kind: String, Sendable, CaseIterable {
        /// Items to choose from, one or several.
        case select
        /// A wheel with one item in front.
        case picker
        /// A date.
        case datePicker
        /// A text.
        case input
    }

    let node: JSONValue

    /// Its name within the form.
    public var identifier: String { node["pageIdentifier"]?.string ?? "" }

    /// What it asks for; nil for a kind that is none of the protocol's.
    public var kind: Kind? { node["type"]?.string.flatMap { Kind(rawValue: $0) } }

    /// The question.
    public var question: String { node["subtitle"]?.string ?? node["title"]?.string ?? "" }

    /// Whether an answer may stay empty.
    public var mayStayEmpty: Bool {
        switch kind {
        case .input: options?["required"]?.bool != true
        case .select: !isSingle
        case .picker, .datePicker, nil: false
        }
    }

    /// What an answer names the items by, and their titles, in their order.
    ///
    /// That is an item's identifier; one without is named by its place, counted from 0.
    public var choices: [(identifier: String, title: String)] {
        namedItems.map { ($0.name, $0.item["title"]?.string ?? "") }
    }

    /// How the page writes its dates, such as `MM/dd/yyyy`.
    public var dateFormat: String {
        let stated = options?["dateFormat"]?.string ?? ""
        return stated.isEmpty ? "MM/dd/yyyy" : stated
    }

    /// The date the page shows first, or one that it offers.
    public var firstDate: String {
        let stated = ["startDate", "minimumDate", "maximumDate"].lazy.compactMap { name in
            options?[name]?.string.flatMap { $0.isEmpty ? nil : $0 }
        }
        return stated.first ?? DateForm(dateFormat)?.text((2026, 1, 1)) ?? "2026-01-01"
    }

    var options: JSONValue? { node["options"] }

    /// The items; `pageItems` is the name that one provider's wrapper gives them.
    var items: [JSONValue] { (node[stated: "items"] ?? node[stated: "pageItems"])?.list ?? [] }

    typealias NamedItem = (name: String, item: JSONValue)

    /// The items with what an answer names them by.
    var namedItems: [NamedItem] {
        items.enumerated().map { place, item in
            let identifier = item["identifier"]?.string ?? ""
            return (identifier.isEmpty ? String(place) : identifier, item)
        }
    }

    /// Whether an answer names an item; an empty identifier may be repeated as it is, too.
    static func isNamed(_ item: NamedItem, by name: [UInt8]) -> Bool {
        item.name.utf8.elementsEqual(name)
            || name.isEmpty && item.item["identifier"]?.isEmptyText == true
    }

    /// Whether one item is chosen and no more.
    var isSingle: Bool {
        kind == .picker || kind == .select && node["multipleSelection"]?.bool != true
    }

    func findItem(_ identifier: String) -> JSONValue? {
        namedItems.first { Self.isNamed($0, by: Array(identifier.utf8)) }?.item
    }
}
