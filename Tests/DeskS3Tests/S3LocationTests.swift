import DeskS3
import Testing

/// Where a bucket is, and what is none.
@Suite struct S3LocationTests {
    @Test(
        arguments: [
            (
                "s3://attachments", nil, nil,
                "s3://attachments/ at https://attachments.s3.us-east-1.amazonaws.com"
            ),
            (
                "s3://attachments/a/b", nil, "eu-central-1",
                "s3://attachments/a/b/ at https://attachments.s3.eu-central-1.amazonaws.com"
            ),
            (
                "s3://my.files//a/", nil, nil,
                "s3://my.files/a/ at https://s3.us-east-1.amazonaws.com"
            ),
            (
                "s3://attachments", "http://10.0.0.5:9000/", "garage",
                "s3://attachments/ at http://10.0.0.5:9000"
            ),
            (
                "s3://attachments", "HTTPS://S3.example.com:443", nil,
                "s3://attachments/ at https://s3.example.com"
            ),
            (
                "s3://attachments", "http://[::1]:9000", nil,
                "s3://attachments/ at http://[::1]:9000"
            ),
        ] as [(String, String?, String?, String)])
    func `a bucket has an address`(
        text: String, endpoint: String?, region: String?, name: String
    ) throws {
        #expect(try S3Location(text, endpoint: endpoint, region: region).text == name)
    }

    @Test(
        arguments: [
            ("attachments", nil, nil, "it is s3://BUCKET"),
            ("s3://", nil, nil, "a bucket has 3 to 63"),
            ("s3://Attachments", nil, nil, "a bucket has 3 to 63"),
            ("s3://-ab", nil, nil, "a bucket has 3 to 63"),
            ("s3://attachments/a b", nil, nil, "a prefix has"),
            ("s3://attachments/../b", nil, nil, "a prefix has"),
            ("s3://attachments/a?b", nil, nil, "a prefix has"),
            ("s3://attachments", nil, "a b", "a region is a word"),
            ("s3://attachments", "10.0.0.5:9000", nil, "an endpoint is https://HOST"),
            ("s3://attachments", "http://10.0.0.5/path", nil, "an endpoint has a host"),
            ("s3://attachments", "http://name:word@host", nil, "an endpoint has a host"),
        ] as [(String, String?, String?, String)])
    func `what is no bucket is refused in a sentence`(
        text: String, endpoint: String?, region: String?, sentence: String
    ) {
        let fault = #expect(throws: S3Location.Fault.self) {
            try S3Location(text, endpoint: endpoint, region: region)
        }
        #expect(fault?.sentence.contains(sentence) == true, "\(fault?.sentence ?? "")")
    }

    @Test(arguments: [
        ("aws_access_key_id = A\naws_secret_access_key=b+/=\n", true),
        (
            "# ours\n[default]\naws_access_key_id=A\r\n  aws_secret_access_key = b+/=  \n[other]\naws_access_key_id=C\n",
            true
        ),
        ("[other]\naws_access_key_id=A\naws_secret_access_key=b\n", false),
        ("aws_access_key_id=A\n", false),
        ("aws_access_key_id=A\naws_secret_access_key=\n", false),
        ("aws_access_key_id=A B\naws_secret_access_key=b\n", false),
        ("", false),
    ])
    func `the file of every S3 tool is read, and its secret is never shown`(
        text: String, isKey: Bool
    ) {
        let found = S3Credentials(file: Array(text.utf8))
        #expect(found == (isKey ? S3Credentials(keyID: "A", secret: "b+/=") : nil))
        #expect(found.map { "\($0)" } == (isKey ? "A" : nil))
    }
}
