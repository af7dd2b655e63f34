/// Which addresses a client may connect to; checked for every address after name resolution.
///
/// A name that resolves to a public address when it is registered and to a private one later is
/// refused too, since the check applies to the address of each connection.
public enum OutgoingReach: Sendable, CaseIterable {
    /// Any but link-local addresses and those of cloud metadata services, where no partner can be.
    case anywhere
    /// Public unicast addresses only: no loopback, private, shared, link-local (169.254.169.254 is
    /// one), unique local, multicast, documentation or reserved one, in no IPv6 form of IPv4 either.
    case publicOnly

    /// Whether an address of 4 or 16 bytes may be connected to; another number of bytes never.
    public func permits(_ address: [UInt8]) -> Bool {
        guard !OutgoingReach.isForbidden(address) else { return false }
        return switch self {
        case .anywhere: address.count == 4 || address.count == 16
        case .publicOnly:
            switch address.count {
            case 4: OutgoingReach.isPublic(v4: address[...])
            case 16: OutgoingReach.isPublic(v6: address)
            default: false
            }
        }
    }

    /// The IANA registries of special-purpose and multicast addresses, IPv4.
    private static let specialV4: [(prefix: [UInt8], bits: Int)] = [
        ([0], 8), ([10], 8), ([100, 64], 10), ([127], 8), ([169, 254], 16), ([172, 16], 12),
        ([192, 0, 0], 24), ([192, 0, 2], 24), ([192, 88, 99], 24), ([192, 168], 16),
        ([198, 18], 15), ([198, 51, 100], 24), ([203, 0, 113], 24), ([224], 4), ([240], 4),
    ]

    /// The ranges of 2000::/3 that are not public; nothing outside 2000::/3 is public either.
    private static let specialV6: [(prefix: [UInt8], bits: Int)] = [
        ([0x20, 0x01, 0x00], 23), ([0x20, 0x01, 0x0D, 0xB8], 32), ([0x3F, 0xFF, 0x00], 20),
    ]

    /// Link-local addresses and those of cloud metadata services; IPv4.
    private static let forbiddenV4: [(prefix: [UInt8], bits: Int)] = [
        ([169, 254], 16), ([100, 100, 100, 200], 32), ([168, 63, 129, 16], 32),
        ([192, 0, 0, 192], 32),
    ]

    /// The same, IPv6.
    private static let forbiddenV6: [(prefix: [UInt8], bits: Int)] = [
        ([0xFE, 0x80], 10), ([0xFD, 0x00, 0x0E, 0xC2], 32), ([0xFD, 0x20, 0x00, 0xCE], 32),
    ]

    private static func isForbidden(_ address: [UInt8]) -> Bool {
        if address.count == 4 {
            return forbiddenV4.contains { address[...].begins(with: $0.prefix, bits: $0.bits) }
        }
        guard address.count == 16 else { return false }
        if let carried = carriedV4(in: address) { return isForbidden(Array(carried)) }
        return forbiddenV6.contains { address[...].begins(with: $0.prefix, bits: $0.bits) }
    }

    /// The IPv4 address that an IPv6 one leads to: v4-mapped, v4-compatible and NAT64 (RFC 6052) have it
    /// at their end, 6to4 (RFC 3056) after its prefix.
    private static func carriedV4(in address: [UInt8]) -> ArraySlice<UInt8>? {
        let whole = address[...]
        if whole.begins(with: [0x20, 0x02], bits: 16) { return address[2..<6] }
        let zeros = [UInt8](repeating: 0, count: 10)
        let prefixes = [
            zeros + [0xFF, 0xFF], zeros + [0, 0], [0x00, 0x64, 0xFF, 0x9B] + zeros.prefix(8),
            [0x00, 0x64, 0xFF, 0x9B, 0x00, 0x01] + zeros.prefix(6),
        ]
        return prefixes.contains { whole.begins(with: $0, bits: 96) } ? address[12...] : nil
    }

    private static func isPublic(v4 address: ArraySlice<UInt8>) -> Bool {
        !specialV4.contains { address.begins(with: $0.prefix, bits: $0.bits) }
    }

    private static func isPublic(v6 address: [UInt8]) -> Bool {
        let whole = address[...]
        // v4-mapped, and NAT64 (RFC 6052): the IPv4 address in it is the peer.
        let mapped = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]
        let translated = [0x00, 0x64, 0xFF, 0x9B] + [UInt8](repeating: 0, count: 8)
        if whole.begins(with: mapped, bits: 96) || whole.begins(with: translated, bits: 96) {
            return isPublic(v4: address[12...])
        }
        // 6to4 (RFC 3056) has it after its prefix.
        if whole.begins(with: [0x20, 0x02], bits: 16) { return isPublic(v4: address[2..<6]) }
        guard whole.begins(with: [0x20], bits: 3) else { return false }
        return !specialV6.contains { whole.begins(with: $0.prefix, bits: $0.bits) }
    }
}

extension ArraySlice<UInt8> {
    /// Whether the first bits are those of the prefix.
    fileprivate func begins(with prefix: [UInt8], bits: Int) -> Bool {
        for (place, byte) in prefix.enumerated() {
            let left = Swift.min(8, bits - place * 8)
            guard left > 0 else { break }
            let mask = UInt8(truncatingIfNeeded: 0xFF00 >> left)
            guard self[startIndex + place] & mask == byte & mask else { return false }
        }
        return true
    }
}
