import DeskAPI
package import DeskJSON
package import DeskWeb

extension FaultDials {
    /// Reads the dials that a request sets; returns the JSON text that a link keeps.
    ///
    /// - Throws: `invalid` for an unknown dial, or a probability or value that it cannot have.
    @Sendable package static func settings(_ value: JSONValue) throws(Problem) -> [UInt8] {
        var fields = try Fields(value)
        var dials = FaultDials()
        if let seed = fields.number("seed", FaultDials.seeds) { dials.seed = seed }
        for fault in FaultDials.Fault.allCases {
            guard let value = fields.value(fault.rawValue), !value.isNull else { continue }
            var parts = try Fields(value)
            let probability = parts.requireValue("probability")
            if let number = probability?.double, (0...1).contains(number) {
                dials.dials[fault] = FaultDials.Dial(
                    probability: number, value: fault.usualValue)
            } else if let probability {
                parts.note(
                    .value, probability, "a number from 0 to 1", "Send how often it is to happen.")
            }
            if let values = fault.values, let number = parts.number("value", values) {
                dials.dials[fault]?.value = number
            }
            try parts.finish()
            if dials.dials[fault]?.probability == 0 { dials.dials[fault] = nil }
        }
        try fields.finish()
        return dials.json.bytes()
    }
}
