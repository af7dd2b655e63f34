import DeskBroker
import DeskModel
import Synchronization

/// Throws the dice of each link's fault dials: from a seed, so that a run can be repeated.
final class FaultDice: Sendable {
    private struct Cup: Sendable {
        var dials: FaultDials
        var state: UInt64
    }

    private let cups = Mutex<[GatewayLinkID: Cup]>([:])

    /// The value of a fault's dial when it happens this time; nil when it does not.
    ///
    /// New dials begin at their seed again.
    func roll(_ fault: FaultDials.Fault, _ dials: FaultDials, over link: GatewayLinkID) -> Int? {
        guard let dial = dials.dials[fault] else { return nil }
        return cups.withLock { cups in
            var cup = cups[link] ?? Cup(dials: dials, state: UInt64(bitPattern: Int64(dials.seed)))
            if cup.dials != dials {
                cup = Cup(dials: dials, state: UInt64(bitPattern: Int64(dials.seed)))
            }
            let chance = Double(Self.next(&cup.state) >> 11) / Double(1 << 53 as UInt64)
            cups[link] = cup
            return chance < dial.probability ? dial.value : nil
        }
    }

    /// SplitMix64 (Steele, Lea and Flood, 2014).
    private static func next(_ state: inout UInt64) -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
