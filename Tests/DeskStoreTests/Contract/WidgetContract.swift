import DeskModel
import DeskSQL
import DeskStore
import StoreSupport
import TestSupport
import Testing

/// What every store promises of widgets.
@Suite struct WidgetContract {
    private static let me = Author.agent(agent(1))

    private static func secret(_ number: UInt64) -> WidgetSecret {
        WidgetSecret(
            id: uniqueID(0xA000 + number), bytes: Array("fdws_hush-\(number)".utf8),
            madeAt: dawn.advanced(by: .seconds(Int64(number))))
    }

    private static func encrypted(in store: any SQLRegistries) async throws -> [[UInt8]] {
        try await store.readRegistry { sql throws(StoreError) in
            try sql.statement(literal: "SELECT secrets FROM widgets ORDER BY business")
                .all { $0.bytesIfAny() ?? [] }
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `what a business chose and its secrets are kept apart from each other`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            #expect(try await store.widget(of: business(1)) == nil)
            let text = Array(#"{"isOn":true,"label":"相談 \"x\""}"#.utf8)
            try await store.saveWidget(settings: text, of: business(1), author: Self.me)
            #expect(try await store.widget(of: business(1)) == StoredWidget(settings: text))
            try await store.addWidgetSecret(Self.secret(1), of: business(1), author: Self.me)
            try await store.addWidgetSecret(Self.secret(1), of: business(2), author: Self.me)
            try await store.saveWidget(settings: [0x7B, 0x7D], of: business(1), author: Self.me)
            #expect(
                try await store.widget(of: business(1))
                    == StoredWidget(settings: [0x7B, 0x7D], secrets: [Self.secret(1)]))
            #expect(
                try await store.widget(of: business(2))
                    == StoredWidget(secrets: [Self.secret(1)]))
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `two secrets are kept, the newest first, and each can be ended once`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            for number: UInt64 in 1...3 {
                try await store.addWidgetSecret(
                    Self.secret(number), of: business(1), author: Self.me)
            }
            #expect(
                try await store.widget(of: business(1))?.secrets
                    == [Self.secret(3), Self.secret(2)])
            let ended = Self.secret(3).id
            #expect(
                try await !store.removeWidgetSecret(ended, of: business(2), author: Self.me))
            #expect(try await store.removeWidgetSecret(ended, of: business(1), author: Self.me))
            #expect(
                try await !store.removeWidgetSecret(ended, of: business(1), author: Self.me))
            #expect(try await store.widget(of: business(1))?.secrets == [Self.secret(2)])
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `secrets lie encrypted, are none in another business's row, and follow a new key`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            for number: UInt64 in 1...2 {
                try await store.addWidgetSecret(
                    Self.secret(number), of: business(number), author: Self.me)
            }
            let encrypted = try await Self.encrypted(in: store)
            #expect(encrypted.count == 2)
            for row in encrypted {
                #expect(!String(decoding: row, as: UTF8.self).contains("hush"))
            }
            #expect(try await store.countSecrets() == [store.encryptionKeys.current: 2])
            _ = try await store.write { sql throws(StoreError) in
                let statement = try sql.statement(
                    literal: "UPDATE widgets SET secrets = ? WHERE business = ?")
                try statement.bind(encrypted[1])
                try statement.bind(business(1).value)
                return try statement.runCounting()
            }
            var unreadable = StoredWidget()
            unreadable.areSecretsUnreadable = true
            #expect(try await store.widget(of: business(1)) == unreadable)
            // Settings go on, and what cannot be read is kept until there is another secret.
            unreadable.settings = Array("{}".utf8)
            try await store.saveWidget(
                settings: Array("{}".utf8), of: business(1), author: Self.me)
            #expect(try await store.widget(of: business(1)) == unreadable)
            #expect(try await Self.encrypted(in: store).count == 2)
            #expect(try await store.widget(of: business(2))?.secrets == [Self.secret(2)])
            let rotated = try #require(store.encryptionKeys.rotated())
            try await store.encryptAllSecrets(with: rotated)
            // What is damaged stays as it is.
            #expect(try await store.countSecrets()[rotated.current] == 1)
            try await store.addWidgetSecret(Self.secret(3), of: business(1), author: Self.me)
            #expect(
                try await store.widget(of: business(1))
                    == StoredWidget(settings: Array("{}".utf8), secrets: [Self.secret(3)]))
        }
    }
}
