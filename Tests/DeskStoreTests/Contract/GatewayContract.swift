import DeskModel
import DeskSQL
import DeskStore
import StoreSupport
import Testing

/// What every store promises of links, ciphertext and the wire log.
@Suite struct GatewayContract {
    private func link(
        _ number: UInt64, of owner: UInt64 = 1, side: GatewaySide = .provider,
        url: String = "https://provider.example/bots"
    ) -> GatewayLink {
        GatewayLink(
            id: GatewayLinkID(uniqueID(0x6000 + number)), business: business(owner), side: side,
            mspID: "msp-\(number)", secret: [0, 1, 255], url: url, createdAt: dawn)
    }

    private func exchange(
        _ path: String, over link: GatewayLink, message: String? = nil, in number: UInt64? = nil
    ) throws -> WireExchange {
        WireExchange(
            link: link.id, business: link.business,
            conversation: number.map { conversation($0) }, message: try message.map(messageID),
            course: .received, time: dawn, milliseconds: 7, method: "POST", target: path,
            request: .init(
                headers: [HeaderField(name: "id", value: "7:x,")], body: [123, 0, 125],
                byteCount: 900),
            status: 400, answer: .init(headers: [], body: [], byteCount: 0),
            findings: Array("[]".utf8))
    }

    @Test(arguments: KeptRegistries.allCases)
    func `a business has one link of each side, which may change but for whose it is`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            #expect(try await store.save(link(1), author: .server))
            #expect(try await store.save(link(2, side: .upstream), author: .server))
            #expect(try await store.save(link(3, of: 2), author: .server))
            #expect(try await !store.save(link(4), author: .server))
            #expect(
                try await store.save(
                    link(1, of: 9, url: "https://elsewhere.example"), author: .server))
            let links = try await store.gatewayLinks()
            #expect(
                links == [
                    link(1, url: "https://elsewhere.example"), link(2, side: .upstream),
                    link(3, of: 2),
                ])
            #expect(try await store.removeGatewayLink(link(1).id, author: .server))
            #expect(try await !store.removeGatewayLink(link(1).id, author: .server))
            #expect(try await store.save(link(4), author: .server))
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `a number at WhatsApp stands beside the other links, with its secret`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            #expect(try await store.save(link(1, side: .upstream), author: .server))
            #expect(try await store.save(link(2, side: .whatsapp), author: .server))
            #expect(try await !store.save(link(3, side: .whatsapp), author: .server))
            let links = try await store.gatewayLinks()
            #expect(links == [link(1, side: .upstream), link(2, side: .whatsapp)])
            #expect(try await store.save(link(2, side: .whatsapp, url: "u"), author: .server))
            #expect(try await store.removeGatewayLink(link(1).id, author: .server))
            #expect(try await store.gatewayLinks() == [link(2, side: .whatsapp, url: "u")])
            #expect(try await store.removeGatewayLink(link(2).id, author: .server))
            #expect(try await store.gatewayLinks().isEmpty)
        }
    }

    @Test(arguments: KeptRegistries.allCases, GatewaySide.allCases)
    func `a link that is removed leaves no outbox that would keep the log from being pruned`(
        _ kept: KeptRegistries, _ side: GatewaySide
    ) async throws {
        try await kept.with { store in try await removeOneOfTwo(side, in: store) }
    }

    @Test(arguments: KeptRegistries.allCases, GatewaySide.allCases)
    func `a link that was changed since it was read is not replaced`(
        _ kept: KeptRegistries, _ side: GatewaySide
    ) async throws {
        try await kept.with { store in try await replaceTwice(side, in: store) }
    }

    private func removeOneOfTwo(_ side: GatewaySide, in store: any SQLRegistries) async throws {
        let (one, other) = (link(1, side: side), link(2, of: 2, side: side))
        for link in [one, other] {
            #expect(try await store.save(link, author: .server))
            #expect(try await store.findCursor(of: link.outbox) != nil)
        }
        #expect(try await store.removeGatewayLink(one.id, author: .server))
        #expect(try await store.findCursor(of: one.outbox) == nil)
        #expect(try await store.findCursor(of: other.outbox) != nil)
    }

    private func replaceTwice(_ side: GatewaySide, in store: any SQLRegistries) async throws {
        let known = link(5, side: side)
        #expect(try await store.save(known, over: nil, author: .server))
        #expect(try await !store.save(link(6, side: side), over: nil, author: .server))
        var first = known
        first.secret = [7, 7]
        #expect(try await store.save(first, over: known, author: .server))
        // It was read before, and would bring the former secret back.
        let late = link(5, side: side, url: "https://late.example")
        #expect(try await !store.save(late, over: known, author: .server))
        #expect(try await store.gatewayLinks() == [first])
        var second = first
        second.url = "https://second.example"
        #expect(try await store.save(second, over: first, author: .server))
        #expect(try await store.gatewayLinks() == [second])
        #expect(try await store.removeGatewayLink(known.id, author: .server))
        #expect(try await !store.save(first, over: second, author: .server))
    }

    @Test(arguments: KeptRegistries.allCases)
    func `ciphertext is kept under its id as it first was`(_ kept: KeptRegistries) async throws {
        try await kept.with { store in
            func object(_ count: Int64, key: [UInt8]?) -> MMCSObject {
                MMCSObject(
                    id: "0a", business: business(1), content: AttachmentID(.sha256([1])), key: key,
                    byteCount: count, signature: [1, 2], createdAt: dawn)
            }
            let isFirst = try await store.save(object(5, key: nil), author: .server)
            let isSecond = try await store.save(object(6, key: [9]), author: .server)
            #expect(isFirst && !isSecond)
            #expect(try await store.findMMCSObject("0a") == object(5, key: nil))
            #expect(try await store.findMMCSObject("0b") == nil)
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `expired ciphertext goes, with the files that nothing else names`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            func content(_ byte: UInt8) -> AttachmentID { AttachmentID(.sha256([byte])) }
            func object(_ id: String, _ byte: UInt8, until seconds: Int?) -> MMCSObject {
                MMCSObject(
                    id: id, business: business(1), content: content(byte), key: nil, byteCount: 1,
                    signature: [1], createdAt: dawn,
                    keptUntil: seconds.map { dawn.advanced(by: .seconds($0)) })
            }
            let objects = [
                object("alone", 1, until: 10), object("twice", 2, until: 10),
                object("twice too", 2, until: 10), object("half", 3, until: 10),
                object("named", 4, until: 10), object("held", 5, until: 10),
                object("other half", 3, until: nil),
            ]
            for object in objects { try await store.save(object, author: .server) }
            try await store.hold(
                AttachmentUse(
                    id: content(5), name: "a", mediaType: "image/png", byteCount: 1),
                by: .business(business(1)), at: dawn, author: .server)
            try await store.write { sql throws(StoreError) in
                for id in ["named", "nobody's"] { try GatewayRows.keepObject(id, on: sql) }
            }
            #expect(try await store.findMMCSObject("named") == object("named", 4, until: nil))

            let end = dawn.advanced(by: .seconds(10))
            #expect(try await store.pruneMMCSObjects(before: end) == [])
            #expect(try await store.findMMCSObject("alone") == objects[0])
            let freed = try await store.pruneMMCSObjects(
                before: end.advanced(by: .milliseconds(1)))
            #expect(Set(freed) == [content(1), content(2)])
            #expect(try await store.findMMCSObject("alone") == nil)
            #expect(try await store.findMMCSObject("held") == nil)
            #expect(try await store.findMMCSObject("named") != nil)
            #expect(try await store.findMMCSObject("other half") == objects[6])
        }
    }

    @Test(arguments: Kept.allCases)
    func `a conversation is bound to the upstream that its customer came over last`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            #expect(try await store.findUpstream(of: conversation(1)) == nil)
            _ = try await store.append([[.bind(conversation(1), to: link(1).id)]])
            _ = try await store.append([[.bind(conversation(1), to: link(2).id)]])
            #expect(try await store.findUpstream(of: conversation(1)) == link(2).id)
            #expect(try await store.findUpstream(of: conversation(2)) == nil)
        }
    }

    @Test(arguments: Kept.allCases)
    func `what a link notes beside a message is undone with the message that is refused`(
        _ kept: Kept
    ) async throws {
        try await kept.with { store in
            let object = MMCSObject(
                id: "0a", business: business(1), content: AttachmentID(.sha256([1])), key: nil,
                byteCount: 1, signature: [1], createdAt: dawn,
                keptUntil: dawn.advanced(by: .seconds(10)))
            try await store.save(object, author: .server)
            let refusals = try await store.append([
                [
                    .bind(conversation(1), to: link(1).id), .keepObjects(["0a"]),
                    .message(
                        NewMessage(try submission("m-1", to: conversation(99)), at: dawn)),
                ]
            ])
            #expect(refusals == [.notFound])
            #expect(try await store.findUpstream(of: conversation(1)) == nil)
            #expect(try await store.findMMCSObject("0a") == object)
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `exchanges are numbered, given back whole and newest first, by conversation and message`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            var noted: [WireExchange] = []
            for (path, message, place) in [
                ("/a", nil, nil), ("/b", "m1", 1), ("/c", "m2", 1), ("/d", "m1", 2),
            ] as [(String, String?, UInt64?)] {
                var one = try exchange(path, over: link(1), message: message, in: place)
                one.number = try await store.note(one)
                noted.append(one)
            }
            _ = try await store.note(try exchange("/e", over: link(3, of: 2)))
            func found(
                _ scope: WireScope, before: Int64? = nil, limit: Int = 300
            ) async throws -> [WireExchange] {
                try await store.exchanges(
                    of: business(1), in: scope, at: PageEdge(after: before), limit: limit
                ).elements
            }
            #expect(try await found(.everything) == noted.reversed())
            #expect(try await found(.everything, limit: 2).map(\.target) == ["/d", "/c"])
            let rest = try await found(.everything, before: noted[2].number)
            #expect(rest.map(\.target) == ["/b", "/a"])
            let back = try await store.exchanges(
                of: business(1), in: .everything, at: .before(noted[0].number), limit: 2)
            #expect(back.elements.map(\.target) == ["/c", "/b"] && back.hasMore)
            let thread = try await found(.conversation(conversation(1)))
            #expect(thread.map(\.target) == ["/c", "/b"])
            let one = try await found(.message(messageID("m1"), in: conversation(1)))
            #expect(one.map(\.target) == ["/b"])
            #expect(try await store.save(link(1), author: .server))
            #expect(try await store.removeGatewayLink(link(1).id, author: .server))
            #expect(try await found(.everything).isEmpty)
        }
    }
}
