import DeskBytes
import Glibc

/// The addresses that must be assumed to belong to one client: an IPv4 address, or the /64 of an IPv6
/// address.
///
/// Every rate limit by address uses it. A client with one IPv6 address has 2^64 of them, so a bucket
/// for each would limit nothing. IPv4 within IPv6 (mapped, and 64:ff9b::/96 of translators)
/// is the IPv4 address: all clients of such a translator share one /64. A text that is no address is
/// a network of its own.
public struct ClientNetwork: Hashable, Sendable {
    private enum Value: Hashable, Sendable {
        case four(UInt32)
        case six(UInt64)
        case other(ByteString)
    }

    private let value: Value

    /// The network of an address in text, without a port.
    public init(_ address: String) {
        guard let bytes = Self.bytes(of: address) else {
            value = .other(ByteString(address))
            return
        }
        if bytes.count == 4 {
            value = .four(UInt32(truncatingIfNeeded: Self.number(bytes[...])))
        } else if bytes.starts(with: Self.translated) {
            value = .four(UInt32(truncatingIfNeeded: Self.number(bytes.suffix(4))))
        } else {
            value = .six(Self.number(bytes.prefix(8)))
        }
    }

    /// A number for the network, the same in every process, and the version of the protocol that it is
    /// of: 4 or 6; 0 for a peer without an address, whose number is a checksum.
    public var number: (version: UInt8, value: UInt64) {
        switch value {
        case .four(let address): (4, UInt64(address))
        case .six(let prefix): (6, prefix)
        case .other(let name):
            // FNV-1a of 64 bits.
            (0, name.bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 })
        }
    }

    /// The 4 or 16 bytes of an address in text, where an IPv4-mapped one is IPv4; nil for anything else.
    public static func bytes(of text: String) -> [UInt8]? {
        guard text.utf8.count <= 45 else { return nil }
        var four = [UInt8](repeating: 0, count: 4)
        // Safe: inet_pton writes 4 or 16 bytes into arrays of that length.
        if unsafe inet_pton(AF_INET, text, &four) == 1 { return four }
        var sixteen = [UInt8](repeating: 0, count: 16)
        guard unsafe inet_pton(AF_INET6, text, &sixteen) == 1 else { return nil }
        return sixteen.starts(with: mapped) ? Array(sixteen.suffix(4)) : sixteen
    }

    // RFC 4291 2.5.5.2 and RFC 6052 2.1.
    private static let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
    private static let translated: [UInt8] = [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0]

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }
}
