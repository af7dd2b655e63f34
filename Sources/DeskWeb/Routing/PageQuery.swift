package import DeskHTTP
package import DeskJSON
package import DeskModel
package import DeskStore

/// The names of the parameters with which every list is read in pages.
package enum PageParameters {
    /// All of them.
    package static let names = ["page[after]", "page[before]", "page[size]"]
    /// What those of threads were called before.
    package static let older = ["after": "page[after]", "before": "page[before]"]
}

/// The page that a request names, of a list whose places are positions.
package struct PageQuery {
    /// Where it lies.
    package let edge: PageEdge<Position>
    /// How many elements.
    package let size: Int

    /// Reads `page[after]`, `page[before]` and `page[size]`.
    package init(_ query: Query, limits: WebLimits) throws(Problem) {
        try self.init(query, usual: limits.pageSize, most: limits.pageSizeMost)
    }

    /// Reads them where pages have other sizes than elsewhere.
    package init(_ query: Query, usual: Int, most: Int) throws(Problem) {
        edge = try query.pageEdge { DecimalText.number($0).map { Position(Int64($0)) } }
        size = try query.pageSize(usual: usual, most: most)
    }
}

extension JSONWriter {
    /// Writes `hasMore`, `next` and `previous`: what asks for the pages behind this one and before it.
    ///
    /// - Parameters:
    ///   - hasMore: whether the list has more beyond the page, in the direction in which it was read.
    ///   - first: the place of the page's first element, nil for a page without elements.
    ///   - last: the place of its last element.
    package mutating func page<Place>(
        _ edge: PageEdge<Place>, hasMore: Bool, first: String?, last: String?
    ) {
        let isMoreBehind = edge.isBackward ? last != nil : hasMore
        let isMoreBefore = edge.isBackward ? hasMore : edge.place != nil
        member("hasMore", isMoreBehind)
        member("next", isMoreBehind ? last : nil)
        member("previous", isMoreBefore ? first : nil)
    }
}

extension JSONWriter {
    /// Writes `hasMore`, `next` and `previous` of a page of a thread, which begins with its newest messages.
    ///
    /// - Parameters:
    ///   - hasMore: whether the thread has more beyond the page, in the direction in which it was read; it is
    ///     written as it is, as pages of threads have always said.
    ///   - numbers: the numbers of the page's messages.
    package mutating func threadPage(
        _ range: ThreadRange, hasMore: Bool, numbers: [SequenceNumber]
    ) {
        let (isMoreBehind, isMoreBefore) =
            switch range {
            case .newest: (false, hasMore)
            case .before: (true, hasMore)
            case .after(let place): (hasMore, place > .start)
            }
        member("hasMore", hasMore)
        member("next", isMoreBehind ? numbers.max().map { String($0.value) } : nil)
        member("previous", isMoreBefore ? numbers.min().map { String($0.value) } : nil)
    }
}

extension Query {
    /// Where the page lies that `page[after]` or `page[before]` names.
    ///
    /// - Parameters:
    ///   - fix: what to do about a text that names no place; nil says to send one that does.
    ///   - read: the place that a text names; nil for none.
    /// - Throws: `invalid` for what is no place, and for both together.
    package func pageEdge<Place>(
        fix: String? = nil, _ read: (String) -> Place?
    ) throws(Problem) -> PageEdge<Place> {
        let after = try place("page[after]", "what the last page's next said", fix, read)
        let before = try place("page[before]", "what the last page's previous said", fix, read)
        switch (after, before) {
        case (nil, nil): return .start
        case (let after?, nil): return .after(after)
        case (nil, let before?): return .before(before)
        case (.some, .some): throw bothEdges
        }
    }

    private func place<Place>(
        _ name: String, _ allowed: String, _ fix: String?, _ read: (String) -> Place?
    ) throws(Problem) -> Place? {
        guard let text = self[name] else { return nil }
        guard let place = read(text) else {
            throw Problem(parameter: name, in: self, allowed: allowed, fix: fix)
        }
        return place
    }

    private var bothEdges: Problem {
        let (before, after) = (sentName(of: "page[before]"), sentName(of: "page[after]"))
        return Problem(
            parameter: "page[after]", in: self, allowed: "\(before) or \(after), not both",
            fix: "Take one of them out.")
    }

    /// How many elements a page has, of the usual sizes.
    package func pageSize(_ limits: WebLimits) throws(Problem) -> Int {
        try pageSize(usual: limits.pageSize, most: limits.pageSizeMost)
    }

    /// How many elements a page has.
    package func pageSize(
        _ name: String = "page[size]", usual: Int, most: Int
    ) throws(Problem) -> Int {
        guard let text = self[name] else { return usual }
        guard let size = DecimalText.number(text), (1...most).contains(size) else {
            throw Problem(parameter: name, in: self, allowed: "a number from 1 to \(most)")
        }
        return size
    }

    /// A word of a list; nil when it is absent.
    ///
    /// - Parameter isRequired: whether the request cannot do without it, which a refusal says.
    /// - Throws: `invalid` for any other word.
    package func word<Word: RawRepresentable & CaseIterable>(
        _ name: String, _: Word.Type, isRequired: Bool = false
    ) throws(Problem) -> Word? where Word.RawValue == String {
        guard let text = self[name] else { return nil }
        guard let word = Word.allCases.first(where: { $0.rawValue.utf8.elementsEqual(text.utf8) })
        else {
            throw Problem(
                parameter: name, in: self,
                allowed: Word.allCases.map(\.rawValue).joined(separator: ", "),
                isRequired: isRequired)
        }
        return word
    }

    /// A moment, or the beginning of a day in UTC; nil when it is absent.
    ///
    /// - Throws: `invalid` for anything else.
    package func moment(_ name: String) throws(Problem) -> Timestamp? {
        guard let text = self[name] else { return nil }
        if let time = Timestamp(text) ?? Timestamp("\(text)T00:00:00Z") { return time }
        throw Problem(
            parameter: name, in: self, allowed: "a day or a moment of RFC 3339",
            fix: "Write it as 2026-01-31 or 2026-01-31T09:00:00Z.")
    }

    /// A whole number that an earlier answer had; nil when it is absent.
    ///
    /// - Parameter isRequired: whether the request cannot do without it, which a refusal says.
    /// - Throws: `invalid` for anything else.
    package func number(
        _ name: String, allowed: String, isRequired: Bool = false
    ) throws(Problem) -> Int64? {
        guard let text = self[name] else { return nil }
        guard let number = DecimalText.number(text) else {
            throw Problem(
                parameter: name, in: self, allowed: allowed, isRequired: isRequired)
        }
        return Int64(number)
    }

    /// The part of a thread that `page[before]` or `page[after]` names; the newest messages without either.
    ///
    /// - Throws: `invalid` for what is no sequence number, and for both together.
    package func threadRange() throws(Problem) -> ThreadRange {
        let allowed = "the sequence number of a message"
        let before = try number("page[before]", allowed: allowed).map { SequenceNumber($0) }
        let after = try number("page[after]", allowed: allowed).map { SequenceNumber($0) }
        switch (before, after) {
        case (nil, nil): return .newest
        case (let before?, nil): return .before(before)
        case (nil, let after?): return .after(after)
        case (.some, .some): throw bothEdges
        }
    }
}

/// Whole numbers in queries: digits only, no sign, no leading zero.
package enum DecimalText {
    /// The number; nil for anything else and beyond 15 digits.
    package static func number(_ text: String) -> Int? {
        let digits = text.utf8
        guard (1...15).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }),
            digits.count == 1 || digits.first != 0x30
        else { return nil }
        return Int(text)
    }
}
