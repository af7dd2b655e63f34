import DeskCommandLine
import DeskLog
import DeskModel
import DeskStore

extension AdminCommands {
    /// Has nothing of a business wait for a second person any more.
    func switchApprovalsOff(_ parsed: Parsed) async throws(StoreError) -> Result {
        guard parsed.arguments.count == 1, let word = parsed.arguments.first else {
            return .failed("name one business, by name or id")
        }
        let business: Business
        switch Self.find(word, in: try await store.businesses()) {
        case .failure(let failed): return failed.result
        case .success(let found): business = found
        }
        guard let rules = try await store.approvalRules(of: business.id), !rules.areas.isEmpty
        else { return .failed("nothing of \(business.name) needs an approval") }
        let none = ApprovalRules(of: business.id, areas: [], changedAt: time.now())
        let outcome = try await store.saveApprovalRules(none, over: rules, author: .command)
        guard outcome == .saved else {
            return .failed("the approvals of \(business.name) are being changed; try again")
        }
        log?.info(
            "approval_rules_saved", ["business": .text(business.id.text), "by": .text("command")])
        return .done("Nothing of \(business.name) needs a second person's approval any more.")
    }
}
