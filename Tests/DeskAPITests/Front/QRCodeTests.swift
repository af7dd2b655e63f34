import DeskBytes
import Testing

@testable import DeskAPI

struct QRCodeTests {
    @Test(arguments: [1, 40, 200, QRCode.maximumBytes])
    func `a text becomes a square with three finder patterns`(count: Int) throws {
        let code = try #require(QRCode(String(repeating: "a", count: count)))
        #expect((code.side - 17) % 4 == 0)
        for (column, row) in [(0, 0), (code.side - 7, 0), (0, code.side - 7)] {
            #expect((0..<7).allSatisfy { code.isDark(column + $0, row) })
            #expect((1..<6).allSatisfy { !code.isDark(column + $0, row + 1) })
            #expect(code.isDark(column + 3, row + 3))
        }
    }

    @Test(arguments: [0, QRCode.maximumBytes + 1])
    func `nothing, or too much, makes no code`(count: Int) {
        #expect(QRCode(String(repeating: "a", count: count)) == nil)
    }

    @Test func `outside the code everything is light`() throws {
        let code = try #require(QRCode("http://127.0.0.1/b/1"))
        #expect(!code.isDark(-1, 0) && !code.isDark(0, code.side) && !code.isDark(code.side, 0))
    }

    @Test func `the PNG says its size and ends as it must`() throws {
        let code = try #require(QRCode("http://127.0.0.1/b/1"))
        let file = try #require(code.png(scale: 4))
        let side = (code.side + 8) * 4
        #expect(file.starts(with: [0x89, 0x50, 0x4E, 0x47]))
        #expect(Array(file[16..<24]) == [0, 0, 0, UInt8(side), 0, 0, 0, UInt8(side)])
        #expect(file.suffix(4) == [0xAE, 0x42, 0x60, 0x82])
    }

    @Test func `the terminal shows as many rows as half the modules`() throws {
        let code = try #require(QRCode("http://127.0.0.1/b/1"))
        #expect(code.terminal.split(separator: "\n").count == (code.side + 4 + 1) / 2)
    }
}
