import DeskEventJSON
import DeskJSON
import DeskModel
import DeskStore
import Synchronization
import TestSupport
import Testing

/// The event catalogue, Schemas/events/, as a check of events.
///
/// Objects may grow members for clients; here one that is not described is a failure.
package final class EventCatalogue: Sendable {
    package static let shared = EventCatalogue()

    private static let base = "https://frontdesk.test/schemas/v1/events/"
    /// The types that have an entry, without the signals.
    package let types: Set<String>
    private let schemas: [String: JSONSchema]

    private init() {
        var library = SchemaLibrary()
        let names = TestFiles.names("Schemas/events").filter { $0.hasSuffix(".json") }
            .compactMap { $0.split(separator: "/").last.map { String($0.dropLast(5)) } }
        do {
            for name in names {
                let text = TestFiles.text("Schemas/events/\(name).json") ?? ""
                let document = try JSONDocument(parsing: Array(text.utf8), limits: .unlimited)
                try library.register(
                    OpenAPICheck.closed(JSON(document.root)).bytes(),
                    at: Self.base + name + ".json")
            }
            let parts: Set = ["envelope", "resources"]
            schemas = try names.filter { !parts.contains($0) }.reduce(into: [:]) {
                $0[$1] = try library.compile(Self.base + $1 + ".json")
            }
        } catch {
            preconditionFailure("Schemas/events: \(error)")
        }
        types = Set(names.filter { $0.contains(".") })
    }

    /// What is wrong with an event or a signal by the catalogue; nothing where all is described.
    package func faults(_ text: [UInt8], forCustomer: Bool = false) -> [String] {
        guard let root = try? JSONDocument(parsing: text, limits: .unlimited).root,
            let type = root["type"]?.string
        else { return ["an event is no JSON with a type"] }
        guard let schema = schemas[forCustomer && types.contains(type) ? "customer" : type] else {
            return ["\(type) is not in the catalogue: Schemas/events/\(type).json is missing"]
        }
        return schema.findings(root).map {
            "\(type) at \($0.pointer): \($0.found), \($0.allowed)"
        }
    }
}

/// Holds every event of a server against the catalogue, as both sides would be given it.
final class EventCheck: Sendable {
    private let checked = Mutex(Position.start)

    /// Notes a failure for each event since the last call that is not as the catalogue describes it.
    func check(_ store: any Store, location: SourceLocation) async {
        // Names of its own: what the server has loaded decides what other answers show.
        let names = AuthorNames(store: store)
        while true {
            let after = checked.withLock { $0 }
            // Safe: a test that has its store fail sees that in the answer.
            guard let page = try? await store.events(after: after, in: .everything, limit: 300)
            else { return }
            for event in page.events {
                // Safe: a name that cannot be loaded is null.
                try? await names.load(event)
                var faults: [String] = []
                // What a later program wrote is passed on as it is.
                if case .other = event.type { continue }
                faults += EventCatalogue.shared.faults(EventText.business(event, names))
                if event.type.isForCustomer {
                    faults += EventCatalogue.shared.faults(
                        EventText.customer(event), forCustomer: true)
                }
                for fault in faults { Issue.record("\(fault)", sourceLocation: location) }
            }
            checked.withLock { $0 = max($0, page.end) }
            guard page.events.count == 300 else { return }
        }
    }
}
