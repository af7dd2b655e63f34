import DeskHTTP
import DeskNet
import Testing

/// Which addresses a client may connect to.
struct OutgoingReachTests {
    /// What no reach opens, and beside each the nearest that private endpoints may be at.
    private static let forbidden: [(bytes: [UInt8], near: [UInt8])] = [
        ([169, 254, 0, 0], [169, 253, 255, 255]), ([169, 254, 169, 254], [10, 169, 254, 169]),
        ([169, 254, 170, 2], [192, 168, 170, 2]), ([169, 254, 255, 255], [169, 255, 0, 0]),
        ([100, 100, 100, 200], [100, 100, 100, 199]), ([168, 63, 129, 16], [168, 63, 129, 17]),
        ([192, 0, 0, 192], [192, 0, 0, 191]),
    ]

    @Test(arguments: forbidden)
    func `nothing opens link-local and metadata addresses, in whatever form`(
        bytes: [UInt8], near: [UInt8]
    ) {
        let forms: [([UInt8]) -> [UInt8]] = [
            { $0 }, { [UInt8](repeating: 0, count: 10) + [255, 255] + $0 },
            { [UInt8](repeating: 0, count: 12) + $0 },
            { [0, 0x64, 0xFF, 0x9B] + [UInt8](repeating: 0, count: 8) + $0 },
            { [0, 0x64, 0xFF, 0x9B, 0, 1] + [UInt8](repeating: 0, count: 6) + $0 },
            { [0x20, 0x02] + $0 + [UInt8](repeating: 1, count: 10) },
        ]
        for form in forms {
            #expect(!OutgoingReach.anywhere.permits(form(bytes)))
            #expect(!OutgoingReach.publicOnly.permits(form(bytes)))
            #expect(OutgoingReach.anywhere.permits(form(near)))
        }
    }

    @Test(
        arguments: [
            ([0xFE, 0x80], false), ([0xFE, 0xBF], false), ([0xFE, 0x7F], true),
            ([0xFE, 0xC0], true),
            ([0xFD, 0x00, 0x0E, 0xC2], false), ([0xFD, 0x00, 0x0E, 0xC3], true),
            ([0xFD, 0x20, 0x00, 0xCE], false), ([0xFD, 0x12, 0x34, 0x56], true),
        ] as [([UInt8], Bool)])
    func `private endpoints may be at unique local addresses, and at no link-local one`(
        prefix: [UInt8], isOpen: Bool
    ) {
        let address = prefix + [UInt8](repeating: 0, count: 14 - prefix.count) + [0x02, 0x54]
        #expect(OutgoingReach.anywhere.permits(address) == isOpen)
    }

