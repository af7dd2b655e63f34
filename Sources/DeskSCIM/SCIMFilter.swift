import DeskBytes
package import DeskJSON

/// A condition on resources or on elements of an attribute, RFC 7644 section 3.4.2.2.
package struct SCIMFilter: Sendable {
    /// Longest text in bytes; a longer one is an invalid filter.
    package static let maximumBytes = 2_048
    /// Deepest nesting of parentheses, `not` and brackets; a deeper one is an invalid filter.
    package static let maximumNesting = 16
    /// Most comparisons, `pr` among them; one more is an invalid filter.
    package static let maximumComparisons = 64

    /// A part of a condition.
    indirect enum Term: Sendable {
        case compare(SCIMComparison)
        case present(SCIMName)
        case all([Term])
        case any([Term])
        case not(Term)
        /// An element of the attribute for which the condition holds.
        case within(SCIMName, Term)
    }

    let term: Term
    /// How many comparisons there are.
    let comparisons: Int

    /// Reads a condition.
    ///
    /// - Throws: `invalidFilter` with the place of what is wrong.
    package init(parsing text: String) throws(SCIMFault) {
        var parser = try SCIMFilterParser(Array(text.utf8))
        term = try parser.whole()
        comparisons = parser.comparisons
    }

    /// Reads the condition between the brackets of a value path of the attribute.
    init(parsing text: String, within attribute: String) throws(SCIMFault) {
        var parser = try SCIMFilterParser(Array(text.utf8), within: attribute)
        term = try parser.whole()
        comparisons = parser.comparisons
    }

    /// Whether the condition holds for a resource, or for an element of an attribute.
    ///
    /// Parts of the resource that are `raw` match nothing.
    package func matches(_ resource: JSON) -> Bool { Self.holds(term, for: resource) }

    /// The terms `attribute eq value` when there is nothing else and all of them must hold; otherwise nil.
    var equalities: [SCIMComparison]? { Self.equalities(of: term) }

    private static func equalities(of term: Term) -> [SCIMComparison]? {
        switch term {
        case .compare(let comparison) where comparison.comparison == .eq:
            return comparison.name.schema == nil && comparison.name.subAttribute == nil
                ? [comparison] : nil
        case .all(let terms):
            var found: [SCIMComparison] = []
            for term in terms {
                guard let more = equalities(of: term) else { return nil }
                found += more
            }
            return found
        case .compare, .present, .any, .not, .within: return nil
        }
    }

    private static func holds(_ term: Term, for resource: JSON) -> Bool {
        switch term {
        case .compare(let comparison):
            switch (comparison.literal, comparison.comparison) {
            case (.null, .eq): !present(comparison.name, in: resource)
            case (.null, .ne): present(comparison.name, in: resource)
            default: comparison.matches(values(of: comparison.name, in: resource))
            }
        case .present(let name): present(name, in: resource)
        case .all(let terms): terms.allSatisfy { holds($0, for: resource) }
        case .any(let terms): terms.contains { holds($0, for: resource) }
        case .not(let term): !holds(term, for: resource)
        case .within(let name, let term):
            elements(of: name, in: resource).contains { holds(term, for: element($0)) }
        }
    }

    /// A plain value of a multi-valued attribute is the `value` of an element that has nothing else.
    static func element(_ value: JSON) -> JSON {
        guard case .object = value else { return ["value": value] }
        return value
    }

    private static func elements(of name: SCIMName, in resource: JSON) -> [JSON] {
        var owner = resource
        if let schema = name.schema {
            guard let part = resource.attribute(schema) else { return [] }
            owner = part
        }
        guard let value = owner.attribute(name.attribute) else { return [] }
        guard let sub = name.subAttribute else { return value.list }
        return value.list.flatMap { $0.attribute(sub)?.list ?? [] }
    }

    /// What a comparison looks at: the `value` of an element that has several parts.
    private static func values(of name: SCIMName, in resource: JSON) -> [JSON] {
        elements(of: name, in: resource).compactMap { element in
            guard case .object = element else { return element.unlessNull }
            return element.attribute("value")
        }
    }

    private static func present(_ name: SCIMName, in resource: JSON) -> Bool {
        elements(of: name, in: resource).contains { !$0.isEmpty }
    }
}
