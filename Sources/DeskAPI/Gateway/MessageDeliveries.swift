import DeskBroker
import DeskHTTP
import DeskJSON
import DeskLinks
import DeskModel
import DeskStore
import DeskWeb

extension RouteTable {
    /// Adds how far a conversation's messages came on their way to a provider or an upstream.
    mutating func addMessageDeliveries() {
        add(
            .get, "/api/conversations/{conversation}/deliveries",
            operation: "listMessageDeliveries", permission: .readConversations,
            business: .conversation,
            query: .known(PageParameters.names, older: PageParameters.older)
        ) { context async throws(Problem) in try await ThreadRoutes(context).listDeliveries() }
    }
}

extension ThreadRoutes {
    /// Answers for the same page of messages as `list`.
    func listDeliveries() async throws(Problem) -> Response {
        let conversation = try context.requireConversation()
        let size = try context.request.query.pageSize(services.limits.web)
        let range = try range()
        let links = GatewaySide.allCases.compactMap { side in
            services.links.find(side, of: conversation.business)
        }
        typealias Found = [(StoredMessage, GatewaySide, Delivery)]
        let (found, page) = try await services.asking {
            store throws(StoreError) -> (Found, Page<StoredMessage>?) in
            var found: Found = []
            guard !links.isEmpty else { return (found, nil) }
            let page = try await store.messages(in: conversation.id, range, limit: size)
            let messages = page.elements
            let byPosition = Dictionary(
                messages.map { ($0.position, $0) }, uniquingKeysWith: { first, _ in first })
            for link in links {
                let all = try await store.deliveries(
                    of: link.outbox, at: messages.map(\.position))
                for delivery in all {
                    guard let message = byPosition[delivery.position] else { continue }
                    found.append((message, link.side, delivery))
                }
            }
            return (found, page)
        }
        return .json(
            JSONWriter.object { text in
                text.member("data") { text in
                    text.array { text in
                        for (message, side, delivery) in found {
                            text.standing(message.id, side, delivery)
                        }
                    }
                }
                text.threadPage(
                    range, hasMore: page?.hasMore ?? false,
                    numbers: (page?.elements.map(\.sequence) ?? []) + (page?.damaged ?? []))
                text.member("isLinked", !links.isEmpty)
            })
    }
}

extension JSONWriter {
    /// Writes how far a message came towards one side.
    fileprivate mutating func standing(
        _ message: MessageID, _ side: GatewaySide, _ delivery: Delivery
    ) {
        object { text in
            text.member("message", message.text)
            text.member("side", side.rawValue)
            text.member("state", delivery.state.rawValue)
            text.member("attempts", delivery.attempts)
            text.member("due", delivery.state == .pending ? delivery.due : nil)
            text.member("status") { text in
                guard let status = delivery.last?.status else { return text.null() }
                text.number(status)
            }
            text.member("detail", delivery.last?.detail)
            text.member(
                "receipt",
                side == .whatsapp && delivery.state == .delivered && delivery.last?.status != nil
                    ? DeliveryReceipt(detail: delivery.last?.detail)?.rawValue : nil)
        }
    }
}
