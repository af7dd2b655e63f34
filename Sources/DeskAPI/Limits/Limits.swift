public import DeskHTTP
public import DeskModel

/// Every limit and deadline of the server in one place: what may be set, and what may not.
///
/// The typed tables stay with the code that obeys them; this value puts them together, and a page, a
/// command and a test read it.
public struct Limits: Sendable {
    /// Limits of a kind under one heading of docs/limits.md.
    public struct Section: Sendable {
        /// The heading.
        public let title: String
        /// The limits, in the order of the documentation.
        public let rows: [LimitRow]
    }

    /// Of connections and requests.
    public var server = ServerLimits()
    /// Of the API.
    public var api = APILimits()

    /// Of the store, which says them itself; none of them can be set.
    public let store: [LimitRow]

    /// The defaults.
    public init(store: [LimitRow] = []) { self.store = store }

    /// All of them, with the values that hold now.
    public var sections: [Section] {
        [
            Section(title: "Connections and requests", rows: connectionRows(settable: true)),
            Section(title: "The API", rows: apiRows(settable: true)),
            Section(
                title: "Fixed",
                rows: connectionRows(settable: false) + apiRows(settable: false) + Self.fixed
                    + store),
        ]
    }

    private func connectionRows(settable isSettable: Bool) -> [LimitRow] {
        ServerLimits.entries.filter { $0.isSettable == isSettable }.map { entry in
            LimitRow(
                entry.name, server.text(of: entry.name) ?? "", bounds: entry.bounds,
                beyond: entry.beyond)
        }
    }

    private func apiRows(settable isSettable: Bool) -> [LimitRow] {
        APILimits.entries.filter { $0.isSettable == isSettable }.map { entry in
            LimitRow(
                entry.name, "\(api[keyPath: entry.place])", bounds: entry.bounds,
                beyond: entry.beyond)
        }
    }
}
