"""An identity provider with OpenID Connect, as its documents describe one; its tokens are signed by PyJWT.

It checks what a client has to send: the redirect address, the client's secret, PKCE. A test sets who signs in, and what is wrong.
"""

import base64
import hashlib
import html
import json
import secrets
import threading
import time
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import jwt
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

CLIENT, SECRET = "front/desk+1", "a-secret:with/everything?&"


class Key:
    """A signing key of the provider."""

    def __init__(self, kid, alg="RS256"):
        self.kid, self.alg = kid, alg
        self.private = {
            "RS256": lambda: rsa.generate_private_key(65_537, 2_048),
            "ES256": lambda: ec.generate_private_key(ec.SECP256R1()),
            "EdDSA": ed25519.Ed25519PrivateKey.generate}[alg]()

    @property
    def jwk(self):
        """The public key, as it is published."""
        algorithm = {"RS256": jwt.algorithms.RSAAlgorithm, "ES256": jwt.algorithms.ECAlgorithm,
                     "EdDSA": jwt.algorithms.OKPAlgorithm}[self.alg]
        return {**json.loads(algorithm.to_jwk(self.private.public_key())), **({"kid": self.kid} if self.kid else {}), "alg": self.alg, "use": "sig"}

    @property
    def pem(self):
        """The public key's text, which anybody has."""
        return self.private.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)


class IdentityProvider:
    """Serves on a port of its own until it is closed."""

    def __init__(self, port=0):
        self.keys = [Key("first")]
        self.person = {"sub": "248289761001", "email": "ada@example.com", "email_verified": True, "name": "Ada at work"}
        # What a test makes wrong: members of the token that are others or missing (None), and how it is signed.
        self.claims, self.sign = {}, None
        # What is answered to a path instead: a status, bytes, or a function that gets the handler.
        self.instead = {}
        self.methods = ["client_secret_basic", "client_secret_post"]
        # Whether a person has to press a button, as in a browser.
        self.has_page = False
        self.codes, self.asked = {}, []
        provider = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def do_GET(self):
                provider.answer(self, b"")

            def do_POST(self):
                provider.answer(self, self.rfile.read(int(self.headers.get("Content-Length", 0))))

        self.server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self.server.daemon_threads = True
        self.port = self.server.server_address[1]
        self.issuer = f"http://127.0.0.1:{self.port}/realm"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        """Ends it; its port answers no more."""
        self.server.shutdown()
        self.server.server_close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    # What it answers

    def answer(self, handler, body):
        """Answers one request."""
        address = urllib.parse.urlsplit(handler.path)
        path = address.path.removeprefix("/realm")
        self.asked.append(path)
        instead = self.instead.get(path)
        if callable(instead):
            return instead(handler)
        if isinstance(instead, int):
            return self.send(handler, instead, b"{}")
        if isinstance(instead, bytes):
            return self.send(handler, 200, instead)
        query = dict(urllib.parse.parse_qsl(address.query))
        match path:
            case "/.well-known/openid-configuration":
                return self.send_json(handler, self.document())
            case "/keys":
                return self.send_json(handler, {"keys": [key.jwk for key in self.keys]})
            case "/authorize":
                return self.authorize(handler, query)
            case "/token":
                return self.token(handler, dict(urllib.parse.parse_qsl(body.decode(), keep_blank_values=True)))
            case "/end":
                return self.send(handler, 200, b"<!doctype html><title>Signed out</title><h1>Signed out there</h1>", "text/html")
            case _:
                return self.send(handler, 404, b"{}")

    def document(self):
        """What it publishes of itself."""
        return {
            "issuer": self.issuer, "authorization_endpoint": f"{self.issuer}/authorize", "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/keys", "end_session_endpoint": f"{self.issuer}/end", "response_types_supported": ["code"],
            "subject_types_supported": ["public"], "id_token_signing_alg_values_supported": ["RS256"],
            "token_endpoint_auth_methods_supported": self.methods, "code_challenge_methods_supported": ["S256"]}

    def authorize(self, handler, query):
        """Has a person sign in; the code belongs to what was asked."""
        assert query["response_type"] == "code" and query["client_id"] == CLIENT, query
        assert query["code_challenge_method"] == "S256" and "openid" in query["scope"].split(), query
        code = secrets.token_urlsafe(16)
        self.codes[code] = query
        back = f"{query['redirect_uri']}?" + urllib.parse.urlencode({"state": query["state"], "code": code, "iss": self.issuer})
        denied = f"{query['redirect_uri']}?" + urllib.parse.urlencode({"state": query["state"], "error": "access_denied"})
        if self.has_page:
            page = (f"<!doctype html><html lang=en><title>Example account</title><h1>Example account</h1>"
                    f"<p><a href=\"{html.escape(back)}\">Sign in as {html.escape(self.person['name'])}</a></p>"
                    f"<p><a href=\"{html.escape(denied)}\">No</a></p>")
            return self.send(handler, 200, page.encode(), "text/html; charset=utf-8")
        handler.send_response(302)
        handler.send_header("Location", back)
        handler.send_header("Content-Length", "0")
        handler.end_headers()
        return None

    def token(self, handler, form):
        """Exchanges a code, once, for the client that it was given to."""
        asked = self.codes.pop(form.get("code"), None)
        challenge = base64.urlsafe_b64encode(hashlib.sha256(form.get("code_verifier", "").encode()).digest()).decode().rstrip("=")
        if not asked or challenge != asked["code_challenge"] or form.get("redirect_uri") != asked["redirect_uri"]:
            return self.send_json(handler, {"error": "invalid_grant"}, 400)
        if not self.is_client(handler, form):
            return self.send_json(handler, {"error": "invalid_client"}, 401)
        return self.send_json(handler, {"token_type": "Bearer", "access_token": "unused", "id_token": self.id_token(asked["nonce"])})

    def is_client(self, handler, form):
        """Whether the client sent its secret as RFC 6749, 2.3.1, says."""
        header = handler.headers.get("Authorization", "")
        if "client_secret_basic" in self.methods and header.startswith("Basic "):
            name, secret = base64.b64decode(header[6:]).decode().split(":")
            return (urllib.parse.unquote_plus(name), urllib.parse.unquote_plus(secret)) == (CLIENT, SECRET)
        return "client_secret_post" in self.methods and (form.get("client_id"), form.get("client_secret")) == (CLIENT, SECRET)

    def id_token(self, nonce):
        """The token, with what the test made wrong."""
        now = int(time.time())
        claims = {"iss": self.issuer, "aud": CLIENT, "iat": now, "exp": now + 300, "nonce": nonce, **self.person, **self.claims}
        claims = {name: value for name, value in claims.items() if value is not None}
        if self.sign:
            return self.sign(claims)
        key = self.keys[0]
        return jwt.encode(claims, key.private, algorithm=key.alg, headers={"kid": key.kid} if key.kid else {})

    def send_json(self, handler, value, status=200):
        """Answers JSON."""
        return self.send(handler, status, json.dumps(value).encode())

    @staticmethod
    def send(handler, status, body, kind="application/json"):
        """Answers bytes."""
        handler.send_response(status)
        handler.send_header("Content-Type", kind)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        try:
            handler.wfile.write(body)
        except BrokenPipeError:
            pass  # The client has read as much as it wanted.
