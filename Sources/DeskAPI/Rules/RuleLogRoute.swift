import DeskHTTP
import DeskJSON
import DeskModel
import DeskStore
import DeskWeb

/// Answers what rules did, and why.
struct RuleLogRoute {
    /// Entries of a page, and at most.
    private static let pageSize = 50

    private let context: RequestContext
    private var services: Services { context.services }

    init(_ context: RequestContext) { self.context = context }

    func list() async throws(Problem) -> Response {
        let business = try context.requireBusinessID()
        let query = context.request.query
        let size = try query.pageSize(usual: Self.pageSize, most: Self.pageSize)
        let edge = try query.pageEdge { DecimalText.number($0).map(Int64.init) }
        let rule = try query["filter[rule]"].map { text throws(Problem) in
            guard let id = TeamRuleID(text) else {
                throw Problem(parameter: "filter[rule]", in: query, allowed: "the id of a rule")
            }
            return id
        }
        let page = try await services.asking { store throws(StoreError) in
            try await store.ruleActs(of: business, by: rule, at: edge, limit: size)
        }
        let found = page.elements
        var conversations: [ConversationID: Conversation] = [:]
        for id in Set(found.map(\.act.conversation)) {
            do throws(Problem) {
                conversations[id] = try await services.findConversation(id)
            } catch {
                // The entry is whole, and its conversation is named by its id alone.
                guard error.code == .damaged else { throw error }
            }
        }
        let epoch = services.store.epoch
        return .json(
            JSONWriter.object(capacity: 4_096) { text in
                text.member("data") { text in
                    text.array { text in
                        for one in found {
                            text.ruleAct(one, conversations[one.act.conversation], in: epoch)
                        }
                    }
                }
                text.page(
                    edge, hasMore: page.hasMore, first: found.first.map { String($0.number) },
                    last: found.last.map { String($0.number) })
            })
    }
}

extension JSONWriter {
    fileprivate mutating func ruleAct(
        _ one: NumberedRuleAct, _ conversation: Conversation?, in epoch: Epoch
    ) {
        let act = one.act
        object { text in
            text.member("number", Int(one.number))
            text.member("rule") {
                $0.object {
                    $0.member("id", act.name.rule.text)
                    $0.member("name", act.ruleName)
                }
            }
            text.member("when", act.trigger.rawValue)
            text.member("event", EventID(epoch: epoch, position: act.name.event).text)
            text.member("conversation") { $0.ruleConversation(act.conversation, conversation) }
            text.member("time", act.time)
            text.member("outcome", act.outcome.rawValue)
            text.member("reason", raw: act.data)
        }
    }
}
