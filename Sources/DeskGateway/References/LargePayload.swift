struct PropertyListFault: Error {}
enum LargePayload {
    static func encode(_ b: [UInt8]) -> [UInt8] { b }
    static func decode(_ b: [UInt8]) throws(PropertyListFault) -> [UInt8] { b }
}
