import DeskHTTP
import DeskJSON
import DeskMessages
import DeskModel
import DeskWeb

/// The routes of the phone page while a payment sheet or the sign-in page is open.
extension PhoneRoutes {
    func addDevice(to table: inout RouteTable, limits: APILimits) {
        table.add(
            .post, "/api/phone/{business}/payments/{message}", operation: "updatePhonePayment",
            permission: .useOwnConversation, business: .session,
            bodyLimit: limits.customerBodyBytes, rate: .settings
        ) { context throws(Problem) in try await Self.updatePayment(context) }
        table.add(
            .get, "/api/phone/{business}/sign-ins/{message}", operation: "getPhoneSignIn",
            permission: .useOwnConversation, business: .session
        ) { context throws(Problem) in try await Self.describeSignIn(context) }
    }

    private static func updatePayment(_ context: RequestContext) async throws(Problem) -> Response {
        let bytes = try await context.jsonBytes()
        do { _ = try JSONDocument(parsing: bytes) } catch { throw Problem(error) }
        let update: PaymentCall
        do throws(ReplyError) {
            update = try PaymentCall(update: bytes)
        } catch {
            throw Problem(error)
        }
        let (end, conversation, message) = try await requireAsked(context)
        let result = try await end.ask(update, about: message, in: conversation)
        let body = JSONWriter.object { text in
            switch result {
            case .notAsked:
                text.member("update", raw: Array("{}".utf8))
                text.member("problem") { $0.null() }
            case .answered(let document):
                text.member("update", raw: Array(document.root.rawBytes))
                text.member("problem") { $0.null() }
            case .failed(let fault):
                text.member("update", raw: Array("{}".utf8))
                text.member("problem") { text in
                    text.object {
                        $0.member("code", fault.code.rawValue)
                        $0.member("detail", fault.sentence)
                    }
                }
            }
        }
        return .json(body)
    }

    private static func describeSignIn(_ context: RequestContext) async throws(Problem) -> Response
    {
        let (end, conversation, message) = try await requireAsked(context)
        let (request, problems, isOver) = try await end.examineSignIn(message, in: conversation)
        let body = JSONWriter.object { text in
            text.member("business") { $0.phoneBusiness(end.business) }
            text.member("version", request.version.rawValue)
            text.member("clientId", end.business.id.text)
            text.member("responseType", request.responseType)
            text.member("scope") { text in
                text.array { text in for word in request.scope { text.string(word) } }
            }
            text.member("state", request.state)
            text.member("redirectUri", request.redirectURI)
            text.member("over", isOver)
            text.member("problems") { text in
                text.array { text in for problem in problems { text.string(problem.rawValue) } }
            }
        }
        return .json(body)
    }

    private static func requireAsked(
        _ context: RequestContext
    ) async throws(Problem) -> (CustomerSide, Conversation, MessageID) {
        let phone = try context.requireCustomer()
        let conversation = try context.requireConversation()
        guard let message = context.request.parameters["message"].flatMap({ MessageID($0) })
        else { throw .notFound }
        let end = CustomerSide(
            services: context.services, business: try await requireBusiness(context),
            author: .customer(device: phone.device), origin: .phone)
        return (end, conversation, message)
    }
}
