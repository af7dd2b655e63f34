import DeskModel

/// How many requests each business has under way, so that none of them keeps the others out.
struct FairShare {
    private let most: Int
    private let mostOfBusiness: Int
    private var counts: [BusinessID: Int] = [:]
    private var total = 0

    /// As many requests at once, and of these as many of one business.
    init(of most: Int, perBusiness mostOfBusiness: Int) {
        self.most = most
        self.mostOfBusiness = mostOfBusiness
    }

    /// Whether a request may begin; it counts until it ends.
    ///
    /// A business that has some already gets one more only while more are free than it has: the last ones are for
    /// those that have none.
    mutating func begin(for business: BusinessID) -> Bool {
        let own = counts[business] ?? 0
        guard own < min(mostOfBusiness, most - total) else { return false }
        counts[business] = own + 1
        total += 1
        return true
    }

    /// A request ended.
    mutating func end(for business: BusinessID) {
        guard let own = counts[business] else {
            preconditionFailure("no request of \(business) is under way")
        }
        counts[business] = own > 1 ? own - 1 : nil
        total -= 1
    }
}
