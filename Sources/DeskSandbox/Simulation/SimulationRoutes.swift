public import DeskAPI
import DeskEventJSON
import DeskHTTP
import DeskJSON
import DeskModel
import DeskScript
import DeskStore
public import DeskWeb

/// What a test of a provider asks of an ephemeral gateway: customers, a clock, and what came.
public struct SimulationRoutes: Sendable {
    /// The longest that one request waits for a message, in real time.
    public static let longestPatience = Duration.seconds(60)
    private static let patience = Duration.seconds(10)
    private static let names = [
        "kind", "text", "contains", "matches", "pointer", "equals", "customer", "conversation",
        "after", "timeout",
    ]

    private let simulation: Simulation?

    /// The routes of a simulation; nil in a server that has none.
    public init(_ simulation: Simulation?) { self.simulation = simulation }

    /// Adds the routes.
    public func add(to table: inout RouteTable) {
        table.add(
            .post, "/sandbox/scripts", operation: "runScript", permission: .useSandbox,
            business: .sandbox,
            query: .known(["seed"]),
            bodyLimit: CustomerScript.maximumBytes + 1, repeating: .refused
        ) { context throws(Problem) in try await runScript(context) }
        table.add(
            .get, "/sandbox/expect", operation: "expectMessage", permission: .useSandbox,
            business: .sandbox,
            query: .known(Self.names)
        ) {
            context throws(Problem) in try await expect(context)
        }
        table.add(
            .get, "/sandbox/clock", operation: "getClock", permission: .useSandbox,
            business: .sandbox
        ) {
            context throws(Problem) in try await clock(try requireSimulation())
        }
        table.add(
            .post, "/sandbox/clock/advance", operation: "advanceClock", permission: .useSandbox,
            business: .sandbox,
            bodyLimit: 1_024, repeating: .refused
        ) { context throws(Problem) in try await advance(context) }
    }

    private func requireSimulation() throws(Problem) -> Simulation {
        guard let simulation else {
            throw Problem(
                .notFound,
                "Only an ephemeral gateway has scripts, a clock and expectations: "
                    + "frontdesk gateway --ephemeral")
        }
        return simulation
    }

    // MARK: Scripts

    private func runScript(_ context: RequestContext) async throws(Problem) -> Response {
        let simulation = try requireSimulation()
        let script = try CustomerScript(
            try await context.bytes(), context.request.query)
        return .json(try await simulation.run(script).json)
    }

    // MARK: Expectations

    private func expect(_ context: RequestContext) async throws(Problem) -> Response {
        let simulation = try requireSimulation()
        let query = context.request.query
        let expectation = try Self.expectation(query)
        let patience = try Self.patience(query)
        let after = try Self.position(query)
        let scope = try scope(query, simulation)
        let outcome = try await simulation.surroundings.expect(
            expectation, in: scope, after: after, patience: patience)
        switch outcome {
        case .success(let message):
            return .json(
                JSONWriter.object(capacity: 2_048) { text in
                    text.member("found", true)
                    text.member("position", Int(message.position.value))
                    text.member("message") { $0.message(message, context.services.authorNames) }
                })
        case .failure(let unmet): return .json(unmet.json, status: .conflict)
        }
    }

    private static func expectation(_ query: Query) throws(Problem) -> ExpectedMessage {
        var expectation = ExpectedMessage(
            text: query["text"], contained: query["contains"], pattern: query["matches"])
        // As in a script, where the word is for any of them.
        if let word = query["kind"], word != "message" {
            guard let kind = MessageKind(rawValue: word) else {
                let kinds = MessageKind.allCases.map(\.rawValue).joined(separator: ", ")
                throw Problem(parameter: "kind", in: query, allowed: "message, \(kinds)")
            }
            expectation.kind = kind
        }
        if let pattern = expectation.pattern, !ExpectedMessage.isPattern(pattern) {
            throw Problem(
                parameter: "matches", in: query,
                allowed: "a pattern of ECMA-262 of at most 400 bytes, without look-around")
        }
        if let text = query["pointer"] {
            guard let pointer = JSONPointer(parsing: text) else {
                throw Problem(
                    parameter: "pointer", in: query,
                    allowed: "a JSON pointer such as /interactiveData/data/version")
            }
            expectation.place = ExpectedMessage.Place(
                pointer: pointer, value: query["equals"].map(Self.value))
        } else if query["equals"] != nil {
            throw Problem(
                parameter: "equals", in: query,
                allowed: "equals with the parameter pointer beside it: where the value is to be")
        }
        return expectation
    }

