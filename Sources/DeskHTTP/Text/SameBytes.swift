extension String {
    /// Whether both are the same bytes; `==` calls canonically equivalent texts equal.
    func hasSameBytes(as other: String) -> Bool {
        // Most names differ in length, and that costs nothing to see.
        guard utf8.count == other.utf8.count else { return false }
        var left = self
        var right = other
        return left.withUTF8 { left in right.withUTF8 { unsafe left.elementsEqual($0) } }
    }
}
