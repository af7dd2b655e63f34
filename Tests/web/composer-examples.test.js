import assert from "node:assert/strict";
import { test } from "node:test";
import { rawOnlyExamples } from "../../web/composer/examples.js";

test("the example of a sign-in ends at a page of this server", () => {
  const context = { id: "m", requestID: "r", business: "b 1", customer: "urn:mbid:YQ==" };
  const redirect = () => rawOnlyExamples.authentication(context)
    .interactiveData.data.authenticate.oauth2.redirectURI;
  globalThis.location = { origin: "http://127.0.0.1:8080" };
  try {
    assert.equal(redirect(), "http://127.0.0.1:8080/b/b%201/signed-in");
  } finally {
    delete globalThis.location;
  }
});
