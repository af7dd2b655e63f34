import Testing

@testable import DeskDelivery

/// To which addresses the server pushes.
struct PushServiceTests {
    @Test(arguments: [
        "https://fcm.googleapis.com/fcm/send/abc:def": "https://fcm.googleapis.com",
        "https://FCM.googleapis.com:443/wp/abc": "https://fcm.googleapis.com",
        "https://updates.push.services.mozilla.com/wpush/v2/x":
            "https://updates.push.services.mozilla.com",
        "https://web.push.apple.com/QNz": "https://web.push.apple.com",
        "https://wns2-par02p.notify.windows.com/w/?token=a%2Fb":
            "https://wns2-par02p.notify.windows.com",
    ])
    func `an endpoint of a known service is posted to`(_ endpoint: String, _ origin: String) {
        #expect(PushServices().address(of: endpoint)?.origin == origin)
    }

    @Test(arguments: [
        "http://fcm.googleapis.com/a", "https://fcm.googleapis.com",
        "https://fcm.googleapis.com:8443/a",
        "https://fcm.googleapis.com.example/a", "https://evilfcm.googleapis.com/a",
        "https://push.apple.com/a", "https://push.apple.com.example/a", "https://xpush.apple.com/a",
        "https://fcm.googleapis.com@example/a", "https://example/https://fcm.googleapis.com/",
        "https://example#fcm.googleapis.com/a", "https://example\\fcm.googleapis.com/a",
        "https://fcm.googleapis.com/a#b", "https://fcm.googleapis.com/a b",
        "https://fcm.googleapis.com/ä", "HTTPS://fcm.googleapis.com/a", "https:///a",
        "https://127.0.0.1/a", "https://[::1]/a", "ftp://fcm.googleapis.com/a", "a", "",
    ])
    func `no other address is posted to`(_ endpoint: String) {
        #expect(PushServices().address(of: endpoint) == nil)
    }

    @Test(arguments: [
        ("push.example", "https://push.example/a", "https://push.example:444/a"),
        ("push.example:8443", "https://push.example:8443/a", "https://push.example/a"),
        ("*.push.example", "https://a.push.example/a", "https://push.example/a"),
        ("http://127.0.0.1:8089", "http://127.0.0.1:8089/a", "https://127.0.0.1:8089/a"),
    ])
    func `what the operator names is posted to, and nothing beside it`(
        _ text: String, _ endpoint: String, _ other: String
    ) throws {
        let services = PushServices(adding: [try #require(PushService(text))])
        #expect(services.address(of: endpoint) != nil)
        #expect(services.address(of: other) == nil)
        #expect(services.address(of: "https://fcm.googleapis.com/a") != nil)
    }

    @Test(arguments: [
        "", "*", "*.", "a b", "https://push.example", "http://push.example:80", "push.example/a",
        "a:b",
        "a:0", "a:65536", "a*b", "a@b",
    ])
    func `anything but a host names no service`(_ text: String) {
        #expect(PushService(text) == nil)
    }
}
