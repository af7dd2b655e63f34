import assert from "node:assert/strict";
import { test } from "node:test";
import { readSignInAnswer } from "../../web/cards/sign-in-view.js";
import { Merchant, OFFLINE } from "../../web/phone/merchant.js";

const request = (endpoints, capabilities = ["supports3DS"]) => ({
  id: "m-1", payload: { interactiveData: { data: { payment: {
    endpoints, paymentRequest: { applePay: {
      supportedNetworks: ["amex", "visa"], merchantCapabilities: capabilities } },
  } } } },
});

class Talk {
  asked = [];
  answers = [];
  askMerchant(id, change) {
    this.asked.push([id, change]);
    return this.answers.shift();
  }

  pay(id, message, payment) {
    this.asked.push([id, message, payment]);
    return this.answers.shift();
  }
}

const refusal = (more) => Object.assign(new Error("refused"), { detail: "why", ...more });

test("only an endpoint that is named is called", async () => {
  const talk = new Talk();
  const merchant = new Merchant(talk, request({ shippingMethodUpdateUrl: "https://a.example" }));
  assert.equal(await merchant.change("paymentMethod", { type: "credit" }), null);
  assert.equal(await merchant.change("shippingMethod", null), null);
  assert.deepEqual(talk.asked, []);
  talk.answers.push(Promise.resolve({ update: { newTotal: { amount: "1" } }, problem: null }));
  assert.deepEqual(await merchant.change("shippingMethod", { identifier: "a" }),
    { update: { newTotal: { amount: "1" } }, problem: null });
  assert.deepEqual(talk.asked, [["m-1", { shippingMethod: { identifier: "a" } }]]);
});

test("an answer that a newer change has overtaken is dropped", async () => {
  const talk = new Talk();
  const merchant = new Merchant(talk, request({ shippingMethodUpdateUrl: "https://a.example" }));
  let answerFirst;
  talk.answers.push(new Promise((resolve) => {
    answerFirst = resolve;
  }), Promise.resolve({ update: { newTotal: { amount: "2" } }, problem: null }));
  const first = merchant.change("shippingMethod", { identifier: "a" });
  const second = await merchant.change("shippingMethod", { identifier: "b" });
  answerFirst({ update: { newTotal: { amount: "1" } }, problem: null });
  assert.equal(await first, null);
  assert.equal(second.update.newTotal.amount, "2");
});

test("a payment can wait for the answers to what was changed before it", async () => {
  const talk = new Talk();
  const merchant = new Merchant(talk, request({ shippingMethodUpdateUrl: "https://a.example" }));
  const seen = [];
  let answer;
  talk.answers.push(new Promise((resolve) => {
    answer = resolve;
  }));
  merchant.change("shippingMethod", { identifier: "a" }).then(() => seen.push("applied"));
  merchant.change("paymentMethod", { type: "credit" });
  const waiting = merchant.answered().then(() => seen.push("paid"));
  answer({ update: {}, problem: null });
  await waiting;
  assert.deepEqual(seen, ["applied", "paid"]);
});

test("a lost connection changes nothing and is shown", async () => {
  const talk = new Talk();
  const merchant = new Merchant(talk, request({ shippingMethodUpdateUrl: "https://a.example" }));
  talk.answers.push(Promise.reject(refusal({})));
  const { update, problem } = await merchant.change("shippingMethod", { identifier: "a" });
  assert.deepEqual([update, problem.code], [{}, OFFLINE]);
});

for (const [problem, status] of [
  [refusal({ body: { paymentStatus: "STATUS_PIN_REQUIRED" }, code: "payment_refused" }), "STATUS_PIN_REQUIRED"],
  [refusal({ body: {}, code: "payment_refused" }), "unreachable"],
  [refusal({ body: {}, code: "not_offered" }), "not_offered"],
  [refusal({ mayRetry: true }), OFFLINE],
]) {
  test(`a payment that is refused with ${status} is not paid`, async () => {
    const talk = new Talk();
    talk.answers.push(Promise.reject(problem));
    const refused = await new Merchant(talk, request({})).pay("p-1", { outcome: "success" });
    assert.equal(refused.status, status);
    assert.deepEqual(talk.asked, [["p-1", "m-1", { outcome: "success" }]]);
  });
}

for (const [capabilities, cards] of [
  [["supports3DS"], ["credit", "debit"]],
  [["supports3DS", "supportsDebit"], ["debit"]],
  [["supports3DS", "supportsDebit", "supportsCredit"], ["credit", "debit"]],
]) {
  test(`a merchant with ${capabilities} accepts ${cards}`, () => {
    const merchant = new Merchant(new Talk(), request({}, capabilities));
    assert.deepEqual(merchant.cards, cards);
    assert.equal(merchant.network, "amex");
  });
}

const answer = (authenticate) => ({ interactiveData: { data: { authenticate } } });
const failed = (domain, code, message = "words") =>
  answer({ status: "failed", errors: [{ domain, code, message }] });

for (const [payload, isSignedIn, reason] of [
  [answer({ status: "authenticated", token: "AAAA" }), true, "other"],
  [failed("com.apple.icloud.messages.business.authentication.error", 0), false, "refused"],
  [failed("com.apple.icloud.messages.business.internalAuthentication", 0), false, "failed"],
  [failed("com.apple.icloud.messages.business.cryptor", 1), false, "key"],
  [failed("com.apple.icloud.messages.business.cryptor", 2), false, "key"],
  [failed("com.apple.AuthenticationServices.WebAuthenticationSession", 1), false, "canceled"],
  [failed("com.example", 7), false, "other"],
  [answer(undefined), false, "other"], [null, false, "other"],
]) {
  test(`a sign-in's answer ${JSON.stringify(payload).slice(0, 90)} is read`, () => {
    const read = readSignInAnswer(payload);
    assert.deepEqual([read.isSignedIn, read.reason], [isSignedIn, reason]);
    assert.ok(!JSON.stringify(read).includes("AAAA"));
  });
}

test("an unknown status of a sign-in is no failure and is shown unchanged", () => {
  assert.equal(readSignInAnswer(answer({ status: "pendingReview" })).otherStatus, "pendingReview");
  for (const status of ["authenticated", "failed", undefined]) {
    assert.equal(readSignInAnswer(answer({ status })).otherStatus, "");
  }
});
