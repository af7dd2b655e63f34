import DeskHTTP
import DeskModel
import DeskWeb

extension PhoneRoutes {
    /// Adds the phone's WebSocket: its messages, and the typing of agents.
    func addLive(to table: inout RouteTable) {
        table.add(
            .get, "/api/phone/{business}/live", operation: "openPhoneLive",
            permission: .useOwnConversation, business: .session
        ) { call throws(Problem) in
            guard call.request.isWebSocketUpgrade else {
                throw Problem(.badRequest, "Open a WebSocket here.")
            }
            let phone = try call.requireCustomer()
            let end = CustomerSide(
                services: call.services, business: try await Self.requireBusiness(call),
                author: .customer(device: phone.device), origin: .phone)
            let conversation = try call.requireConversation()
            let feed = Feed.customer(phone, deletedUpTo: conversation.deletedUpTo)
            let socket = try LiveSocket(call: call, feed: feed) { frame in
                switch frame {
                case .typing(let conversation, let state):
                    guard conversation == nil || conversation == phone.conversation else {
                        return false
                    }
                    end.signalTyping(state, in: phone.conversation)
                    return true
                // Whether a customer looks is not published.
                case .presence: return true
                case .hello: return false
                }
            }
            return socket.response()
        }
    }
}
