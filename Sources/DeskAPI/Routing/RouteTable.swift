public import DeskHTTP
public import DeskWeb

/// Every route with its row of demands; each area of the API adds its own.
public struct RouteTable: Sendable {
    /// Answers an authorized request.
    public typealias Action = @Sendable (RequestContext) async throws(Problem) -> Response

    /// Which bucket of requests a call draws from.
    public enum RateClass: Sendable {
        /// None: reading, or a signal that others bound.
        case free
        /// The principal's writes; on public routes the requests of the address.
        case write
        /// Changes of a customer's settings: a bucket of their own.
        case settings
        /// Payloads that are validated and not stored: a bucket of their own.
        case validation
        /// Searches: a bucket of their own.
        case search
        /// The handler draws itself, since it may need several at once.
        case own
    }

    /// What an `Idempotency-Key` does on a route.
    public enum Repeating: Sendable {
        /// Nothing: the route only reads, or a repeat is harmless by nature.
        case harmless
        /// The first answer is stored and sent again.
        case remembered
        /// The handler commits the key together with what it stores.
        case own
        /// The key is refused: the answer holds a secret, and secrets are not stored.
        case refused
    }

    /// How a route treats the parameters of a query.
    public enum QueryRule: Sendable, Equatable {
        /// Nothing is read, or a page reads it: unknown parameters are ignored.
        case ignored
        /// These names, each at most once; any other is refused with 400.
        case known([String])
    }

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
        action: @escaping Action
    ) {
        rows.append(
            Row(
                method: method, pattern: pattern, operation: operation, permission: permission,
                business: business, needsHead: needsHead, query: query, bodyLimit: bodyLimit,
                rate: rate, repeating: repeating, action: action))
    }
}
