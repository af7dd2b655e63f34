import DeskBytes
import DeskJSON

/// The binary form of large interactive data, which `decodePayload` and `encodePayload` turn to and
/// from JSON (protocol page 1.2, 2.4, 2.5).
///
/// It is our own, in the shape that devices are seen to use: a keyed archive of a dictionary whose
/// `data` is the JSON text of `interactiveData.data`, beside `bid`, `URL`, `sessionIdentifier` and
/// `ldtext` (the summary line) as texts. So that `decode` gives back exactly the bytes that `encode`
/// was given, the JSON text before and after that value is kept too, as `frontdesk.before` and
/// `frontdesk.after`. An archive without these two, such as another's, is put together anew.
package enum LargePayload {
    /// Most bytes that an archive may have, unpacked: 4 MiB of JSON and what the list adds.
    package static let maximumBytes = 4_194_304 + 65_536

    private static let before = "frontdesk.before"
    private static let after = "frontdesk.after"
    private static let texts = ["bid", "sessionIdentifier", "URL"]
    private static let archiver = "NSKeyedArchiver"

    /// Packs the JSON text of interactive data.
    package static func encode(_ text: [UInt8]) -> [UInt8] {
        var members: [PropertyList.Member] = []
        // Safe: a text that is no JSON is kept whole.
        let root = try? JSONDocument(parsing: text).root
        if let data = root?["data"] {
            members.append(.init("data", .data(Array(data.rawBytes))))
            members.append(.init(before, .data(Array(text[..<data.range.lowerBound]))))
            members.append(.init(after, .data(Array(text[data.range.upperBound...]))))
        } else {
            members.append(.init(before, .data(text)))
            members.append(.init(after, .data([])))
        }
        for name in texts {
            if let value = root?[name]?.string { members.append(.init(name, .string(value))) }
        }
        let received = root?["data"]?["receivedMessage"] ?? root?["receivedMessage"]
        if let title = received?["title"]?.string {
            members.append(.init("ldtext", .string(title)))
        }
        return PropertyListWriter.bytes(of: archive(of: members))
    }

    /// Unpacks to the JSON text of interactive data; gzip data are unpacked first.
    ///
    /// Limit: `maximumBytes` after gzip, and those of `PropertyListReader`.
    /// - Throws: why the bytes are no such archive. That the text is JSON is not looked at where it
    ///   was kept whole.
    package static func decode(_ packed: [UInt8]) throws(PropertyListFault) -> [UInt8] {
        let members = try members(of: PropertyListReader.read(unzipped(packed)))
        let data = members["data"]?.bytes
        if let before = members[before]?.bytes, let after = members[after]?.bytes {
            return before + (data ?? []) + after
        }
        return try rebuilt(members, data)
    }

    private static func unzipped(_ packed: [UInt8]) throws(PropertyListFault) -> [UInt8] {
        guard Gzip.isGzip(packed) else { return packed }
        do throws(GzipError) {
            return try Gzip.decompress(packed, limitBytes: maximumBytes)
        } catch {
            throw error == .tooLarge ? .tooLarge : .gzip
        }
    }

    private static func archive(of members: [PropertyList.Member]) -> PropertyList {
        // After "$null" and the root come the keys, the values and the root's class.
        let count = UInt64(members.count)
        let keys = (0..<count).map { PropertyList.uid(2 + $0) }
        let values = (0..<count).map { PropertyList.uid(2 + count + $0) }
        let root = PropertyList.dictionary([
            .init("$class", .uid(2 + count * 2)),
            .init("NS.keys", .array(keys)), .init("NS.objects", .array(values)),
        ])
        var objects: [PropertyList] = [.string("$null"), root]
        objects += members.map { .string($0.key) }
        objects += members.map { $0.value }
        objects.append(
            .dictionary([
                .init("$classes", .array([.string("NSDictionary"), .string("NSObject")])),
                .init("$classname", .string("NSDictionary")),
            ]))
        return .dictionary([
            .init("$version", .integer(100_000)), .init("$archiver", .string(archiver)),
            .init("$top", .dictionary([.init("root", .uid(1))])),
            .init("$objects", .array(objects)),
        ])
    }

    /// The archived dictionary's members, their references followed.
    private static func members(
        of list: PropertyList
    ) throws(PropertyListFault) -> PropertyList {
        guard list["$archiver"]?.text == archiver, let objects = list["$objects"]?.elements,
            let root = followed(list["$top"]?["root"], in: objects)
        else { throw .notArchive }
        guard let keys = root["NS.keys"]?.elements, let values = root["NS.objects"]?.elements,
            keys.count == values.count
        else { throw .rootNotDictionary }
        var members: [PropertyList.Member] = []
        for (key, value) in zip(keys, values) {
            guard let name = followed(key, in: objects)?.text,
                let value = followed(value, in: objects)
            else { throw .rootNotDictionary }
            members.append(.init(name, value))
        }
        return .dictionary(members)
    }

    private static func followed(
        _ reference: PropertyList?, in objects: [PropertyList]
    ) -> PropertyList? {
        guard let place = reference?.reference, place < UInt64(objects.count) else { return nil }
        return objects[Int(place)]
    }

    /// Interactive data of an archive that is not ours.
    private static func rebuilt(
        _ members: PropertyList, _ data: [UInt8]?
    ) throws(PropertyListFault) -> [UInt8] {
        var json = JSON.object([])
        for name in texts {
            if let text = members[name]?.text { json.add(name, .string(text)) }
        }
        if let data {
            // Safe: what is no JSON is no interactive data.
            guard (try? JSONDocument(parsing: data)) != nil else { throw .dataNotJSON }
            json.add("data", .raw(data))
        }
        guard data != nil || json["URL"] != nil else { throw .noContent }
        return json.bytes()
    }
}
