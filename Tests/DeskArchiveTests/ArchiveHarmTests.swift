import DeskModel
import DeskStore
import FoundationEssentials
import StoreSupport
import Testing

@testable import DeskArchive

/// What is cut off or changed is refused with its line, or harmless; nothing is half imported.
@Suite struct ArchiveHarmTests {
    /// Small numbers of its own making, so that a failure can be repeated.
    private struct Chance {
        var state: UInt64

        mutating func below(_ count: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % UInt64(count))
        }
    }

    private func exported(from place: ArchivePlace) async throws -> ArchiveText {
        let opened = try await place.fill(messages: 12)
        let bytes = try await FilledStore.export(opened)
        await opened.close()
        return ArchiveText(bytes)
    }

    /// Tries to import bytes into a directory; says why not, and that then nothing is left.
    private func refusal(of bytes: [UInt8], in place: ArchivePlace) throws -> ArchiveFault? {
        defer {
            // Safe: it may not be there.
            try? FileManager.default.removeItem(atPath: place.directory)
        }
        do {
            let found = try FilledStore.take(bytes, into: place)
            #expect(found.isClean)
            return nil
        } catch let error as ArchiveFault {
            #expect(try place.isEmpty, "\(error)")
            return error
        }
    }

    /// Reads bytes as an import does, without making a store.
    private func verify(_ bytes: [UInt8], beside place: ArchivePlace) throws {
        let path = place.directory + ".proof"
        try Data(bytes).write(to: URL(filePath: path))
        let source = try ArchiveSource(path)
        _ = try source.readHead()
        while try source.next() != nil {}
    }

    @Test func `an archive that calls the mode by its earlier name is read`() async throws {
        try await ArchivePlace.with(.inFile, .inFile) { places in
            let text = try await exported(from: places[0])
            var earlier = text
            earlier.lines = text.lines.map { line in
                let names = String(decoding: line, as: UTF8.self).split(
                    separator: #""mode":"#, omittingEmptySubsequences: false)
                return Array(names.joined(separator: "\"\(Mode.earlierName)\":").utf8)
            }
            #expect(earlier.lines != text.lines)
            #expect(try refusal(of: earlier.resummed(), in: places[1]) == nil)
        }
    }

    @Test func `an archive that has lines of types it does not count is read`() async throws {
        try await ArchivePlace.with(.inFile, .inFile) { places in
            let text = try await exported(from: places[0])
            var earlier = text
            let counts = text.lines.map { line in
                let parts = String(decoding: line, as: UTF8.self).split(
                    separator: #""satisfaction":1,"widget":1,"#, omittingEmptySubsequences: false)
                return (Array(parts.joined().utf8), parts.count - 1)
            }
            #expect(counts.map(\.1).reduce(0, +) == 1)
            earlier.lines = counts.map(\.0)
            #expect(try refusal(of: earlier.resummed(), in: places[1]) == nil)
        }
    }

    @Test func `a file that is cut off is refused with the line`() async throws {
        try await ArchivePlace.with(.inFile, .inFile) { places in
            let text = try await exported(from: places[0])
            for count in 0..<text.lines.count {
                let whole = ArchiveText.joined(text.lines.prefix(count))
                let before = try refusal(of: whole, in: places[1])
                #expect(before?.line == (count == 0 ? nil : count), "after line \(count)")
                let half = whole + text.lines[count].prefix(text.lines[count].count / 2)
                #expect(try refusal(of: half, in: places[1])?.line == count + 1, "in \(count + 1)")
            }
            #expect(try refusal(of: Array(text.bytes.dropLast()), in: places[1]) != nil)
            #expect(
                try refusal(of: text.bytes + [0x0A], in: places[1])?.line == text.lines.count + 1)
            #expect(try refusal(of: text.bytes, in: places[1]) == nil)
        }
    }

    @Test func `a byte that differs is refused wherever it is`() async throws {
        try await ArchivePlace.with(.inFile, .inFile) { places in
            let bytes = try await exported(from: places[0]).bytes
            let seed = UInt64.random(in: 0...UInt64.max)
            var chance = Chance(state: seed)
            for _ in 0..<60 {
                var harmed = bytes
                let place = chance.below(bytes.count)
                harmed[place] ^= 1 << UInt8(chance.below(8))
                #expect(
                    try refusal(of: harmed, in: places[1]) != nil, "seed \(seed), byte \(place)")
            }
        }
    }

    @Test func `lines that are gone, doubled or swapped are refused, also under a right sum`()
        async throws
    {
        try await ArchivePlace.with(.inFile, .inFile) { places in
            let text = try await exported(from: places[0])
            var harmless = 0
            for place in 1..<text.lines.count - 2 {
                var gone = text
                gone.lines.remove(at: place)
                var doubled = text
                doubled.lines.insert(text.lines[place], at: place)
                var swapped = text
                swapped.lines.swapAt(place, place + 1)
                for harmed in [gone, doubled, swapped] {
                    #expect(throws: ArchiveFault.self, "line \(place + 1)") {
                        try verify(harmed.bytes, beside: places[1])
                    }
                    // An attacker who also fixes the sum gets a store that is whole, or none.
                    let found = try refusal(of: harmed.resummed(), in: places[1])
                    if found == nil { harmless += 1 }
                }
            }
            // Such as two links in another order, or without a business's retention; a message is never lost without
            // a word.
            #expect(harmless < text.lines.count * 3 / 2)
        }
    }

    @Test func `a message that is gone, doubled or swapped is refused under a right sum`()
        async throws
    {
        try await ArchivePlace.with(.inFile, .inFile) { places in
            let text = try await exported(from: places[0])
            let isMessage = { (line: [UInt8]) in
                line.starts(with: Array("{\"type\":\"message\"".utf8))
            }
            let messages = text.lines.indices.filter { isMessage(text.lines[$0]) }
            #expect(messages.count == 13)
            for place in messages {
                var gone = text
                gone.lines.remove(at: place)
                var doubled = text
                doubled.lines.insert(text.lines[place], at: place)
                var changed = text
                let parts = String(decoding: text.lines[place], as: UTF8.self).split(separator: "送")
                changed.lines[place] = Array(parts.joined(separator: "迎").utf8)
                #expect(changed.lines[place] != text.lines[place])
                for harmed in [gone, doubled, changed] {
                    #expect(
                        try refusal(of: harmed.resummed(), in: places[1]) != nil, "\(place + 1)")
                }
            }
        }
    }

    @Test(arguments: [
        ("", "the file is empty"),
        ("{}\n", "line 1: \"type\" is missing"),
        ("[]\n", "line 1: the line is no JSON object"),
        ("hello\n", "line 1: it is no JSON"),
        ("{\"type\":\"business\"}\n", "line 1: \"id\" is missing"),
        ("{\"type\":\"wish\"}\n", "line 1: its type is none that this version knows"),
        ("{\"type\":\"frontdesk-export\",\"version\":4}\n", "line 1: the format has version 4"),
        ("{\"type\":\"frontdesk-export\",\"version\":1", "line 1: the archive ends in the middle"),
    ])
    func `what is no export is refused with a reason`(text: String, reason: String) async throws {
        try await ArchivePlace.with(.inFile, .inFile) { places in
            let found = try refusal(of: Array(text.utf8), in: places[1])
            #expect(found?.description.hasPrefix(reason) == true, "\(found?.description ?? "")")
        }
    }

    @Test func `a directory that has something in it is left alone`() async throws {
        try await ArchivePlace.with(.inFile, .inFile) { places in
            let text = try await exported(from: places[0])
            try FileManager.default.createDirectory(
                atPath: places[1].directory, withIntermediateDirectories: true)
            try Data("mine".utf8).write(to: URL(filePath: places[1].directory + "/mine"))
            #expect(throws: StoreError(.refused, "\(places[1].directory) is not empty")) {
                try FilledStore.take(text.bytes, into: places[1])
            }
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: places[1].directory) == ["mine"]
            )
        }
    }

    @Test func `what a killed attempt left is no hindrance`() async throws {
        try await ArchivePlace.with(.inFile, .inFile) { places in
            let text = try await exported(from: places[0])
            for name in ["incoming-store/blobs", "blobs/ab"] {
                try FileManager.default.createDirectory(
                    atPath: places[1].directory + "/" + name, withIntermediateDirectories: true)
            }
            #expect(try refusal(of: text.bytes, in: places[1]) == nil)
        }
    }
}
