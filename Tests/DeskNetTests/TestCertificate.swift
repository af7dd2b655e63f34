import DeskCrypto
import Foundation

/// A certificate for `localhost` that only tests trust, as files while this lives; its key protects nothing.
final class TestCertificate: Sendable {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("frontdesk-tls-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(Self.certificate.utf8).write(to: URL(fileURLWithPath: chainFile))
        try Data(Self.key.utf8).write(to: URL(fileURLWithPath: keyFile))
    }

    deinit { try? FileManager.default.removeItem(at: folder) }  // Safe: the folder is temporary.

    var chainFile: String { folder.appendingPathComponent("certificate.pem").path }

    var keyFile: String { folder.appendingPathComponent("key.pem").path }

    func context() throws -> TLSContext {
        try TLSContext(certificateChain: chainFile, privateKey: keyFile)
    }

    private static let certificate = """
        -----BEGIN CERTIFICATE-----
        MIIBlTCCATugAwIBAgIUTPX6HK8sxaauOvu4c2AicrMiig0wCgYIKoZIzj0EAwIw
        FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTA1NDc0NloYDzIxMjYxMDI4
        MDU0NzQ2WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
        PQMBBwNCAASfpmjVzRCClnOZgdgxpfuhxl93PDc4ERtk53sAO2c7GLqemFiF09Fw
        W4Awwpf1sWgpILqUK3vZNXSZGVGxJ2ZJo2kwZzAdBgNVHQ4EFgQUiW0CTZYsbAty
        PmyvgFU6x8kdOD0wHwYDVR0jBBgwFoAUiW0CTZYsbAtyPmyvgFU6x8kdOD0wDwYD
        VR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglsb2NhbGhvc3QwCgYIKoZIzj0EAwID
        SAAwRQIgWi4+kyqLTaPB4fifQuL5SAXLMaCBLfnfc0FiFGMs8YUCIQDuPw8UIflI
        zLgy5HMQncroIs3t97o+WDPID9LI5fIXlA==
        -----END CERTIFICATE-----

        """

    private static let key = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgPLQc/EFzsrOOkkM0
        6isU+ymwBABQjVgWLf4D2OW78fihRANCAASfpmjVzRCClnOZgdgxpfuhxl93PDc4
        ERtk53sAO2c7GLqemFiF09FwW4Awwpf1sWgpILqUK3vZNXSZGVGxJ2ZJ
        -----END PRIVATE KEY-----

        """
}
