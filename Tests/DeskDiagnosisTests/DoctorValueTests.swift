import DeskBytes
import DeskDiagnosis
import TestSupport
import Testing

struct DoctorValueTests {
    /// One value of a payload, and what the doctor makes of it.
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        /// A payload with `@` in the place of the value.
        let frame: String
        let value: String
        let id: String
        let repaired: String

        var testDescription: String { name }
        var text: DoctorCase {
            DoctorCase(
                name, Array(frame.replacing("@", with: value).utf8), [id],
                Array(frame.replacing("@", with: repaired).utf8))
        }

        init(_ name: String, _ frame: String, _ value: String, _ id: String, _ repaired: String) {
            self.name = name
            self.frame = frame
            self.value = value
            self.id = id
            self.repaired = repaired
        }
    }

    private static let png: [UInt8] = {
        var bytes = PictureBytes.pngMark
        for index in 0..<40 { bytes.append(UInt8(255 - index * 5)) }
        return bytes
    }()
    private static let picture = Base64.encode(png)
    private static let sum: [UInt8] = (0..<21).map { $0 == 0 ? 1 : UInt8(251 - $0 * 3) }
    private static let key: [UInt8] = (0..<32).map { UInt8($0 * 7 + 1) }

    private static let marked: [UInt8] = [251, 255] + sum
    private static let longKey: [UInt8] = [0] + key

    private static let images =
        #"{"interactiveData":{"data":{"images":[{"identifier":"1","data":"@"}]}}}"#
    private static let link = #"{"richLinkData":{"url":"@"}}"#
    private static let file = #"{"attachments":[{"url":"https://a.example/","@"}]}"#
    private static let app = #"{"interactiveData":{"URL":"@"}}"#
    private static let slot =
        #"{"interactiveData":{"data":{"event":{"timeslots":[{"startTime":"@"}]}}}}"#

    // A statement each: one literal of them all costs the compiler minutes.
    static let rows: [Row] = {
        var rows: [Row] = []
        func add(
            _ name: String, _ frame: String, _ value: String, _ id: String, _ repaired: String
        ) {
            rows.append(Row(name, frame, value, id, repaired))
        }
        add("hex of a picture", images, Hex.encode(png), "hex-for-base64", picture)
        add("HEX of a picture", images, Hex.encode(png).uppercased(), "hex-for-base64", picture)
        add(
            "base64 of hex", images, Base64.encode(Array(Hex.encode(png).utf8)), "base64-of-hex",
            picture)
        add("base64 twice", images, Base64.encode(Array(picture.utf8)), "base64-twice", picture)
        add(
            "base64 of gzip", images, Base64.encode((try? Gzip.compress(png)) ?? []),
            "base64-of-gzip", picture)
        add("base64url", images, Base64.encode(png, alphabet: .url), "base64url", picture)
        add(
            "base64 in two lines", images, #"\#(picture.prefix(20))\r\n\#(picture.dropFirst(20))"#,
            "base64-layout", picture)
        add("a data: address", images, "data:image/png;base64,\(picture)", "data-url", picture)
        add(
            "percent-encoded base64", images,
            picture.replacing("+", with: "%2B").replacing("/", with: "%2F").replacing(
                "iVBOR", with: "%69VBOR"), "percent-encoded-url", picture)
        add(
            "the logo of an invitation",
            #"{"notification":{"parameters":{"brandLogo":"@"}}}"#, Hex.encode(png),
            "hex-for-base64", picture)
        add(
            "a signature in hex", file, #"signature-base64":"\#(Hex.encode(sum))"#,
            "hex-for-base64", #"signature-base64":"\#(Base64.encode(sum))"#)
        add(
            "a signature, base64 of hex", file,
            #"signature-base64":"\#(Base64.encode(Array(Hex.encode(sum).utf8)))"#,
            "base64-of-hex", #"signature-base64":"\#(Base64.encode(sum))"#)
        add(
            "a signature in base64url", file,
            #"signature-base64":"\#(Base64.encode(marked, alphabet: .url))"#,
            "base64url", #"signature-base64":"\#(Base64.encode(marked))"#)
        add(
            "a key in base64", file, #"key":"\#(Base64.encode(key))"#, "base64-for-hex",
            #"key":"00\#(Hex.encode(key))"#)
        add(
            "a key in base64 with its first byte", file, #"key":"\#(Base64.encode(longKey))"#,
            "base64-for-hex", #"key":"00\#(Hex.encode(key))"#)
        add(
            "a check sum in base64", file, #"signature":"\#(Base64.encode(sum))"#,
            "base64-for-hex", #"signature":"\#(Hex.encode(sum))"#)
        add(
            "a check sum of 2016 in base64", file,
            #"mmcs-signature-hex":"\#(Base64.encode(sum))"#, "base64-for-hex",
            #"mmcs-signature-hex":"\#(Hex.encode(sum))"#)
        add(
            "an address encoded twice", link, "https://a.example/a%2520b?q=%25C3%25A9",
            "double-percent-encoding", "https://a.example/a%20b?q=%C3%A9")
        add(
            "an app's query encoded twice", app, "?a=%252Fb&c=d%2520e", "double-percent-encoding",
            "?a=%2Fb&c=d%20e")
        add(
            "a whole address encoded", link, "https%3A%2F%2Fa.example%2Fb%3Fc%3Dd",
            "percent-encoded-url", "https://a.example/b?c=d")
        add(
            "a whole address encoded twice", link, "https%253A%252F%252Fa.example%252F",
            "double-percent-encoding", "https://a.example/")
        add(
            "an address with letters beyond ASCII", link, "https://a.example/café", "outside-plane",
            "https://a.example/caf%C3%A9")
        add(
            "a moment from a Japanese keyboard", slot, "２０２６-12-01T10:00+0000",
            "outside-plane", "2026-12-01T10:00+0000")
        add(
            "a moment with another minus", slot, "2026\u{2212}12\u{2011}01T10:00+0000",
            "outside-plane", "2026-12-01T10:00+0000")
        add(
            "an id with something unseen", #"{"sourceId":"@"}"#, "b9159070\u{200B}-c454",
            "outside-plane", "b9159070-c454")
        return rows
    }()

    /// Values that look as if, and that must stay as they are.
    static let meant: [String] = {
        var values: [String] = []
        // Base64 of a picture stays, whatever letters it has.
        values.append(images.replacing("@", with: picture))
        // Hex of something that is no picture: what it should be is not known.
        values.append(images.replacing("@", with: "deadbeefdeadbeefdeadbeefdeadbeef"))
        values.append(images.replacing("@", with: ""))
        values.append(images.replacing("@", with: "iVBORw0KGgo"))
        // Base64 that happens to consist of few hexadecimal digits.
        values.append(file.replacing("@", with: #"signature-base64":"abcdef012345"#))
        // Base64 of mixed case whose letters are all digits of hex.
        values.append(
            file.replacing(
                "@", with: #"signature-base64":"AbCdEf0123456789AbCdEf0123456789AbCdEf01"#))
        values.append(file.replacing("@", with: #"signature-base64":"\#(Base64.encode(sum))"#))
        values.append(file.replacing("@", with: #"signature":"\#(Hex.encode(sum))"#))
        values.append(file.replacing("@", with: #"key":"00\#(Hex.encode(key))"#))
        // The same names elsewhere mean something else.
        values.append(#"{"parameters":{"key":"\#(Base64.encode(key))"}}"#)
        values.append(
            #"{"interactiveData":{"data":{"listPicker":{"data":"\#(Hex.encode(png))"}}}}"#)
        // An address that carries another one, or a percent sign of its own.
        values.append(
            link.replacing("@", with: "https://a.example/?to=https%3A%2F%2Fb.example%3Fq%3Da%2520b")
        )
        values.append(link.replacing("@", with: "https://a.example/?off=20%25deal&x=%41"))
        values.append(link.replacing("@", with: "https://a.example/100%25"))
        values.append(link.replacing("@", with: "https://a.example/%25de"))
        values.append(link.replacing("@", with: "https://a.example/%2541"))
        values.append(app.replacing("@", with: "?to=https%3A%2F%2Fb.example"))
        // Fields for people accept any letter.
        values.append(#"{"type":"text","body":"１２３ %2520 deadbeefdeadbeefdeadbeefdeadbeef"}"#)
        values.append(#"{"interactiveData":{"receivedMessage":{"title":"“Größe” １２"}}}"#)
        values.append(#"{"sourceId":"日本"}"#)
        values.append(#"{"attachments":"none"}"#)
        values.append(#"{"items":"[1"}"#)
        return values
    }()

    @Test(arguments: rows)
    func `a value that is not what its field holds is recognised and undone`(_ row: Row) {
        let diagnosis = Doctor.examine(row.text.bytes)
        #expect(diagnosis.defects.map(\.id) == [row.id])
        #expect(diagnosis.defects.first?.pointer?.isEmpty == false)
        #expect(
            diagnosis.repaired.map { String(decoding: $0, as: UTF8.self) }
                == row.frame.replacing("@", with: row.repaired))
    }

    @Test func `an object written as a text is put back, with all in it`() throws {
        let inner = #"{"data":{"images":[{"identifier":"1","data":"\#(Hex.encode(Self.png))"}]}}"#
        let escaped = inner.replacing("\"", with: "\\\"")
        let text = #"{"type":"interactive","interactiveData":"\#(escaped)"}"#
        let diagnosis = Doctor.examine(Array(text.utf8))
        #expect(diagnosis.defects.map(\.id) == ["json-in-string", "hex-for-base64"])
        let repaired = try #require(diagnosis.repaired)
        #expect(String(decoding: repaired, as: UTF8.self).contains("\"data\":\"\(Self.picture)\""))
    }

    @Test(arguments: meant)
    func `a value that may be meant stays as it is`(_ text: String) {
        let diagnosis = Doctor.examine(Array(text.utf8))
        #expect(diagnosis.defects.map(\.id) == [])
        #expect(diagnosis.repaired == nil)
    }

    @Test func `emoji in a title are pointed out, and left`() {
        let text = #"{"interactiveData":{"receivedMessage":{"title":"Pizza 🍕"}}}"#
        let diagnosis = Doctor.examine(Array(text.utf8))
        #expect(diagnosis.defects.map(\.id) == ["outside-plane"])
        #expect(diagnosis.defects.first?.repaired == "\"Pizza\"")
        #expect(diagnosis.isHealthy && diagnosis.repaired == nil)
    }
}
