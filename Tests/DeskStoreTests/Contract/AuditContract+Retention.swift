import DeskModel
import DeskSQL
import DeskStore
import StoreSupport

extension AuditContract {
    static let retention: [Case] = [
        Case(.contents(.setRetention(of: business(1)))) {
            _ = try await $0.setRetention(ofDays: 40, of: business(1), at: dawn, author: me)
        },
        Case(.contents(.advanceRetention(of: business(1))), .server) {
            let progress = Retention.Progress(position: Position(1), note: 1, through: dawn)
            try await $0.advanceRetention(
                Retention(
                    of: business(1), days: 40, changedAt: dawn, beginsAt: dawn,
                    progress: progress), under: try await $0.leaseOfTest())
        },
        Case(.contents(.removeRetention(of: business(1)))) {
            _ = try await $0.removeRetention(of: business(1), author: me)
        },
    ]
}
