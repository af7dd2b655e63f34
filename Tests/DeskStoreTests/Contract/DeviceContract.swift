import DeskModel
import DeskStore
import Testing

/// What stores promise of the devices that agents signed in with.
@Suite struct DeviceContract {
    private func device(_ byte: UInt8) -> Digest { .sha256([byte]) }
    private func time(_ seconds: Int) -> Timestamp { dawn.advanced(by: .seconds(seconds)) }

    @Test(arguments: KeptRegistries.allCases)
    func `a device is known to those who signed in with it, since they last did`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            try await store.rememberDevice(device(1), of: agent(1), at: time(1), atMost: 9)
            try await store.rememberDevice(device(1), of: agent(2), at: time(5), atMost: 9)
            let known = try await store.agents(knownOn: device(1), since: time(1))
            #expect(Set(known) == [agent(1), agent(2)])
            #expect(try await store.agents(knownOn: device(1), since: time(2)) == [agent(2)])
            #expect(try await store.agents(knownOn: device(2), since: time(0)) == [])
            try await store.rememberDevice(device(1), of: agent(1), at: time(9), atMost: 9)
            #expect(try await store.agents(knownOn: device(1), since: time(9)) == [agent(1)])
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `beyond the most of an agent those used least lately are forgotten`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            for byte in 1...3 {
                try await store.rememberDevice(
                    device(UInt8(byte)), of: agent(1), at: time(byte), atMost: 3)
            }
            try await store.rememberDevice(device(1), of: agent(1), at: time(4), atMost: 3)
            // The newest stays, though its time is not the latest.
            try await store.rememberDevice(device(4), of: agent(1), at: time(4), atMost: 3)
            try await store.rememberDevice(device(2), of: agent(2), at: time(1), atMost: 3)
            for (byte, holders) in [
                (1, [agent(1)]), (2, [agent(2)]), (3, [agent(1)]), (4, [agent(1)]),
            ] {
                let known = try await store.agents(knownOn: device(UInt8(byte)), since: time(0))
                #expect(known == holders)
            }
        }
    }

    @Test(arguments: KeptRegistries.allCases)
    func `devices are forgotten with their time, or all of an agent at once`(
        _ kept: KeptRegistries
    ) async throws {
        try await kept.with { store in
            for byte in 1...4 {
                try await store.rememberDevice(
                    device(UInt8(byte)), of: agent(byte < 4 ? 1 : 2), at: time(byte), atMost: 9)
            }
            try await store.pruneDevices(before: time(2))
            #expect(try await store.agents(knownOn: device(1), since: time(0)) == [])
            #expect(try await store.agents(knownOn: device(2), since: time(0)) == [agent(1)])
            try await store.forgetDevices(of: agent(1), author: .server)
            #expect(try await store.agents(knownOn: device(3), since: time(0)) == [])
            #expect(try await store.agents(knownOn: device(4), since: time(0)) == [agent(2)])
        }
    }
}
