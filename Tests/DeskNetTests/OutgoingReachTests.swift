import DeskHTTP
import DeskNet
import Testing

/// Which addresses a client may connect to.
struct OutgoingReachTests {
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
    func `public IPv4 addresses are told from others`(place: Place) {
        #expect(OutgoingReach.publicOnly.permits(place.bytes) == place.isPublic)
        #expect(OutgoingReach.anywhere.permits(place.bytes) == (place.bytes.count == 4))
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
    func `public IPv6 addresses are told from others`(place: Place) {
        #expect(OutgoingReach.publicOnly.permits(place.bytes) == place.isPublic)
        #expect(OutgoingReach.anywhere.permits(place.bytes))
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
