import DeskHTTP
import DeskModel
import DeskStore
import Testing

@testable import DeskS3

/// Signatures, against the example that Amazon's documentation computes.
@Suite struct S3SignatureTests {
    @Test func `the documented request has the documented signature`() throws {
        let credentials = try #require(
            S3Credentials(
                keyID: "AKIAIOSFODNN7EXAMPLE", secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"))
        let fields = S3Signature(credentials: credentials, region: "us-east-1").fields(
            .get, host: "examplebucket.s3.amazonaws.com", path: "/test.txt",
            [("Range", "bytes=0-9")],
            body: S3Signature.emptyDigest, at: Timestamp(seconds: 1_369_353_600))
        #expect(fields["x-amz-date"] == "20130524T000000Z")
        #expect(
            fields["authorization"]
                == "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, "
                + "SignedHeaders=host;range;x-amz-content-sha256;x-amz-date, "
                + "Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41")
        #expect(!fields.all.contains { $0.value.contains("wJalr") })
    }
}
