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
                PushContract.subscription(1).id, in: conversation(1), author: device)
        },
        Case(
            .contents(.savePush(in: conversation(1))), device,
            and: [.contents(.removePush(in: conversation(1)))]
        ) {
            try await $0.save(PushContract.subscription(1), author: device)
            try await $0.removePushSubscriptions(in: conversation(1), author: device)
        },
        Case(.contents(.prunePush), .server) {
            try await $0.prunePushSubscriptions(at: dawn)
        },
    ]
}