    @Test(arguments: [
        Place([0, 0, 0, 0], false), Place([0, 255, 0, 1], false), Place([1, 0, 0, 0], true),
        Place([9, 255, 255, 255], true), Place([10, 0, 0, 1], false), Place([11, 0, 0, 1], true),
        Place([100, 63, 255, 255], true), Place([100, 64, 0, 1], false),
        Place([100, 127, 255, 255], false), Place([100, 128, 0, 0], true),
        Place([127, 0, 0, 1], false), Place([127, 255, 255, 255], false),
        Place([128, 0, 0, 1], true), Place([169, 253, 255, 255], true),
        Place([169, 254, 169, 254], false), Place([169, 255, 0, 0], true),
        Place([172, 15, 255, 255], true), Place([172, 16, 0, 1], false),
        Place([172, 31, 255, 255], false), Place([172, 32, 0, 0], true),
        Place([192, 0, 0, 8], false), Place([192, 0, 2, 1], false), Place([192, 88, 99, 1], false),
        Place([192, 167, 255, 255], true), Place([192, 168, 0, 1], false),
        Place([192, 169, 0, 0], true), Place([198, 17, 255, 255], true),
        Place([198, 18, 0, 1], false), Place([198, 19, 255, 255], false),
        Place([198, 51, 100, 7], false), Place([203, 0, 113, 7], false), Place([8, 8, 8, 8], true),
        Place([223, 255, 255, 255], true), Place([224, 0, 0, 1], false),
        Place([239, 255, 255, 255], false), Place([240, 0, 0, 1], false),
        Place([255, 255, 255, 255], false), Place([], false), Place([8, 8, 8], false),
    ])
    func `public IPv4 addresses are distinguished from others`(place: Place) {
        #expect(OutgoingReach.publicOnly.permits(place.bytes) == place.isPublic)
        let isMetadata = place.bytes == [169, 254, 169, 254]
        #expect(
            OutgoingReach.anywhere.permits(place.bytes) == (place.bytes.count == 4 && !isMetadata))
        guard place.bytes.count == 4 else { return }
        let mapped = [UInt8](repeating: 0, count: 10) + [255, 255] + place.bytes
        #expect(OutgoingReach.publicOnly.permits(mapped) == place.isPublic, "v4-mapped")
        let translated = [0, 0x64, 0xFF, 0x9B] + [UInt8](repeating: 0, count: 8) + place.bytes
        #expect(OutgoingReach.publicOnly.permits(translated) == place.isPublic, "NAT64")
        let carried = [0x20, 0x02] + place.bytes + [UInt8](repeating: 1, count: 10)
        #expect(OutgoingReach.publicOnly.permits(carried) == place.isPublic, "6to4")
        let compatible = [UInt8](repeating: 0, count: 12) + place.bytes
        #expect(!OutgoingReach.publicOnly.permits(compatible), "v4-compatible")
    }

    @Test(arguments: [
        Place(words: [0, 0, 0, 0, 0, 0, 0, 0], false),
        Place(words: [0, 0, 0, 0, 0, 0, 0, 1], false),
        Place(words: [0x2606, 0x4700, 0, 0, 0, 0, 0, 0x1111], true),
        Place(words: [0x2001, 0x4860, 0x4860, 0, 0, 0, 0, 0x8888], true),
        Place(words: [0x2001, 0x0DB8, 0, 0, 0, 0, 0, 1], false),
        Place(words: [0x2001, 0x0000, 1, 2, 3, 4, 5, 6], false),
        Place(words: [0x2001, 0x01FF, 1, 2, 3, 4, 5, 6], false),
        Place(words: [0x2001, 0x0200, 1, 2, 3, 4, 5, 6], true),
        Place(words: [0x3FFF, 0x0FFF, 1, 2, 3, 4, 5, 6], false),
        Place(words: [0x3FFF, 0x1000, 1, 2, 3, 4, 5, 6], true),
        Place(words: [0x1FFF, 0, 0, 0, 0, 0, 0, 1], false),
        Place(words: [0x4000, 0, 0, 0, 0, 0, 0, 1], false),
        Place(words: [0xFC00, 0, 0, 0, 0, 0, 0, 1], false),
        Place(words: [0xFD12, 0x3456, 0, 0, 0, 0, 0, 1], false),
        Place(words: [0xFE80, 0, 0, 0, 0, 0, 0, 1], false),
        Place(words: [0xFEC0, 0, 0, 0, 0, 0, 0, 1], false),
        Place(words: [0xFF02, 0, 0, 0, 0, 0, 0, 1], false),
        Place(words: [0x0100, 0, 0, 0, 0, 0, 0, 1], false),
        Place(words: [0x0064, 0xFF9B, 1, 0, 0, 0, 0x0808, 0x0808], false),
    ])
    func `public IPv6 addresses are distinguished from others`(place: Place) {
        #expect(OutgoingReach.publicOnly.permits(place.bytes) == place.isPublic)
        let isLinkLocal = place.bytes.starts(with: [0xFE, 0x80])
        #expect(OutgoingReach.anywhere.permits(place.bytes) == !isLinkLocal)
    }

    @Test(arguments: [
        "127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "2130706433", "0x7f.1", "0177.0.0.1",
        "127.1", "0.0.0.0",
    ])
    func `a client that may reach public addresses only connects to no other`(
        host: String
    ) async throws {
        let peer = try ScriptedPeer { _, _ in .answerAndClose("HTTP/1.1 204 No Content\r\n\r\n") }
        defer { peer.stop() }
        let request = OutgoingRequest(.get, peer.url(host: host))
        let error = await #expect(throws: OutgoingError.self) {
            try await CurlClient(reach: .publicOnly).send(request)
        }
        #expect(error?.code == .forbidden)
        #expect(peer.connections == 0)
    }
}

/// An address and whether everybody can reach it.
struct Place: Sendable {
    let bytes: [UInt8]
    let isPublic: Bool

    init(_ bytes: [UInt8], _ isPublic: Bool) {
        self.bytes = bytes
        self.isPublic = isPublic
    }

    init(words: [UInt16], _ isPublic: Bool) {
        self.init(words.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }, isPublic)
    }
}
