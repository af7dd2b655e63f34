import DeskJSON
import DeskModel

/// Macros and rules as lines.
extension ArchiveLine {
    static func write(_ one: Macro, to line: inout JSONWriter) {
        line.put("business", one.business.text)
        line.put("id", one.id.text)
        if let owner = one.owner { line.put("owner", owner.text) }
        line.put("name", one.name)
        line.put("parameters", utf8: one.parameters)
        line.put("actions", utf8: one.actions)
        line.put("retired", one.isRetired)
    }

    static func write(_ one: TeamRule, to line: inout JSONWriter) {
        line.put("business", one.business.text)
        line.put("id", one.id.text)
        line.put("name", one.name)
        line.put("on", one.isOn)
        line.put("order", Int64(one.order))
        line.put("when", one.trigger.rawValue)
        line.put("if", utf8: one.conditions)
        line.put("then", utf8: one.actions)
    }
}
