"""An identity provider with SAML 2.0: pysaml2 reads our metadata and requests and makes the responses, xmlsec1 signs.

A test sets who signs in, and what is wrong: `build` makes a response by hand, of which every part can be another, and
signs what a test wants signed.
"""

import base64
import datetime
import html
import pathlib
import secrets
import subprocess
import threading
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID
from saml2 import BINDING_HTTP_REDIRECT
from saml2.config import IdPConfig
from saml2.metadata import entity_descriptor
from saml2.saml import NAMEID_FORMAT_PERSISTENT, NAMEID_FORMAT_UNSPECIFIED, NameID
from saml2.server import Server
from saml2.xmldsig import DIGEST_SHA256, SIG_RSA_SHA256

XMLSEC = "/usr/bin/xmlsec1"
P, A, DS = "urn:oasis:names:tc:SAML:2.0:protocol", "urn:oasis:names:tc:SAML:2.0:assertion", "http://www.w3.org/2000/09/xmldsig#"
EXCLUSIVE, ENVELOPED = "http://www.w3.org/2001/10/xml-exc-c14n#", DS + "enveloped-signature"
RSA_SHA256, SHA256 = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256", "http://www.w3.org/2001/04/xmlenc#sha256"
ECDSA_SHA256 = "http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256"
METADATA = "urn:oasis:names:tc:SAML:2.0:metadata"
SUCCESS = "urn:oasis:names:tc:SAML:2.0:status:Success"


