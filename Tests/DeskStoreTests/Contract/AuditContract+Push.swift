import DeskModel
import DeskSQL
import DeskStore

extension AuditContract {
    static let push: [Case] = [
        Case(.contents(.savePush(in: conversation(1))), device) {
            try await $0.save(PushContract.subscription(1), author: device)
        },
        Case(.contents(.removePush(in: conversation(1))), device) {
            _ = try await $0.removePushSubscription(
                PushContract.subscription(1).id, of: PushContract.subscription(1).owner,
                author: device)
        },
        Case(
            .contents(.savePush(in: conversation(1))), device,
            and: [.contents(.removePush(in: conversation(1)))]
        ) {
            try await $0.save(PushContract.subscription(1), author: device)
            try await $0.removePushSubscriptions(in: conversation(1), author: device)
        },
        Case(.contents(.saveAgentPush(of: agent(1))), .agent(agent(1))) {
            try await $0.save(AgentPushContract.subscription(1), author: .agent(agent(1)))
        },
        Case(.contents(.removeAgentPush(of: agent(1))), .agent(agent(1))) {
            _ = try await $0.removePushSubscription(
                AgentPushContract.subscription(1).id, of: AgentPushContract.subscription(1).owner,
                author: .agent(agent(1)))
        },
        Case(
            .contents(.saveAgentPush(of: agent(1))), .agent(agent(1)),
            and: [.contents(.removeAgentPush(of: agent(1)))]
        ) {
            try await $0.save(AgentPushContract.subscription(1), author: .agent(agent(1)))
            try await $0.removeAgentPushSubscriptions(
                of: agent(1), on: AgentPushContract.device(1), author: .agent(agent(1)))
        },
        Case(.contents(.prunePush), .server) {
            try await $0.prunePushSubscriptions(at: dawn)
        },
    ]
}
