import DeskAssistant
import DeskCommandLine
import DeskHTTP
import Foundation
import TestSupport
import Testing

@testable import frontdesk

struct AssistantConfigurationTests {
    private func read(_ values: [String: String]) throws -> AssistantConfiguration? {
        var parsed = Parsed()
        for (name, value) in values { parsed.values[name] = [value] }
        return try AssistantConfiguration.read(parsed)
    }

    @Test func `without an address everything is off, and its other flags are refused`() throws {
        #expect(try read([:]) == nil)
        for flag in ["assistant-model", "assistant-key-file", "assistant-blanks"] {
            #expect(throws: UsageError.self) { try read([flag: "x"]) }
        }
    }

    @Test(arguments: [
        ["assistant-url": "127.0.0.1:11434", "assistant-model": "m"],
        ["assistant-url": "http://m"],
        ["assistant-url": "http://m", "assistant-model": ""],
        ["assistant-url": "http://m", "assistant-model": "m", "assistant-blanks": "cards,names"],
        [
            "assistant-url": "http://m", "assistant-model": "m",
            "assistant-key-file": "/no/such/file",
        ],
    ])
    func `what is not whole is refused`(values: [String: String]) {
        #expect(throws: UsageError.self) { try read(values) }
    }

    @Test(
        arguments: [
            (nil, ["cards", "emails", "phones"]), ("none", []), ("cards", ["cards"]),
            ("emails, phones", ["emails", "phones"]),
        ] as [(String?, [String])])
    func `what is blanked is all, unless it is said`(words: String?, kinds: [String]) throws {
        var values = ["assistant-url": "http://m/v1", "assistant-model": "m"]
        values["assistant-blanks"] = words
        let made = try #require(try read(values))
        #expect(made.blanks.map(\.rawValue).sorted() == kinds)
        #expect(made.key == nil)
    }

    @Test func `the key comes from a file, without the white space around it`() throws {
        let scratch = try ScratchFolder()
        let file = scratch.path + "/key"
        try "sk-1234\n".write(toFile: file, atomically: true, encoding: .utf8)
        let values = [
            "assistant-url": "http://m/v1", "assistant-model": "m", "assistant-key-file": file,
        ]
        #expect(try read(values)?.key == "sk-1234")
        try " \n".write(toFile: file, atomically: true, encoding: .utf8)
        #expect(throws: UsageError.self) { try read(values) }
    }
}
