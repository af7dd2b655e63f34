import DeskHTTP

/// The page that a request asks for.
struct PageQuery {
    /// The cursor to go on after; nil for the first page.
    let after: String?
    /// How many elements.
    let size: Int

    /// Reads `page[after]` and `page[size]`.
    init(_ query: Query, limits: APILimits) throws(Problem) {
        try self.init(query, usual: limits.pageSize, most: limits.pageSizeMost)
    }

    /// Reads them where pages have other sizes than elsewhere.
    init(_ query: Query, usual: Int, most: Int) throws(Problem) {
        after = query["page[after]"]
        guard let text = query["page[size]"] else {
            size = usual
            return
        }
        guard let size = DecimalText.number(text), (1...most).contains(size) else {
            throw Problem(.invalid, "page[size] is a number from 1 to \(most).")
        }
        self.size = size
    }
}

/// Whole numbers in queries: digits only, no sign, no leading zero.
enum DecimalText {
    /// The number; nil for anything else and beyond 15 digits.
    static func number(_ text: String) -> Int? {
        let digits = text.utf8
        guard (1...15).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }),
            digits.count == 1 || digits.first != 0x30
        else { return nil }
        return Int(text)
    }
}
