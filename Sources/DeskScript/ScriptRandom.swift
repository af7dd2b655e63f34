/// A deterministic random generator, seeded by a number and a name (SplitMix64).
///
/// Not for secrets.
public struct ScriptRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Makes the sequence of one name under a seed; each name has its own.
    public init(seed: UInt64, name: String) {
        // FNV-1a, so that names that differ in one letter are far apart.
        var mixed: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in name.utf8 { mixed = (mixed ^ UInt64(byte)) &* 0x100_0000_01B3 }
        state = mixed ^ (seed &* 0x9E37_79B9_7F4A_7C15)
    }

    /// The next 64 bits.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