    /// A value as JSON; what is none is a text.
    private static func value(_ text: String) -> [UInt8] {
        let bytes = Array(text.utf8)
        // Safe: what is no JSON is read as plain text.
        if (try? JSONDocument(parsing: bytes)) != nil { return bytes }
        return JSON.string(text).bytes()
    }

    private static func patience(_ query: Query) throws(Problem) -> Duration {
        guard let text = query["timeout"] else { return patience }
        guard let span = TimeSpan.read(text), span <= longestPatience else {
            throw Problem(
                parameter: "timeout", in: query,
                allowed: "up to \(TimeSpan.text(longestPatience)): \(TimeSpan.rule)")
        }
        return span
    }

    private static func position(_ query: Query) throws(Problem) -> Position {
        try query.number("after", allowed: "a position that an earlier answer had")
            .map { Position($0) } ?? .start
    }

    private func scope(
        _ query: Query, _ simulation: Simulation
    ) throws(Problem) -> EventScope {
        if let text = query["conversation"] {
            guard let id = ConversationID(text) else {
                throw Problem(
                    parameter: "conversation", in: query, allowed: "the UUID of a conversation")
            }
            return .conversation(id)
        }
        guard let name = query["customer"] else {
            return .businesses([simulation.surroundings.business.id])
        }
        let found = simulation.conversations(ofName: name)
        guard let one = found.first, found.count == 1 else {
            throw Problem(
                .invalid,
                found.isEmpty
                    ? "No script with a customer \(Quoted.text(name)) has run here yet."
                    : "Several seeds have a \(Quoted.text(name)): name the conversation instead.")
        }
        return .conversation(one)
    }

    // MARK: The clock

    private func clock(_ simulation: Simulation) async throws(Problem) -> Response {
        let deliveries = try await simulation.surroundings.deliveries()
        return .json(
            JSONWriter.object { text in
                text.member("now", simulation.clock.now)
                text.member("deliveries") { $0.waiting(deliveries) }
            })
    }

    private func advance(_ context: RequestContext) async throws(Problem) -> Response {
        let simulation = try requireSimulation()
        var fields = try Fields(try await context.jsonBytes())
        let text = fields.requireText("by", bytes: 1...32)
        let span = text.flatMap { TimeSpan.read($0) }
        if text != nil, span == nil {
            fields.note("by", TimeSpan.rule, "Write for example {\"by\": \"5 minutes\"}.")
        }
        try fields.finish()
        _ = try await simulation.surroundings.pass(span ?? .zero)
        return try await clock(simulation)
    }
}

extension Unmet {
    /// The answer's body.
    var json: [UInt8] {
        JSONWriter.object(capacity: 2_048) { text in
            text.member("found", false)
            text.member("detail", sentence)
            text.member("nearMisses") { text in
                text.array { text in
                    for miss in misses {
                        text.object { text in
                            text.member("id", miss.message.id.text)
                            text.member("conversation", miss.message.conversation.value)
                            text.member("position", Int(miss.message.position.value))
                            text.member("kind", miss.message.facts.kind.rawValue)
                            text.member("summary", miss.message.facts.summary)
                            text.member("reasons") { text in
                                text.array { text in
                                    for reason in miss.reasons { text.string(reason) }
                                }
                            }
                        }
                    }
                }
            }
            text.member("refused") { text in
                text.array { text in for refusal in refusals { text.string(refusal) } }
            }
            text.member("deliveries") { $0.waiting(deliveries) }
        }
    }
}

extension JSONWriter {
    /// Writes the events that a provider has not received yet.
    fileprivate mutating func waiting(_ deliveries: WaitingDeliveries) {
        object {
            $0.member("waiting", deliveries.waiting)
            $0.member("dead", deliveries.dead)
            $0.member("next", deliveries.next)
            $0.member("detail", deliveries.detail)
        }
    }
}

extension Problem {
    /// The refusal of a script that cannot be read.
    init(_ error: ScriptError) {
        self.init(.invalid, error.faults.map(\.description).joined(separator: " / "))
        if let first = error.faults.first { place = (first.line, first.column) }
    }
}
