public import DeskModel
public import DeskStore

extension EventLog {
    /// Appends groups whose answers are not needed, and returns the refusal of each that has one.
    public func append(_ groups: [[Write]]) async throws(StoreError) -> [Refusal?] {
        let whole = groups.compactMap { steps in
            steps.last.map { WriteGroup($0, after: Array(steps.dropLast())) }
        }
        precondition(whole.count == groups.count, "a group has no step")
        return try await append(whole).map { result in
            switch result {
            case .success: nil
            case .failure(let refusal): refusal
            }
        }
    }
}
