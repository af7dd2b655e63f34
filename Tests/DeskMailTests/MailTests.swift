import DeskModel
import TestSupport
import Testing

@testable import DeskMail

@Suite("E-mails as bytes")
struct MailTests {
    private static let time = Timestamp(milliseconds: 784_111_777_123)
    private static let id = UniqueID(high: 1, low: 2)

    private func lines(
        from: String = "desk@example.com", subject: String = "Hello", text: String = "Hi"
    ) throws -> [String] {
        let from = try #require(Mailbox(from))
        let to = try #require(Mailbox(address: "ada@example.com"))
        let mail = Mail(from: from, to: to, subject: subject, text: text, language: "en")
        let bytes = mail.bytes(id: Self.id, at: Self.time)
        return String(decoding: bytes, as: UTF8.self)
            .replacing("\r\n", with: "\u{1}").split(
                separator: "\u{1}", omittingEmptySubsequences: false
            )
            .map(String.init)
    }

    @Test("A plain e-mail has its headers and its text as they are")
    func plain() throws {
        #expect(
            try lines(text: "Hello,\n\nhttps://chat.example.com/console#invite=abc") == [
                "From: desk@example.com", "To: ada@example.com", "Subject: Hello",
                "Date: Sun, 06 Nov 1994 08:49:37 +0000",
                "Message-ID: <\(Self.id.text)@example.com>", "MIME-Version: 1.0",
                "Content-Type: text/plain; charset=utf-8", "Content-Language: en",
                "Content-Transfer-Encoding: 7bit", "Auto-Submitted: auto-generated", "",
                "Hello,", "", "https://chat.example.com/console#invite=abc", "",
            ])
    }

    @Test(
        "A subject that is not short ASCII becomes encoded words of at most 75 characters",
        arguments: [
            ("Plain", "Plain"), ("Grün", "=?UTF-8?B?R3LDvG4=?="),
            ("=?UTF-8?B?QQ==?=", "=?UTF-8?B?PT9VVEYtOD9CP1FRPT0/PQ==?="),
            ("a\r\nBcc: eve@example.com", "a  Bcc: eve@example.com"), ("a\u{0}b\u{85}c", "a b c"),
        ])
    func subject(_ text: String, _ header: String) throws {
        #expect(try lines(subject: text)[2] == "Subject: \(header)")
    }

    @Test("A long subject goes on in further lines, and no character is divided")
    func longSubject() throws {
        let all = try lines(subject: String(repeating: "緑茶", count: 30))
        let words = all.dropFirst(2).prefix { $0.contains("=?") }
        #expect(words.count == 5 && words.dropFirst().allSatisfy { $0.hasPrefix(" =?UTF-8?B?") })
        #expect(words.allSatisfy { $0.utf8.count <= 76 })
    }

    @Test("A name with marks that turn words around turns none of an e-mail")
    func turns() throws {
        let all = try lines(
            subject: "\u{202E}ada\u{2066} invites you", text: "\u{202E}ada\u{2066} invites you")
        #expect(all[2] == "Subject: ada invites you" && all[11] == "ada invites you")
    }

    @Test(
        "A mailbox is read with and without a name, and nothing else is one",
        arguments: [
            ("desk@example.com", "desk@example.com"),
            ("Tea shop <desk@example.com>", "\"Tea shop\" <desk@example.com>"),
            ("\"Tea shop\" <desk@example.com>", "\"Tea shop\" <desk@example.com>"),
            ("A \"b\" \\ <desk@example.com>", "\"A \\\"b\\\" \\\\\" <desk@example.com>"),
            ("茶 <desk@example.com>", "=?UTF-8?B?6Iy2?= <desk@example.com>"),
            ("desk", nil), ("@example.com", nil), ("desk@", nil), ("a@b@c", nil), ("", nil),
            ("desk@example.com, eve@example.com", nil), ("<desk@example.com", nil),
            ("x\r\n <desk@example.com>", nil), ("desk@exämple.com", nil),
        ] as [(String, String?)])
    func mailbox(_ text: String, _ header: String?) throws {
        #expect(Mailbox(text)?.header == header)
    }

    @Test("Text that is not ASCII, or has very long lines, is in base64 of short lines")
    func encoded() throws {
        for text in ["緑茶\n紅茶", String(repeating: "a", count: 600)] {
            let all = try lines(text: text)
            #expect(all.contains("Content-Transfer-Encoding: base64"))
            #expect(all.allSatisfy { $0.utf8.count <= 76 })
        }
    }

    @Test("Whatever a name has, it ends no header")
    func mutated() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed \(seed)")
        var random = SeededRandom(seed: seed)
        let pieces = [
            "\r", "\n", "\r\n", "\0", "\"", "\\", "=?", "?=", "<", ">", "@", ",", "a", "茶", "🍵",
            "\u{2028}",
        ]
        for _ in 0..<2_000 {
            let name = (0..<Int.random(in: 1...40, using: &random))
                .map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
            let header = HeaderText.phrase(name)
            let isFolded = header.split(separator: "\r\n").dropFirst().allSatisfy {
                $0.hasPrefix(" ")
            }
            #expect(isFolded && header.utf8.allSatisfy { $0 < 0x7F }, "\(name.debugDescription)")
            let alone = header.replacing("\r\n ", with: "")
            #expect(!alone.utf8.contains { $0 < 0x20 }, "\(name.debugDescription)")
        }
    }
}
