import DeskWeb
import Testing

@testable import DeskAPI

struct LimitTests {
    @Test func `every limit has a name and every name is one limit's`() {
        // One member of the API's table is the framework's.
        let count =
            Mirror(reflecting: APILimits()).children.count - 1
            + Mirror(reflecting: WebLimits()).children.count
        #expect(APILimits.entries.count == count)
        #expect(Set(APILimits.entries.map(\.name)).count == count)
        var limits = APILimits()
        for (index, entry) in APILimits.entries.enumerated() {
            let isSet = limits.set(entry.name, to: 1 + index)
            #expect(isSet == entry.isSettable)
        }
        for (index, entry) in APILimits.entries.enumerated() {
            let expected = entry.isSettable ? 1 + index : APILimits()[keyPath: entry.place]
            #expect(limits[keyPath: entry.place] == expected)
        }
        let tookZero = limits.set("key-messages-burst", to: 0)
        let tookUnknown = limits.set("no-such-limit", to: 1)
        #expect(!tookZero && !tookUnknown)
    }
}
