import DeskHTTP
import DeskMessages
import DeskModel
import DeskWeb

/// What a query says a payload is to be judged by; the names are those of `frontdesk lint`.
struct ValidateQuery {
    let direction: Direction
    let profile: Profile
    /// The schema of what is no message; nil for a message.
    let document: String?
    /// Whether the recipient of the answers accepts them by reference.
    let references: ReferenceIntake
    /// What the device announces; nil uses what the conversation's customer does.
    let capabilities: CapabilityList?
    /// The moment of the check; nil uses the clock's.
    let now: Timestamp?
    /// The mode of the business; nil uses the business's own.
    let mode: Mode?

    /// Reads a query.
    ///
    /// - Throws: `invalid` for a word that is none of those there are.
    init(_ query: Query) throws(Problem) {
        direction = try query.word("direction", Direction.self) ?? .outbound
        profile =
            try query.word("profile", Profile.self) ?? (direction == .inbound ? .lenient : .strict)
        document = query["kind"].flatMap { $0 == "message" ? nil : $0 }
        references = try query.word("references", ReferenceIntake.self) ?? .taken
        mode = try query.word("mode", Mode.self)
        capabilities = try query["capabilities"].map { text throws(Problem) in
            try Self.capabilities(text, query)
        }
        now = try query["now"].map { text throws(Problem) in
            guard let now = Timestamp(text) else {
                throw Problem(
                    parameter: "now", in: query, allowed: "a moment such as 2026-06-01T00:00:00Z")
            }
            return now
        }
    }

    /// The profile of a send, which is strict unless the query says otherwise.
    static func profile(_ query: Query) throws(Problem) -> Profile {
        try query.word("profile", Profile.self) ?? .strict
    }

    private static func capabilities(
        _ text: String, _ query: Query
    ) throws(Problem) -> CapabilityList {
        let known = Capability.allCases.map(\.rawValue)
        for word in text.split(separator: ",") {
            let trimmed = word.filter { $0 != " " }.uppercased()
            guard known.contains(trimmed) else {
                throw Problem(
                    parameter: "capabilities", in: query,
                    allowed: "words of \(known.joined(separator: ", ")), with commas between")
            }
        }
        return CapabilityList(header: text)
    }
}
