package import DeskHTTP
package import DeskModel
package import DeskStore

/// The page that a request names.
package struct PageQuery {
    /// The position to go on after; nil for the first page.
    package let after: Position?
    /// How many elements.
    package let size: Int

    /// Reads `page[after]` and `page[size]`.
    package init(_ query: Query, limits: WebLimits) throws(Problem) {
        try self.init(query, usual: limits.pageSize, most: limits.pageSizeMost)
    }

    /// Reads them where pages have other sizes than elsewhere.
    package init(_ query: Query, usual: Int, most: Int) throws(Problem) {
        after = try query.number("page[after]", allowed: "what the last page's next said")
            .map { Position($0) }
        size = try query.pageSize(usual: usual, most: most)
    }
}

extension Query {
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
    /// - Throws: `invalid` for any other word.
    package func word<Word: RawRepresentable & CaseIterable>(
        _ name: String, _: Word.Type
    ) throws(Problem) -> Word? where Word.RawValue == String {
        guard let text = self[name] else { return nil }
        guard let word = Word.allCases.first(where: { $0.rawValue.utf8.elementsEqual(text.utf8) })
        else {
            throw Problem(
                parameter: name, in: self,
                allowed: Word.allCases.map(\.rawValue).joined(separator: ", "))
        }
        return word
    }

    /// A whole number that an earlier answer had; nil when it is absent.
    ///
    /// - Throws: `invalid` for anything else.
    package func number(_ name: String, allowed: String) throws(Problem) -> Int64? {
        guard let text = self[name] else { return nil }
        guard let number = DecimalText.number(text) else {
            throw Problem(parameter: name, in: self, allowed: allowed)
        }
        return Int64(number)
    }

    /// The part of a thread that `before` or `after` names; the newest messages without either.
    ///
    /// - Throws: `invalid` for what is no sequence number, and for both together.
    package func threadRange() throws(Problem) -> ThreadRange {
        let allowed = "the sequence number of a message"
        let before = try number("before", allowed: allowed).map { SequenceNumber($0) }
        let after = try number("after", allowed: allowed).map { SequenceNumber($0) }
        switch (before, after) {
        case (nil, nil): return .newest
        case (let before?, nil): return .before(before)
        case (nil, let after?): return .after(after)
        case (.some, .some):
            throw Problem(
                parameter: "after", in: self, allowed: "before or after, not both",
                fix: "Take one of them out.")
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
