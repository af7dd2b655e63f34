import DeskBroker
import DeskCommandLine
import DeskDelivery
import DeskModel
import DeskStore
import DeskTeam

extension AdminCommands {
    /// Lists the readers of the log: how far each is, and why it could not go on last.
    func listReaders() async throws(StoreError) -> Result {
        let newest = store.newest
        var rows: [String] = []
        for reader in KnownReader.allCases {
            let cursor = try await store.findCursor(of: reader.name)
            let place =
                switch cursor {
                case nil: "not begun"
                case let cursor? where cursor.epoch != store.epoch: "of another life of the log"
                case let cursor?:
                    "at \(cursor.position.value) of \(newest.value), "
                        + "\(max(0, newest.value - cursor.position.value)) behind"
                }
            let failure = readerFailures().first { $0.reader == reader.name }
            rows.append(
                "\(reader.name.text)  \(place)  "
                    + (reader.mayReplay ? "may be replayed" : "acts, so it is never replayed")
                    + "  "
                    + (failure.map { "failed \($0.time.text): \($0.reason)" } ?? "no failure"))
        }
        return .done(rows.joined(separator: "\n"))
    }

    /// Has a reader begin with the oldest event again.
    func replayReader(_ parsed: Parsed) async throws(StoreError) -> Result {
        let names = KnownReader.allCases.map(\.name.text).joined(separator: ", ")
        guard parsed.arguments.count == 1,
            let reader = KnownReader.allCases.first(where: {
                $0.name.text.utf8.elementsEqual(parsed.arguments[0].utf8)
            })
        else { return .failed("name one reader: \(names)") }
        guard reader.mayReplay else {
            return .failed(
                "\(reader.name.text) acts on what happens, and would act on all of it again")
        }
        try await store.forgetCursor(of: reader.name, author: .command)
        return .done(
            publicURL == nil
                ? "The reader \(reader.name.text) begins with the oldest event at the next start."
                : "The reader \(reader.name.text) begins with the oldest event within "
                    + "\(ReaderRunner.patienceSeconds) seconds.")
    }

    /// Lists the rules of all businesses, or of one.
    func listRules(_ parsed: Parsed) async throws(StoreError) -> Result {
        var businesses = try await store.businesses()
        if let word = parsed["business"] {
            switch Self.find(word, in: businesses) {
            case .failure(let failed): return failed.result
            case .success(let found): businesses = [found]
            }
        }
        var rows: [String] = []
        for business in businesses {
            for rule in try await store.rules(of: business.id) {
                rows.append(
                    "\(rule.id.text)  \(rule.isOn ? "acts" : "stopped")  "
                        + "\(rule.trigger.rawValue)  \(rule.name)  (\(business.name))")
            }
        }
        return .done(rows.isEmpty ? "There are no rules." : rows.joined(separator: "\n"))
    }

    /// Stops a rule, or has it act again.
    func switchRule(_ parsed: Parsed, isOn: Bool) async throws(StoreError) -> Result {
        guard parsed.arguments.count == 1, let id = TeamRuleID(parsed.arguments[0]) else {
            return .failed("name one rule by its id; frontdesk rule list shows them")
        }
        for business in try await store.businesses() {
            let found = try await store.rules(of: business.id).first { $0.id == id }
            guard var rule = found else { continue }
            guard rule.isOn != isOn else {
                return .done("The rule \"\(rule.name)\" \(isOn ? "acts" : "is stopped") already.")
            }
            rule.isOn = isOn
            let changed = rule
            if let refused = try await brokering({ broker throws(BrokerError) in
                try await broker.save(changed, isNew: false, by: .command)
            }) {
                return refused
            }
            broker.signal(.saved(.rule, in: business.id, by: .command))
            return .done(
                "The rule \"\(rule.name)\" of \(business.name) \(isOn ? "acts" : "is stopped") from now on."
            )
        }
        return .failed("no rule has the id \(id.text)")
    }

    /// Asks the broker; what it refused as an answer, and nil where it did as it was asked.
    func brokering<Value>(
        _ ask: (Broker) async throws(BrokerError) -> Value
    ) async throws(StoreError) -> Result? {
        do throws(BrokerError) {
            _ = try await ask(broker)
            return nil
        } catch {
            switch error {
            case .refused(let refusal): return .failed("it was refused: \(refusal.code)")
            case .store(let failure): throw failure
            }
        }
    }
}

/// The readers of the log that keep a cursor in the store.
private enum KnownReader: CaseIterable {
    case reports
    case rules
    case webhooks

    var name: ReaderName {
        switch self {
        case .reports: ReportReader.name
        case .rules: RuleReader.name
        case .webhooks: WebhookReader.name
        }
    }

    /// Whether it counts, and so may begin again.
    var mayReplay: Bool { self == .reports }
}
