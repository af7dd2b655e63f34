import { api, upload } from "../lib/api.js";
import { language } from "../lib/i18n.js";
import { LiveConnection } from "../lib/live.js";
import { factsOf } from "./known-business.js";
import { makeSecret, makeUUID } from "../lib/uuid.js";
import { storageOrNull } from "./memory.js";
import { Outbox, unsentText } from "./outbox.js";
import { isReference } from "../lib/payload.js";
import { placeOf } from "./route.js";
import { fillThin } from "./thread-filling.js";
import { ThreadState } from "./thread-state.js";
import { BusinessTyping, CustomerTyping } from "./typing-signal.js";

/**
 * One customer's conversation with one business: what is known, what is under way, what may be
 * done. No drawing.
 *
 * Events: `change` (messages, outbox or delivery changed), `arrived` and `wrote` with `detail.message`, `typing` with `detail.isTyping`,
 * `paid`, `line` with `detail.state`, `known` (the server has answered to a page that opened without it), `deleted`, `ended` (the server knows the customer no more), `begun-anew` (the first words after that,
 * on the own page), `sent-before` (a message had arrived before the customer signed in, and is not shown here), and in the frame of a widget `replaced`, after which nothing is sent
 * any more: the browser has another customer now, or with `detail.text`, which was not sent, none.
 */
export class Conversation extends EventTarget {
  #base;
  #entry;
  /** What was said of the customer by the page around the widget with the message before. */
  #saidPage = null;
  /** What the page around a widget says of the customer; null where there is none. */
  page = null;
  /** Whether a customer whom the server knows no more is to be signed in again, and does not write as another one meanwhile. */
  checksCustomer = false;
  /** Whether the customer was signed in when the frame of a widget was loaded: what is not sent is then no other one's. */
  isNamed = false;
  #secret = null;
  #live = null;
  #isReplaced = false;
  #loadTimer = 0;
  #loads = 0;
  #typing = new BusinessTyping((isTyping) => this.#emit("typing", { isTyping }));
  #written = new CustomerTyping((state) => api.post(`${this.#base}/typing`, { state }));

