import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { upload } from "../../web/lib/api.js";

/** A request that does what the test says. */
class Line {
  static last = null;
  upload = {};
  status = 0;
  responseText = "";

  constructor() {
    Line.last = this;
  }

  open() {}
  setRequestHeader() {}
  send() {}

  getResponseHeader() {
    return null;
  }

  abort() {
    this.onabort();
    this.onloadend();
  }

  move(loaded) {
    this.upload.onprogress({ lengthComputable: true, loaded, total: 100 });
  }

  answer(status, text) {
    [this.status, this.responseText] = [status, text];
    this.onload();
    this.onloadend();
  }
}

beforeEach(() => {
  globalThis.XMLHttpRequest = Line;
  mock.timers.enable({ apis: ["setTimeout"] });
});

afterEach(() => {
  mock.timers.reset();
  delete globalThis.XMLHttpRequest;
});

test("an upload that stands still ends as one without an answer, however far it came", async () => {
  const shares = [];
  const ended = upload("/files", new Blob(["a"]), { onProgress: (share) => shares.push(share) });
  for (const loaded of [10, 50, 100]) {
    mock.timers.tick(119_000);
    Line.last.move(loaded);
  }
  mock.timers.tick(120_000);
  await assert.rejects(ended, (problem) => problem.isOffline && problem.mayRetry);
  assert.deepEqual(shares, [0.1, 0.5, 1]);
});

test("one that is slow and one that waits for its answer go on, and nothing is left of the limit afterwards", async () => {
  const ended = upload("/files", new Blob(["a"]));
  for (let loaded = 1; loaded <= 100; loaded += 1) {
    mock.timers.tick(100_000);
    Line.last.move(loaded);
  }
  mock.timers.tick(100_000);
  Line.last.answer(201, '{"id":"x"}');
  assert.deepEqual(await ended, { id: "x" });
  Line.last.onabort = () => assert.fail("ended once more");
  mock.timers.tick(500_000);
});

test("one that its user gives up is no lost connection", async () => {
  const control = new AbortController();
  const ended = upload("/files", new Blob(["a"]), { signal: control.signal });
  control.abort();
  await assert.rejects(ended, { name: "AbortError" });
});
