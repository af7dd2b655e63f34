import DeskHTTP
import DeskNet
import Testing

/// A libcurl that cannot be loaded.
struct CurlLibraryTests {
    @Test(arguments: [
        ["libcurl-of-nobody.so.4", "libcurl-of-nobody.so.4 cannot be loaded", "No such file"],
        ["libz.so.1", "libz.so.1 has no curl_global_init"],
    ])
    func `a library that is missing, or is another, fails each request and says what fixes it`(
        words: [String]
    ) async throws {
        let peer = try ScriptedPeer { _, _ in
            .answer("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        }
        defer { peer.stop() }
        let client = CurlClient(library: words[0])
        // The second one is a try of its own.
        for _ in 1...2 {
            let error = await #expect(throws: OutgoingError.self) {
                try await client.send(OutgoingRequest(.get, peer.url()))
            }
            let detail = error?.detail ?? ""
            #expect(error?.code == .connection)
            for word in words[1...] + ["apt-get install libcurl4"] {
                #expect(detail.contains(word), "\(detail)")
            }
        }
        // Others are served by the right one meanwhile and afterwards.
        let right = CurlClient(reach: .anywhere)
        #expect(try await right.send(OutgoingRequest(.get, peer.url())).status == .ok)
        await #expect(throws: OutgoingError.self) {
            try await client.send(OutgoingRequest(.get, peer.url()))
        }
        #expect(peer.requests.count == 1)
    }

    @Test func `more failures than requests at one time do not use up their number`() async {
        let client = CurlClient(library: "libcurl-of-nobody.so.4")
        for _ in 1...520 {
            let error = await #expect(throws: OutgoingError.self) {
                try await client.send(OutgoingRequest(.get, "http://127.0.0.1:1/"))
            }
            guard error?.detail.contains("cannot be loaded") == true else {
                Issue.record("\(error?.detail ?? "")")
                return
            }
        }
    }
}
