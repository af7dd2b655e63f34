/// Hands a value that one thread made to another that alone uses it from then on.
package final class Handover<Value>: @unchecked Sendable {
    // Sendable: the value is put in before the thread starts and removed once, by that thread.
    private var value: Value?

    /// Puts it in.
    package init(_ value: Value) { self.value = value }

    /// Removes it; once.
    package func take() -> Value {
        guard let handed = value else { preconditionFailure("a handover was read twice") }
        value = nil
        return handed
    }
}
