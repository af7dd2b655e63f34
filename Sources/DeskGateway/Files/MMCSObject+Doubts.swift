import DeskBytes
import DeskJSON
import DeskModel

extension MMCSObject {
    /// What a dictionary says of the object that is not so: a device would not get it, though its address and key are
    /// right (protocol page 4, 3.13).
    ///
    /// - Parameter value: an attachment, or a reference to interactive data.
    func doubts(of value: JSONValue) -> [String] {
        var found: [String] = []
        let place = value.pointer
        if let owner = value["owner"]?.string ?? value["mmcs-owner"]?.string,
            owner != MediaObjectStore.owner
        {
            found.append("\(place)/owner is \(Quoted.text(owner)), and preUpload answered another.")
        }
        let size = value["size"] ?? value["file-size"]
        if let stated = size?.int ?? size?.string.flatMap({ Int($0) }), stated != byteCount {
            found.append("\(place)/size is \(stated), and the object has \(byteCount) bytes.")
        }
        for (name, bytes) in [
            ("signature-base64", value["signature-base64"]?.string.flatMap { Base64.decode($0) }),
            ("signature", value["signature"]?.string.flatMap { Hex.decode($0) }),
        ] where value[name]?.string != nil {
            guard bytes != signature else { continue }
            let isOfDigits = bytes.map {
                Hex.decode(String(decoding: $0, as: UTF8.self)) == signature
            }
            found.append(
                "\(place)/\(name) is not the upload's fileChecksum"
                    + (isOfDigits == true
                        ? ": it is the base64 of the hexadecimal digits, not of the bytes." : "."))
        }
        return found
    }
}
