package import DeskHTTP
package import DeskJSON
import DeskStore

/// A page of a list that is read whole, because it is bounded: its elements, and what leads to the others.
///
/// A place is the name of an element, so that a page goes on where the last one ended even when elements were
/// added or put in another order meanwhile.
package struct ListPage<Element: Sendable>: Sendable {
    /// The elements of the page, in the order of the list.
    package let elements: [Element]
    private let edge: PageEdge<Int>
    private let hasMore: Bool
    private let first: String?
    private let last: String?

    /// The page that a query names; the whole list where it names none.
    ///
    /// - Parameter name: what names an element, and no other element of the list.
    /// - Throws: `invalid` for a name that the list does not have, such as one that was removed meanwhile.
    package init(
        of list: [Element], _ query: Query, limits: WebLimits, name: (Element) -> String
    ) throws(Problem) {
        let size = try query.pageSize(usual: max(1, list.count), most: limits.pageSizeMost)
        let (before, after) = (query["page[before]"], query["page[after]"])
        // A foreign list may have a name twice; the search from this end never leads back.
        edge = try query.pageEdge(fix: Self.fix) { text in
            func isNamed(_ element: Element) -> Bool {
                name(element).utf8.elementsEqual(text.utf8)
            }
            return before == nil || after != nil
                ? list.lastIndex(where: isNamed) : list.firstIndex(where: isNamed)
        }
        let read: [Element] =
            switch edge {
            case .start: Array(list.prefix(size + 1))
            case .after(let place): Array(list[(place + 1)...].prefix(size + 1))
            case .before(let place): Array(list[..<place].suffix(size + 1).reversed())
            }
        let page = edge.page(read, limit: size)
        elements = page.elements
        hasMore = page.hasMore
        first = elements.first.map(name)
        last = elements.last.map(name)
    }

    private static var fix: String {
        "Begin again without it: what it names is not in the list, or is there no longer."
    }

    /// Writes `hasMore`, `next` and `previous`.
    fileprivate func write(to text: inout JSONWriter) {
        text.page(edge, hasMore: hasMore, first: first, last: last)
    }
}

extension JSONWriter {
    /// Writes the members of a list's answer: `data`, `hasMore`, `next` and `previous`.
    package mutating func list<Element>(
        _ page: ListPage<Element>, _ write: (inout JSONWriter, Element) -> Void
    ) {
        list(page, as: page.elements, write)
    }

    /// Writes them with what is shown of the page's elements, in the same order.
    package mutating func list<Element, Shown>(
        _ page: ListPage<Element>, as shown: [Shown], _ write: (inout JSONWriter, Shown) -> Void
    ) {
        member("data") { text in
            text.array { text in for one in shown { write(&text, one) } }
        }
        page.write(to: &self)
    }
}
