import DeskBroker
import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
public import DeskWeb

extension RouteTable {
    /// Adds the roster of a business: who is there, and with how many conversations.
    public mutating func addPresence() {
        add(
            .get, "/api/businesses/{business}/presence", operation: "listPresence",
            permission: .readConversations, business: .path,
            query: .known(PageParameters.names)
        ) { context async throws(Problem) in
            let business = try context.requireBusinessID()
            let members = try await context.services.handlers(of: business)
            let counts = try await context.services.asking { store throws(StoreError) in
                try await store.countViews(of: [business])
            }
            let page = try context.page(of: members) { $0.id.text }
            let states = context.services.broker.availability(in: business)
            return .json(
                JSONWriter.object { text in
                    text.list(page) { text, member in
                        text.object { text in
                            text.member("agent") {
                                $0.object {
                                    $0.member("id", member.id.text)
                                    $0.member("name", member.name)
                                }
                            }
                            text.member("state", (states[member.id] ?? .offline).rawValue)
                            text.member("open", counts.assignees[member.id] ?? 0)
                        }
                    }
                })
        }
    }
}