  /**
   * @param {any} info the answer of `GET /api/phone/{business}`
   * @param {Record<string, string>} entry
   * @param {import("./route.js").Place} [place]
   */
  constructor(info, entry, place = placeOf(info.business.id)) {
    super();
    this.#base = place.base;
    this.#entry = Object.keys(entry).length > 0 ? entry : null;
    Object.assign(this, factsOf(info));
    this.thread = new ThreadState();
    this.outbox = new Outbox({
      key: place.base.startsWith("/api/phone/") ? `fd.phone.outbox.${info.business.id}` : `${place.key}.outbox`, storage: storageOrNull(),
      deliver: (item) => this.#deliver(item),
    });
    this.outbox.addEventListener("change", () => this.#emit("change"));
    this.outbox.addEventListener("sent", (event) => this.#sent(event.detail));
  }

  /** Reads the thread and keeps it up to date. */
  async start() {
    if (this.isUnread) {
      Object.assign(this, factsOf(await api.get(this.#base)));
      this.#emit("known");
      this.#emit("change");
    }
    if (this.hasCustomer) await this.#load();
    this.outbox.flush();
  }

  /** Where a file is; with a message it has the name that the message gave it. @param {string} id @param {string} [message] */
  attachmentUrl(id, message) {
    const query = message ? `?message=${encodeURIComponent(message)}` : "";
    return `${this.#base}/attachments/${id}${query}`;
  }

  /**
   * Sends a text with files that are uploaded already.
   * @param {string} text
   * @param {{id: string, name: string, mimeType: string, size: number}[]} files
   */
  sendText(text, files) {
    const id = makeUUID();
    const placeholders = "\u{fffc}".repeat(files.length);
    this.#written.clear();
    // The values of the address are sent with the first message, and stay in it: a repeat under the
    // same id has to be the same bytes.
    const entry = this.#entry ? { entry: this.#entry } : {};
    this.#entry = null;
    const said = JSON.stringify(this.page);
    const page = this.page && said !== this.#saidPage ? { page: this.page } : {};
    this.#saidPage = said;
    // A frame goes on while its browser gets another customer: what is written is for this conversation alone.
    const own = this.isEmbedded && this.hasCustomer && this.isKept && this.id ? { conversation: this.id } : {};
    // Until the server knows this phone, its message carries a secret: if the answer is lost, the same
    // message finds the customer that it created instead of creating another.
    const secret = this.hasCustomer ? {} : { secret: this.#secret ??= makeSecret() };
    return this.outbox.add({
      id, path: "/messages", at: this.id,
      body: {
        id, text: text + placeholders, locale: language() === "ja" ? "ja_JP" : "en_US", ...entry,
        ...secret, ...own, ...page,
        ...(files.length > 0 ? { attachments: files.map((file) => file.id) } : {}),
      },
      preview: { payload: { type: "text", body: text + placeholders }, attachments: files },
    });
  }

  /**
   * Answers a card. The id is generated when the sheet opens, so a second tap is the same answer.
   * @param {string} id @param {string} inReplyTo @param {Record<string, any>} choice
   * @param {string} words what the bubble says until the server has answered
   */
  answer(id, inReplyTo, choice, words) {
    return this.outbox.add({
      id, path: "/choices", body: { id, inReplyTo, ...choice },
      preview: { payload: { type: "text", body: words }, attachments: [], inReplyTo },
    });
  }

  /**
   * Pays: the server calls the merchant and answers after it accepted. The sheet stays open meanwhile.
   * @param {string} id @param {string} inReplyTo @param {Record<string, any>} payment
   * @throws {import("../lib/api.js").ApiProblem} `payment_refused` with the merchant's answer
   */
  async pay(id, inReplyTo, payment) {
    const answer = await api.post(`${this.#base}/choices`, { id, inReplyTo, payment });
    this.#sent({ answer });
    this.#emit("change");
    this.#emit("paid");
  }

  /**
   * Requests the merchant's update after a change on the payment sheet.
   * @param {string} request
   * @param {Record<string, any>} change
   * @returns {Promise<{update: Record<string, any>, problem: {code: string, detail: string}|null}>}
   */
  askMerchant(request, change) {
    return api.post(`${this.#base}/payments/${encodeURIComponent(request)}`, change);
  }

  /** Whether this is the frame of a widget, whose cookies no other page has. */
  get isEmbedded() {
    return this.#base.startsWith("/api/widget/");
  }

  /** What a request to sign in asks for. @param {string} request */
  askSignIn(request) {
    return api.get(`${this.#base}/sign-ins/${encodeURIComponent(request)}`);
  }

  /**
   * Answers a request to sign in; where the business goes on is in the answer.
   * @param {string} id @param {string} inReplyTo @param {Record<string, any>} signIn
   * @returns {Promise<{redirect?: string}>}
   */
  async signIn(id, inReplyTo, signIn) {
    const answer = await api.post(`${this.#base}/choices`, { id, inReplyTo, signIn });
    this.#sent({ answer });
    this.#emit("change");
    return answer;
  }

  /** @param {File} file @param {(share: number) => void} onProgress @param {AbortSignal} signal */
  async upload(file, onProgress, signal) {
    const kept = await upload(`${this.#base}/attachments`, file, {
      query: { name: file.name || "file" }, onProgress, signal,
    });
    return { id: kept.id, name: kept.name, mimeType: kept.mimeType, size: kept.size };
  }

  /** Signals to the business that the customer writes, has erased everything, or has stopped. @param {boolean} isTyping */
  async sayTyping(isTyping) {
    if (this.hasCustomer && !this.hasLeft) await this.#written.say(isTyping);
  }

  /** @returns {Promise<number>} how many earlier messages came */
  async loadEarlier() {
    const before = this.thread.first;
    if (before === null || !this.thread.hasEarlier) return 0;
    const page = await api.get(`${this.#base}/messages`, { query: { "page[before]": before } });
    this.thread.add(page.data);
    this.thread.addDamaged(page.damaged);
    this.thread.hasEarlier = page.hasMore;
    this.#emit("change");
    return page.data.length;
  }

  /** @param {boolean} isMuted */
  async mute(isMuted) {
    await this.check();
    await api.post(`${this.#base}/mute`, { muted: isMuted });
    this.isMuted = isMuted;
    this.#emit("change");
  }

  /** Deletes the conversation for the customer. */
  async delete() {
    await this.check();
    await api.delete(`${this.#base}/conversation`);
    this.leave();
  }

  async #deliver(item) {
    const refusal = Object.assign(new Error("unauthenticated"), { code: "unauthenticated" });
    if (this.#isReplaced || (this.checksCustomer && await this.#hasEnded())) throw refusal;
    try {
      return await api.post(this.#base + item.path, item.body);
    } catch (problem) {
      if (!item.body.conversation || !["not_found", "unauthenticated"].includes(problem.code)) throw problem;
      // Words that name a conversation were refused: the session is another one's, or there is none.
      if (await this.#hasEnded(unsentText(this.outbox.items)) || problem.code !== "not_found") throw problem;
      // The customer is the same: being asked, the server has put aside a session without a name that came too late.
      return await api.post(this.#base + item.path, item.body);
    }
  }

  /** Finds out whether the browser still has the customer of this frame, or has one by now. @throws {Error} where it has another one */
  async check() {
    if (this.isEmbedded) await (this.hasCustomer ? this.#hasEnded() : this.#adopt());
    if (this.#isReplaced) throw new Error("replaced");
  }

  /** Applies what the server says of the customer. @param {{customer: {id: string}|null}} info */
  meet({ customer }) {
    if (customer) this.isKept = true;
    if (!customer || !this.isEmbedded) return;
    this.customer ??= customer.id;
    if (customer.id !== this.customer) this.#replace();
  }

  /** Whether the server knows the customer of this page no more. @param {string} [text] what could not be sent */
  async #hasEnded(text) {
    if (!this.hasCustomer || this.hasLeft) return false;
    const info = await api.get(this.#base);
    this.meet(info);
    if (info.customer) return this.#isReplaced;
    if (text !== undefined && !this.checksCustomer) this.#replace(text);
    else if (this.checksCustomer || this.isKept || !this.isEmbedded) this.#emit("ended");
    return true;
  }

  #replace(text) {
    if (this.#isReplaced) return;
    this.#isReplaced = true;
    this.#live?.stop();
    clearTimeout(this.#loadTimer);
    this.thread.clear();
    if (this.isNamed) this.outbox.clear();
    else this.outbox.leave();
    this.#emit("replaced", { text });
    this.#emit("change");
  }

  /** Goes on where it was, after the customer was signed in again: what was not sent is sent now. */
  renew() {
    for (const { id, state, code } of [...this.outbox.items]) if (state === "failed" && code === "unauthenticated") this.outbox.retry(id);
    this.#loadUntilItWorks();
  }

  #sent({ item, answer }) {
    const message = answer?.message;
    // It may have been stored before the customer signed in, and stays there.
    const isBefore = item?.body.former ? message?.conversation === item.body.former : item?.isMoved && item.body.secret;
    if (message && isBefore) return item.body.former && this.hasCustomer ? this.#emit("sent-before") : this.#adopt(message);
    // The server knew the customer of this page no more: what is on screen is of a conversation that has ended.
    const isAnew = !this.isEmbedded && !this.hasLeft && this.id !== null && (message?.conversation ?? this.id) !== this.id;
    if (isAnew) this.#clear();
    const isFirst = !this.hasCustomer || this.hasLeft || this.#live === null;
    [this.hasCustomer, this.hasLeft] = [true, false];
    if (isAnew) this.#emit("begun-anew");
    if (message) {
      this.id = message.conversation ?? this.id;
      this.thread.add([message]);
    }
    this.#emit("begun");
    if (isFirst) this.#loadUntilItWorks();
  }

  /** After words from before signing in, or of another tab: which conversation is the customer's own is the server's to say. */
  async #adopt(message) {
    const info = await api.get(this.#base).catch(() => null);  // Safe: the next words begin it.
    if (this.#isReplaced) return;
    const own = info?.conversation;
    if (message && message.conversation !== own?.id) this.#emit("sent-before");
    else if (message) this.thread.add([message]);
    if (!own) return;
    this.meet(info);
    [this.hasCustomer, this.hasLeft, this.id] = [true, own.left, own.id];
    this.#emit("begun");
    if (this.#live === null && !own.left) this.#loadUntilItWorks();
  }

  #clear() {
    this.#live?.stop();
    this.#live = null;
    this.thread.clear();
    this.#typing.show(false);
  }

  /** The conversation is deleted, here or elsewhere. What begins on another device is shown, so the line stays. */
  leave() {
    if (this.hasLeft) return;
    this.#clear();
    [this.hasLeft, this.isLoaded] = [true, true];
    this.outbox.clear();
    this.#emit("deleted");
    this.#emit("change");
    this.#loadUntilItWorks();
  }

  async #load() {
    const page = await api.get(`${this.#base}/messages`);
    if (this.#isReplaced) return;
    const other = page.data.find(({ conversation }) => conversation && this.id && conversation !== this.id);
    if (other && this.isEmbedded) return this.#replace();
    this.thread.clear();
    this.thread.add(page.data);
    this.thread.addDamaged(page.damaged);
    this.thread.hasEarlier = page.hasMore;
    [this.isLoaded, this.hasLeft] = [true, this.hasLeft && page.data.length === 0];
    this.#connect(page.head);
    this.#emit("change");
    this.#fillThin();
  }

  async #loadUntilItWorks(wait = 1000) {
    // A later call goes on for the earlier ones.
    const own = this.#loads += 1;
    clearTimeout(this.#loadTimer);
    try {
      await this.#load();
    } catch {
      // Safe: retried, later each time; the message is on screen already.
      if (own !== this.#loads || this.#isReplaced) return;
      this.#loadTimer = setTimeout(() => this.#loadUntilItWorks(Math.min(wait * 2, 20_000)), wait);
    }
  }

  #connect(head) {
    this.#live?.stop();
    const live = (this.#live = new LiveConnection({ path: `${this.#base}/live`, after: head ?? null }));
    // Why a connection ended, or none came about, is not said to a page: a signed-in customer may have signed out on another host of the shop.
    const look = () => (this.checksCustomer || this.isNamed || !this.isEmbedded) && this.#hasEnded().catch(() => {});  // Safe: asked again with the next attempt.
    live.addEventListener("state", ({ detail }) => {
      this.#emit("line", detail);
      if (detail.state === "offline") look();
      if (detail.state !== "live") return;
      this.outbox.flush();
      this.check().catch(() => {});  // Safe: asked again with the next connection.
    });
    live.addEventListener("failed", look);
    live.addEventListener("event", ({ detail }) => this.#receive(detail));
    live.addEventListener("reset", () => this.#loadUntilItWorks());
    live.addEventListener("ephemeral", ({ detail }) => {
      const isBusiness = detail.who?.type !== "customer";
      if (detail.kind === "typing" && isBusiness) this.#typing.show(detail.state === "start");
    });
    live.start();
  }

  /** @returns {"live"|"catching-up"|"offline"|"none"} */
  get line() {
    return this.#live?.state ?? "none";
  }

  #receive(event) {
    if (event.type === "message.accepted" && event.data?.message) {
      const { message } = event.data;
      if (this.isEmbedded && this.id && message.conversation && message.conversation !== this.id) return this.#replace();
      const isNew = !this.thread.has(message.id);
      this.hasLeft = false;
      this.thread.add([message]);
      if (isReference(message.payload)) this.#fillThin();
      if (isNew && message.direction === "outbound") this.#typing.show(false);
      if (isNew) this.#emit(message.direction === "outbound" ? "arrived" : "wrote", { message });
      this.#emit("change");
    } else if (event.type === "message.erased") {
      if (this.thread.erase(event)) this.#emit("change");
    } else if (event.type === "event.damaged") {
      // The message cannot be read; the page lists the damaged messages.
      this.#loadUntilItWorks();
    } else if (event.type === "customer.left") {
      this.leave();
    }
  }

  #fillThin() {
    return fillThin(this.thread, this.#base, () => this.#emit("change"));
  }

  #emit(name, detail = {}) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}
