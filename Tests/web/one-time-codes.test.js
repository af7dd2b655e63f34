import assert from "node:assert/strict";
import { test } from "node:test";
import { grouped, isComplete, plainCode, recoveryFile } from "../../web/console/one-time-codes.js";

test("a secret is shown in groups of four, the last of which may be shorter", () => {
  assert.equal(grouped("JBSWY3DPEHPK3PXP"), "JBSW Y3DP EHPK 3PXP");
  assert.equal(grouped("ABCDEF"), "ABCD EF");
  assert.equal(grouped(""), "");
});

test("a code is read without what groups it, and in the width of a Japanese keyboard", () => {
  for (const typed of ["123456", "123 456", " 123-456\n", "\uFF11\uFF12\uFF13\u3000\uFF14\uFF15\uFF16", "12\u201034\u200956"]) {
    assert.equal(plainCode(typed), "123456", JSON.stringify(typed));
  }
  assert.equal(plainCode("7k3m-q9tx-w2bd-0h5r"), "7k3mq9txw2bd0h5r");
});

test("six digits may be a code of an app, and anything a recovery code", () => {
  const cases = [["123 456", true], ["12345", false], ["1234567", false], ["12a456", false], ["", false]];
  for (const [typed, isCode] of cases) assert.equal(isComplete(typed, false), isCode, typed);
  assert.equal(isComplete("7K3M-Q9TX-W2BD-0H5R", true), true);
  assert.equal(isComplete(" - ", true), false);
});

test("the file of recovery codes names the account, and has a code in each line", () => {
  const file = recoveryFile({ title: "Codes", account: "ada@example.com", lead: "Each once.", codes: ["A-B", "C-D"] });
  assert.deepEqual(file.split("\n"), ["Codes", "ada@example.com", "", "A-B", "C-D", "", "Each once.", ""]);
});
