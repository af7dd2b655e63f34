public import DeskHTTP

/// Every route with its row of demands; each area of the API adds its own.
public struct Routes<Services: WebServices>: Sendable {
    /// Answers an authorized request.
    public typealias Action = @Sendable (RoutedRequest<Services>) async throws(Problem) -> Response

    /// One route.
    public struct Row: Sendable {
        /// The method.
        public let method: Method
        /// The path with its captures in braces.
        public let pattern: String
        /// Its name in the OpenAPI file.
        public let operation: String
        /// What it lets its caller do.
        public let permission: Permission
        /// Where a request names the business.
        public let business: BusinessSource
        /// Whether the pipeline reads the log's head, before it reads a conversation.
        public let needsHead: Bool
        /// Which parameters it knows.
        public let query: QueryRule
        /// Largest body in bytes.
        public let bodyLimit: Int
        /// Which bucket it draws from.
        public let rate: RateClass
        /// What an `Idempotency-Key` does.
        public let repeating: Repeating
        /// Whether it is served while the disk is full, as reads and deletions are: it stores nothing, or
        /// next to nothing.
        public let goesOnWhenFull: Bool
        /// From which pages browsers may send it.
        public let origins: RouteOrigins
        /// In which form it is refused.
        public let refusals: RefusalForm
        /// The handler.
        public let action: Action
    }

    /// All routes, in the order added.
    public private(set) var rows: [Row] = []

    /// Makes an empty table.
    public init() {}

    /// Adds a route; the defaults suit one that reads and has no parameters.
    public mutating func add(
        _ method: Method, _ pattern: String, operation: String, permission: Permission,
        business: BusinessSource = .none, needsHead: Bool = false, query: QueryRule = .known([]),
        bodyLimit: Int = 0, rate: RateClass = .free, repeating: Repeating = .harmless,
        goesOnWhenFull: Bool = false, origins: RouteOrigins = .own,
        refusals: RefusalForm = .problem, action: @escaping Action
    ) {
        rows.append(
            Row(
                method: method, pattern: pattern, operation: operation, permission: permission,
                business: business, needsHead: needsHead, query: query, bodyLimit: bodyLimit,
                rate: rate, repeating: repeating, goesOnWhenFull: goesOnWhenFull, origins: origins,
                refusals: refusals, action: action))
    }
}