class Signer:
    """A key and its certificate, as files."""

    def __init__(self, folder, kind="rsa", bits=2_048):
        folder = pathlib.Path(folder)
        name = secrets.token_hex(4)
        self.key, self.certificate = folder / f"{name}.key", folder / f"{name}.crt"
        private = rsa.generate_private_key(65_537, bits) if kind == "rsa" else ec.generate_private_key(ec.SECP256R1())
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "id.example.com")])
        # Long over: the operator trusts the key, and not its dates.
        start = datetime.datetime(2020, 1, 1)
        made = x509.CertificateBuilder().subject_name(subject).issuer_name(subject).public_key(private.public_key()).serial_number(
            1).not_valid_before(start).not_valid_after(start + datetime.timedelta(days=30)).sign(private, hashes.SHA256())
        self.key.write_bytes(private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
        self.certificate.write_bytes(made.public_bytes(Encoding.PEM))
        self.text = base64.b64encode(made.public_bytes(Encoding.DER)).decode()

    def sign(self, text, name, identifier):
        """The document with the signature in the element of this name and id made by xmlsec1."""
        file = self.key.with_suffix(f".{secrets.token_hex(4)}.xml")
        file.write_text(text)
        made = subprocess.run([XMLSEC, "--sign", "--privkey-pem", str(self.key), "--id-attr:ID", name, "--node-id", identifier, str(file)],
                              capture_output=True, text=True, timeout=30)
        file.unlink()
        assert made.returncode == 0, made.stderr
        return made.stdout


def template(identifier, *, method=RSA_SHA256, digest=SHA256, canonical=EXCLUSIVE, transforms=(ENVELOPED, EXCLUSIVE), uri=None, more="", inclusive=""):
    """A signature that is still to be made."""
    prefixes = f'<ec:InclusiveNamespaces xmlns:ec="{EXCLUSIVE}" PrefixList="{inclusive}"/>' if inclusive else ""
    each = "".join(f'<ds:Transform Algorithm="{one}">{prefixes if one == EXCLUSIVE else ""}</ds:Transform>' for one in transforms)
    return (f'<ds:Signature xmlns:ds="{DS}"><ds:SignedInfo><ds:CanonicalizationMethod Algorithm="{canonical}"/>'
            f'<ds:SignatureMethod Algorithm="{method}"/><ds:Reference URI="{f"#{identifier}" if uri is None else uri}">'
            f'<ds:Transforms>{each}</ds:Transforms><ds:DigestMethod Algorithm="{digest}"/><ds:DigestValue/></ds:Reference>{more}'
            "</ds:SignedInfo><ds:SignatureValue/></ds:Signature>")


def moment(seconds=0):
    """A time so many seconds from now, as SAML writes it."""
    return (datetime.datetime.now(datetime.UTC) + datetime.timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%SZ")


def described(certificate, *, more="", location="https://id.example.com/login", use=' use="signing"', binding="HTTP-Redirect"):
    """Metadata of a provider."""
    return (f'<EntityDescriptor xmlns="{METADATA}" entityID="https://id.example.com"><IDPSSODescriptor protocolSupportEnumeration="{P}">'
            f'<KeyDescriptor{use}><KeyInfo xmlns="{DS}"><X509Data><X509Certificate>{certificate}</X509Certificate></X509Data></KeyInfo></KeyDescriptor>'
            f'<SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:{binding}" Location="{location}"/></IDPSSODescriptor>{more}</EntityDescriptor>')


class SAMLProvider:
    """Serves on a port of its own until it is closed."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.signer = Signer(folder)
        self.person = {"subject": "u-1", "email": "ada@example.com", "name": "Ada at work"}
        # What a response is instead: a function that gets the id of the request.
        self.respond = None
        # Whether a person has to press a button, as in a browser.
        self.has_page = False
        self.server, self.asked = None, []
        provider = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_):
                pass

            def do_GET(self):
                provider.answer(self)

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.http.server_address[1]}"
        self.entity = f"{self.url}/metadata"
        threading.Thread(target=self.http.serve_forever, daemon=True).start()
        self.metadata = self.folder / "provider.xml"
        self.metadata.write_text(str(entity_descriptor(self._configuration())))

    def _configuration(self, service=None):
        """What pysaml2 is to be, with our metadata once they are known."""
        made = {
            "entityid": self.entity, "xmlsec_binary": XMLSEC, "key_file": str(self.signer.key), "cert_file": str(self.signer.certificate),
            "service": {"idp": {
                "endpoints": {"single_sign_on_service": [(f"{self.url}/login?tenant=1", BINDING_HTTP_REDIRECT)]},
                "want_authn_requests_signed": False, "name_id_format": [NAMEID_FORMAT_PERSISTENT]}},
        }
        if service:
            made["metadata"] = {"local": [str(service)]}
        return IdPConfig().load(made)

    def learn(self, metadata):
        """Reads the metadata of the server, as an administrator uploads them."""
        file = self.folder / "service.xml"
        file.write_text(metadata)
        self.server = Server(config=self._configuration(file))

    def close(self):
        """Ends it."""
        self.http.shutdown()
        self.http.server_close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def answer(self, handler):
        """Its page: a form that the browser posts to the server."""
        query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(handler.path).query))
        self.asked.append(query)
        response, address = self.response(query["SAMLRequest"])
        send = '<button>Continue</button>' if self.has_page else '<script>document.forms[0].submit()</script>'
        fields = {"SAMLResponse": base64.b64encode(response.encode()).decode(), "RelayState": query.get("RelayState", "")}
        inputs = "".join(f'<input type="hidden" name="{name}" value="{html.escape(value)}">' for name, value in fields.items())
        page = (f'<!doctype html><title>Sign in</title><h1>{html.escape(self.person["name"])}</h1>'
                f'<form method="post" action="{html.escape(address)}">{inputs}{send}</form>').encode()
        handler.send_response(200)
        handler.send_header("Content-Type", "text/html; charset=utf-8")
        handler.send_header("Content-Length", str(len(page)))
        handler.end_headers()
        handler.wfile.write(page)

    def response(self, packed):
        """The answer to a request, and where it goes, as pysaml2 reads it out of our metadata."""
        request = self.server.parse_authn_request(packed, BINDING_HTTP_REDIRECT).message
        address = self.server.response_args(request)["destination"]
        if self.respond:
            return self.respond(request.id), address
        identity = {"mail": [self.person["email"]], "displayName": [self.person["name"]]}
        return str(self.server.create_authn_response(
            {name: value for name, value in identity.items() if value[0]}, in_response_to=request.id, destination=address,
            sp_entity_id=request.issuer.text, userid=self.person["subject"],
            name_id=NameID(format=self.person.get("format", NAMEID_FORMAT_UNSPECIFIED), text=self.person["subject"]),
            authn={"class_ref": "urn:oasis:names:tc:SAML:2.0:ac:classes:Password", "authn_auth": self.entity},
            sign_response=self.person.get("sign_response", False), sign_assertion=self.person.get("sign_assertion", True),
            sign_alg=SIG_RSA_SHA256, digest_alg=DIGEST_SHA256)), address


def build(provider, origin, request, *, signer=None, signs="assertion", subject="u-1", email="ida@example.com", **more):
    """A response made by hand; `more` has what is another: parts of it, or of the signature."""
    it = {
        "issuer": provider.entity, "version": "2.0", "status": SUCCESS, "destination": f"{origin}/sso/acs", "recipient": f"{origin}/sso/acs",
        "audience": f"{origin}/sso/metadata", "answers": request, "begin": moment(-5), "end": moment(300), "confirmed": moment(300),
        "format": "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent", "method": "urn:oasis:names:tc:SAML:2.0:cm:bearer",
        "conditions": "", "authentication": f'<saml:AuthnStatement AuthnInstant="{moment()}"><saml:AuthnContext/></saml:AuthnStatement>',
        "attributes": f'<saml:Attribute Name="email"><saml:AttributeValue>{email}</saml:AttributeValue></saml:Attribute>',
        "beside": "", "name_id": None, "signature": {}, **more}
    name = it["name_id"] or f'<saml:NameID Format="{it["format"]}">{subject}</saml:NameID>'
    audience = f'<saml:AudienceRestriction><saml:Audience>{it["audience"]}</saml:Audience></saml:AudienceRestriction>' if it["audience"] else ""
    own = template("a-1", **it["signature"]) if signs in ("assertion", "both") else ""
    around = template("r-1", **it["signature"]) if signs in ("response", "both") else ""
    assertion = (
        f'<saml:Assertion xmlns:saml="{A}" ID="a-1" Version="{it["version"]}" IssueInstant="{moment()}"><saml:Issuer>{it["issuer"]}</saml:Issuer>{own}'
        f'<saml:Subject>{name}<saml:SubjectConfirmation Method="{it["method"]}"><saml:SubjectConfirmationData InResponseTo="{it["answers"]}" '
        f'NotOnOrAfter="{it["confirmed"]}" Recipient="{it["recipient"]}"/></saml:SubjectConfirmation></saml:Subject>'
        f'<saml:Conditions NotBefore="{it["begin"]}" NotOnOrAfter="{it["end"]}">{audience}{it["conditions"]}</saml:Conditions>'
        f'{it["authentication"]}<saml:AttributeStatement>{it["attributes"]}</saml:AttributeStatement></saml:Assertion>')
    text = (
        f'<samlp:Response xmlns:samlp="{P}" ID="r-1" Version="2.0" IssueInstant="{moment()}" Destination="{it["destination"]}" '
        f'InResponseTo="{it["answers"]}">{around}<samlp:Status><samlp:StatusCode Value="{it["status"]}"/></samlp:Status>'
        f'{assertion}{it["beside"]}</samlp:Response>')
    signer = signer or provider.signer
    if signs in ("assertion", "both"):
        text = signer.sign(text, f"{A}:Assertion", "a-1")
    if signs in ("response", "both"):
        text = signer.sign(text, f"{P}:Response", "r-1")
    return text
