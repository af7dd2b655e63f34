import assert from "node:assert/strict";
import { test } from "node:test";
import { authenticationPayload, tryingPage } from "../../web/composer/kinds/authentication.js";

const context = { id: "m", requestID: "r", business: "b 1", customer: "urn:mbid:YQ==" };

test("the example of a sign-in ends at a page of this server", () => {
  globalThis.location = { origin: "http://127.0.0.1:8080" };
  try {
    assert.equal(tryingPage(context), "http://127.0.0.1:8080/b/b%201/signed-in");
  } finally {
    delete globalThis.location;
  }
});

test("a sign-in names what belongs to its version only, and a fresh state where none is written", () => {
  const card = { title: "T", subtitle: "", style: "icon", picture: null, alternateTitle: "" };
  const draft = {
    received: card, reply: card, way: "page", responseType: "token", scopes: "profile, email,,\n", state: "",
    redirectURI: "https://shop.example/in", key: "B", secret: "s",
  };
  const { data } = authenticationPayload(draft, context).interactiveData;
  assert.equal(data.version, "2.0");
  assert.deepEqual(data.authenticate.oauth2,
    { responseType: "code", scope: ["profile", "email"], state: "r", redirectURI: "https://shop.example/in" });
  const keyed = authenticationPayload({ ...draft, way: "key", state: "own" }, context).interactiveData.data;
  assert.equal(keyed.version, "1.0");
  assert.deepEqual(keyed.authenticate.oauth2,
    { responseType: "token", scope: ["profile", "email"], state: "own", responseEncryptionKey: "B", clientSecret: "s" });
});
