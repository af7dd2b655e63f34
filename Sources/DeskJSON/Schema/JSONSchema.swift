/// A compiled schema: judges any number of values, from any thread.
public struct JSONSchema: Sendable {
    /// Whether the value is valid; stops at the first fault.
    public func isValid(_ value: JSONValue) -> Bool { false }

    /// Every fault, in the order of the instance's text; empty exactly when the value is valid.
    public func findings(_ value: JSONValue) -> [SchemaFinding] { [] }
}
