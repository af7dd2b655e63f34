import DeskHTTP
import DeskModel
import DeskWeb

extension PhoneRoutes {
    /// Adds the phone's WebSocket: its messages, and the typing of agents.
    func addLive(to table: inout RouteTable) {
        table.add(
            .get, "/api/phone/{business}/live", operation: "openPhoneLive",
            permission: .useOwnConversation, business: .session
        ) { context throws(Problem) in
            guard context.request.isWebSocketUpgrade else {
                throw Problem(.badRequest, "Open a WebSocket here.")
            }
            let phone = try context.requireCustomer()
            let end = CustomerSide(
                services: context.services, business: try await Self.requireBusiness(context),
                author: .customer(device: phone.device), origin: .phone)
            let conversation = try context.requireConversation()
            let feed = Feed.customer(phone, deletedUpTo: conversation.deletedUpTo)
            let socket = try LiveSocket(context: context, feed: feed) { frame in
                switch frame {
                case .typing(let conversation, let state):
                    guard conversation == nil || conversation == phone.conversation else {
                        return false
                    }
                    end.signalTyping(state, in: phone.conversation)
                    return true
                // Whether a customer looks is not published.
                case .presence, .availability: return true
                case .hello: return false
                }
            }
            return socket.response()
        }
    }
}
