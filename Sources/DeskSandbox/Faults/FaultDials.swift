package import DeskJSON

/// How the gateway misbehaves on purpose towards one provider: each dial a probability, one seed for all.
///
/// The same seed and the same order of requests give the same faults.
package struct FaultDials: Hashable, Sendable {
    /// What can be made to happen.
    package enum Fault: String, Sendable, CaseIterable {
        /// A request is answered, and a delivery made, later; the value is milliseconds.
        case delay
        /// A request is answered with a status and not carried out; the value is the status.
        case status
        /// A request is answered with 429; the value is the seconds of `Retry-After`.
        case throttle
        /// A request is carried out, and the connection ends without its answer.
        case cut
        /// A download link has expired before it is used.
        case expiredLink
        /// A delivery is made twice with the same id.
        case duplicate
        /// A delivery is made again under another id.
        case duplicateWithOtherID
        /// A delivery is made after the one that follows it.
        case reorder

        /// What the value may be; nil for faults that have none.
        package var values: ClosedRange<Int>? {
            switch self {
            case .delay: 0...60_000
            case .status: 400...599
            case .throttle: 0...3_600
            case .cut, .expiredLink, .duplicate, .duplicateWithOtherID, .reorder: nil
            }
        }

        /// The value when none is given.
        package var usualValue: Int {
            switch self {
            case .delay: 1_000
            case .status: 500
            case .throttle: 1
            case .cut, .expiredLink, .duplicate, .duplicateWithOtherID, .reorder: 0
            }
        }
    }

    /// How often, and how.
    package struct Dial: Hashable, Sendable {
        /// From 0, never, to 1, always.
        package var probability: Double
        /// Milliseconds, a status or seconds, as the fault says.
        package var value: Int

        /// Puts the two together.
        package init(probability: Double, value: Int) {
            self.probability = probability
            self.value = value
        }
    }

    /// What a seed may be.
    package static let seeds = -2_147_483_648...2_147_483_647

    /// Where the chances begin.
    package var seed = 1
    /// The dials that are not at zero.
    package var dials: [Fault: Dial] = [:]

    /// No faults.
    package init() {}

    /// Reads `{"seed":7,"delay":{"probability":0.2,"value":500},…}`; what is out of range stays at zero.
    package init(_ value: JSONValue) {
        if let seed = value["seed"]?.int, Self.seeds.contains(seed) { self.seed = seed }
        for fault in Fault.allCases {
            guard let dial = value[fault.rawValue],
                let probability = dial["probability"]?.double, (0...1).contains(probability),
                probability > 0
            else { continue }
            let number = dial["value"]?.int ?? fault.usualValue
            guard fault.values?.contains(number) ?? true else { continue }
            dials[fault] = Dial(probability: probability, value: number)
        }
    }

    /// The dials' text.
    package var json: JSON {
        var members: [(String, JSON)] = [("seed", .integer(seed))]
        for fault in Fault.allCases {
            guard let dial = dials[fault] else { continue }
            var parts: [(String, JSON)] = [("probability", .number("\(dial.probability)"))]
            if fault.values != nil { parts.append(("value", .integer(dial.value))) }
            members.append((fault.rawValue, .object(parts)))
        }
        return .object(members)
    }
}
