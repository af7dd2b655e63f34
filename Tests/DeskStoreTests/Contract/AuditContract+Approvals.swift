import DeskModel
import DeskSQL
import DeskStore
import StoreSupport

extension AuditContract {
    /// What needs a second person; ids that no other case uses.
    static let approvals: [Case] = [
        Case(.people(.saveApprovalRules(of: business(5)))) {
            let rules = ApprovalRules(of: business(5), areas: [], changedAt: dawn)
            _ = try await $0.saveApprovalRules(rules, over: nil, author: me)
        },
        Case(
            .people(.saveAgent(agent(51))),
            and: [
                .people(.setRole(.owner, of: agent(51), in: business(5))),
                .people(.saveAgent(agent(52))),
                .people(.setRole(.owner, of: agent(52), in: business(5))),
                .people(.saveApprovalRules(of: business(5))),
                .people(
                    .moveApproval(
                        ApprovalContract.id(1), of: business(5), to: .waiting,
                        operation: "exportTable")),
            ]
        ) {
            try await ApprovalContract.begin(5, owners: [51, 52], guarding: [.exports], in: $0)
            _ = try await $0.useApprovals([ApprovalContract.request(1, of: 5)], repeats: true)
        },
        Case(.people(.explainApproval(ApprovalContract.id(1), of: business(5)))) {
            _ = try await $0.explainApproval(
                ApprovalContract.id(1), of: business(5), reason: "r", author: me)
        },
        Case(
            .people(
                .moveApproval(
                    ApprovalContract.id(1), of: business(5), to: .approved,
                    operation: "exportTable")), .agent(agent(52))
        ) {
            _ = try await $0.decide(
                .approve, on: ApprovalContract.id(1), of: business(5), by: agent(52),
                comment: "", permitted: [.owner], at: dawn)
        },
        Case(.people(.pruneApprovals(before: dawn)), .server) {
            try await $0.pruneApprovals(before: dawn)
        },
    ]
}
