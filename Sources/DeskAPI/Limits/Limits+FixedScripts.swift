import DeskModel
import DeskScript

extension Limits {
    /// What bounds scripts of customers, and those that are played in the sandbox in real time.
    static let scripts: [LimitRow] = [
        LimitRow(
            "CustomerScript.maximumBytes", "\(CustomerScript.maximumBytes)",
            bounds: "A script of customers, UTF-8", beyond: "413"),
        LimitRow(
            "CustomerScript.maximumSteps", "\(CustomerScript.maximumSteps)",
            bounds: "Steps of a script", beyond: "422"),
        LimitRow(
            "CustomerScript.maximumCustomers", "\(CustomerScript.maximumCustomers)",
            bounds: "Customers of a script", beyond: "422"),
        LimitRow(
            "ScriptLimits.atOnce", "\(ScriptLimits.atOnce)",
            bounds: "Scripts that run in the sandbox at once, over all nodes", beyond: "429"),
        LimitRow(
            "ScriptLimits.longestMinutes", "\(ScriptLimits.longestMinutes)",
            bounds: "Minutes for which a script runs there", beyond: "it is stopped"),
        LimitRow(
            "ScriptLimits.patienceMinutes", "\(ScriptLimits.patienceMinutes)",
            bounds: "Minutes for which a step waits there for the business, without `within`",
            beyond: "the script fails"),
        LimitRow(
            "ScriptLimits.kept", "\(ScriptLimits.kept)",
            bounds: "Ended runs that can still be read", beyond: "the oldest are forgotten"),
    ]
}
