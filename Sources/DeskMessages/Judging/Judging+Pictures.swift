import DeskBytes
import DeskDiagnosis
import DeskJSON

extension Judging {
    /// Most bytes that the edits of one judgement add for pictures; beyond them the fix is given in
    /// words alone.
    static let maximumPictureEditBytes = 1_024 * 1_024

    /// The edits that make base64 of a picture out of something close to it; none where the
    /// result would be no picture.
    mutating func edits(forPicture node: JSONValue, _ text: [UInt8]) -> [Edit] {
        guard mayNote(.pictureNotBase64) else { return [] }
        var letters = text
        let comma = text.prefix(128).firstIndex(of: UInt8(ascii: ","))
        if text.starts(with: Array("data:".utf8)), let comma {
            letters = Array(text[(comma + 1)...])
            // Without escapes the place in the text is that in the source.
            if node.range.count == text.count + 2, Base64Shape.byteCount(of: letters) != nil {
                guard Self.isPicture(letters) else { return [] }
                let start = node.range.lowerBound + 1
                return [Edit(start: start, end: start + comma + 1, replacement: "")]
            }
        }
        guard letters.count <= pictureEditBudget else { return [] }
        if Base64Shape.isHexadecimal(letters) {
            letters = Hex.decode(letters).map { Array(Base64.encode($0).utf8) } ?? []
        } else {
            letters = TextFix.standard(letters)
        }
        guard Base64Shape.byteCount(of: letters) != nil, Self.isPicture(letters) else { return [] }
        pictureEditBudget -= letters.count
        return [.replace(node, withString: String(decoding: letters, as: UTF8.self))]
    }

    private static func isPicture(_ letters: [UInt8]) -> Bool {
        PictureFormat(firstBytes: Base64.decode(Array(letters.prefix(16))) ?? []) != nil
    }
}
