import DeskAPI
import DeskBroker
import DeskJSON
import DeskModel
import DeskScript
import DeskStore
import DeskWeb

/// A message of the business's that was looked at and is not the one.
struct NearMiss: Hashable, Sendable {
    let message: StoredMessage
    let reasons: [String]

    /// The same as a line.
    var sentence: String {
        "\(message.facts.kind.rawValue) \(Quoted.text(message.facts.summary)): "
            + reasons.joined(separator: "; ")
    }
}

extension ScriptSurroundings {
    /// Most near misses that are reported, the newest.
    static let maximumNearMisses = 10

    /// Waits until the business has sent what is expected; at the time-out the near misses.
    ///
    /// Limit: `patience`, in real time.
    func expect(
        _ expectation: ExpectedMessage, in scope: EventScope, after position: Position,
        patience: Duration
    ) async throws(Problem) -> Result<StoredMessage, Unmet> {
        let found = try await wait(for: patience, in: scope) { () async throws(Problem) in
            try await self.sent(in: scope, after: position).first { message in
                expectation.reasons(against: Self.candidate(message)).isEmpty
            }
        }
        if let found { return .success(found) }
        let misses = try await sent(in: scope, after: position).compactMap { message in
            let reasons = expectation.reasons(against: Self.candidate(message))
            // What fits now came too late; the next request finds it.
            return reasons.isEmpty ? nil : NearMiss(message: message, reasons: reasons)
        }
        return .failure(
            Unmet(
                patience: patience, misses: misses.suffix(Self.maximumNearMisses),
                missCount: misses.count, deliveries: try await deliveries(),
                refusals: try await refusals(in: scope),
                isTried: time.isTried))
    }

    /// Looks, and again after every change, until something is found or the time has passed.
    func wait<Found: Sendable>(
        for patience: Duration, in scope: EventScope,
        until find: @escaping @Sendable () async throws(Problem) -> Found?
    ) async throws(Problem) -> Found? {
        let first: Result<Found?, Problem>? = await withTaskGroup(
            of: Result<Found?, Problem>.self
        ) { group in
            group.addTask { await self.look(in: scope, until: find) }
            group.addTask {
                // Safe: a sleep cut short is the end of the wait, however it came.
                try? await self.services.time.sleep(patience)
                return .success(nil)
            }
            let first = await group.next()
            group.cancelAll()
            return first
        }
        return try first?.get() ?? nil
    }

    private func look<Found: Sendable>(
        in scope: EventScope, until find: @Sendable () async throws(Problem) -> Found?
    ) async -> Result<Found?, Problem> {
        do throws(Problem) {
            while !Task.isCancelled {
                // It follows before the first look, so that nothing falls between the two.
                let reader = services.broker.events(after: nil, in: scope)
                defer { reader.leave() }
                var isLive = true
                while isLive {
                    if let found = try await find() { return .success(found) }
                    isLive = await Self.goesOn(reader)
                }
            }
            return .success(nil)
        } catch {
            return .failure(error)
        }
    }

    /// Waits for the next event; false when the reader was cut off.
    private static func goesOn(_ reader: EventReader) async -> Bool {
        do throws(StoreError) {
            while true {
                switch try await reader.next() {
                case .event: return true
                case .signal, .live, .reset: continue
                case .cutOff, nil: return false
                }
            }
        } catch {
            return false
        }
    }

    /// What the business has sent after a position, in order, with payloads.
    func sent(
        in scope: EventScope, after position: Position
    ) async throws(Problem) -> [StoredMessage] {
        try await services.asking { store throws(StoreError) in
            var messages: [StoredMessage] = []
            var cursor = position
            while true {
                let page = try await store.events(after: cursor, in: scope, limit: 300)
                for event in page.events {
                    guard case .message(let message) = event.body,
                        message.facts.direction == .outbound
                    else { continue }
                    let isWhole = message.payload.carriedBytes != nil
                    let whole =
                        isWhole
                        ? message
                        : try await store.findMessage(message.id, in: message.conversation)
                    messages.append(whole ?? message)
                }
                guard page.end > cursor, page.end < store.newest else { return messages }
                cursor = page.end
            }
        }
    }

    static func candidate(_ message: StoredMessage) -> ExpectedMessage.Candidate {
        let root = message.payload.carriedBytes.flatMap { bytes in
            // Safe: what is no JSON has no values to be compared.
            try? JSONDocument(parsing: bytes).root
        }
        let body = message.facts.kind == .text ? root?["body"]?.string : nil
        return ExpectedMessage.Candidate(
            kind: message.facts.kind, text: body ?? message.facts.summary,
            readable: ReadableText.text(of: message), payload: root)
    }
}

/// An expectation that nothing met in time.
struct Unmet: Error, Sendable {
    let patience: Duration
    let misses: [NearMiss]
    let missCount: Int
    let deliveries: WaitingDeliveries
    /// What did not come, where it is more than one message that was described; it needs no list of
    /// what came instead.
    var wanted: String?
    /// How the provider's newest refused posts were answered.
    let refusals: [String]
    /// How the next attempt of a delivery is described.
    let isTried: @Sendable (Timestamp) -> String

    /// Everything in one sentence after the other.
    var sentence: String {
        let time = TimeSpan.text(patience)
        var parts = [
            wanted.map { "Within \(time) the business sent \($0)." }
                ?? "Nothing like it came within \(time)."
        ]
        if wanted == nil, misses.isEmpty { parts.append("The business sent nothing else.") }
        if !misses.isEmpty {
            parts.append(
                "\(missCount) other\(missCount == 1 ? "" : "s") came: "
                    + misses.map(\.sentence).joined(separator: " / ") + ".")
        }
        if !refusals.isEmpty {
            parts.append("The gateway refused: " + refusals.joined(separator: " / ") + ".")
        }
        if let waiting = deliveries.sentence(isTried) { parts.append(waiting + ".") }
        return parts.joined(separator: " ")
    }
}
