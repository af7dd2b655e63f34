package import DeskHTTP
import DeskWeb

/// QR codes as answers.
package enum QRPicture {
    /// The SVG; its content follows from the address, but who may see it does not, so it is not kept.
    package static func svg(_ code: QRCode) -> Response {
        Response(
            status: .ok,
            headers: [
                "Content-Type": "image/svg+xml", "Content-Security-Policy": "default-src 'none'",
                "Cross-Origin-Resource-Policy": "same-origin",
            ], body: .bytes(Array(code.svg.utf8)))
    }

    /// The PNG, for print.
    static func png(_ code: QRCode) throws(Problem) -> Response {
        guard let bytes = code.png() else {
            throw Problem(.unavailable, "The picture could not be made.")
        }
        return Response(
            status: .ok,
            headers: [
                "Content-Type": "image/png", "Cross-Origin-Resource-Policy": "same-origin",
            ], body: .bytes(bytes))
    }
}
