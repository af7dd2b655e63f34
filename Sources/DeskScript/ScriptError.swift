/// One error in a script, worded for its author.
public struct ScriptFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The line, counted from 1.
    public let line: Int
    /// The column, counted from 1 in Unicode scalars.
    public let column: Int
    /// What the script has there.
    public let found: String
    /// What is allowed there.
    public let allowed: String
    /// How to fix it.
    public let fix: String

    /// Puts a fault together.
    public init(line: Int, column: Int, found: String, allowed: String, fix: String) {
        self.line = line
        self.column = column
        self.found = found
        self.allowed = allowed
        self.fix = fix
    }

    /// The error as one line.
    public var description: String {
        "line \(line), column \(column): found \(found); allowed is \(allowed). \(fix)"
    }
}

/// All errors in a script, in the order of its lines.
public struct ScriptError: Error, Hashable, Sendable {
    /// Most errors that are reported.
    public static let maximumFaults = 20

    /// The faults; at least one.
    public let faults: [ScriptFault]

    /// Wraps the faults.
    public init(_ faults: [ScriptFault]) {
        precondition(!faults.isEmpty, "an error without a fault")
        self.faults = Array(faults.prefix(Self.maximumFaults))
    }
}
