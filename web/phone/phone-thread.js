import "../cards/desk-card.js";
import { erasedMark } from "../cards/erased-mark.js";
import { h, oncePerFrame, replace } from "../lib/dom.js";
import { isErased } from "../lib/erased.js";
import { icon } from "../lib/icons.js";
import { onLanguageChange, t } from "../lib/i18n.js";
import { Presses } from "../lib/presses.js";
import { redraw } from "../lib/reconcile.js";
import { dayKey, formatClock, formatDivider } from "../lib/time.js";
import { sortTapbacks } from "../cards/tapbacks.js";
import { cardKind, kindOf } from "../cards/kinds.js";
import { isReference } from "../lib/payload.js";
import { place } from "./thread-state.js";

/** Closer to the end than this counts as reading the end. */
const NEAR_END_PIXELS = 80;

/**
 * The messages, newest at the bottom, followed by those that are being sent.
 *
 * Values down: `conversation`. Events up: `answer` with `detail.message`, `detail.kind`,
 * `detail.identifier`; `unsent` with `detail.item`; `earlier`; `moved` with `detail.anchor`.
 */
export class PhoneThread extends HTMLElement {
  conversation = null;
  isTyping = false;
  #draft = null;
  #draftCount = 0;
  #rows = new Map();
  #unread = 0;
  #isAtEnd = true;
  #top = 0;
  #presses;
  #drawSoon = oncePerFrame(() => this.#presses?.after(this.#drawHere));
  #drawHere = () => this.isConnected && this.draw();

  connectedCallback() {
    this.list = h("div", { class: "messages" });
    this.#presses = new Presses(this.list);
    this.scroller = h("div", {
      class: "scroller", tabindex: "0", role: "region",
      "aria-label": t("phone.thread", { name: this.conversation.business.name }),
      onScroll: () => this.#scrolled(),
    }, h("div", { class: "before" }), this.list, h("div", { class: "after" }));
    this.toEnd = h("button", {
      class: "to-end", type: "button", hidden: true, onClick: () => this.scrollToEnd(true),
    });
    replace(this, this.scroller, this.toEnd);
    // Pictures and fonts arrive late; a reader at the end stays at the end.
    this.observer = new ResizeObserver(() => this.#isAtEnd && this.scrollToEnd());
    this.observer.observe(this.list);
    this.observer.observe(this.scroller);
    this.endLanguage = onLanguageChange(() => {
      this.#rows.clear();
      this.#drawSoon();
    });
    this.draw();
  }

  disconnectedCallback() {
    this.observer.disconnect();
    this.endLanguage();
  }

  /** The card that the business is writing, as the page around this one has it; null for none. */
  get draft() { return this.#draft; }
  set draft(draft) {
    if (!this.#draft && draft) this.#isAtEnd = true;
    this.#draft = draft;
    this.#draftCount += 1;
    this.#drawSoon();
  }

  /** Draws the conversation's state soon. */
  update() {
    this.#drawSoon();
  }

  /** A message came while the reader may be elsewhere. */
  arrived() {
    if (this.#isAtEnd) return;
    this.#unread += 1;
    this.#drawToEnd();
  }

  /** @param {boolean} [isSmooth] */
  scrollToEnd(isSmooth = false) {
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.scroller.scrollTo({
      top: this.scroller.scrollHeight, behavior: isSmooth && !calm ? "smooth" : "instant",
    });
    this.#isAtEnd = true;
    this.#unread = 0;
    this.#drawToEnd();
  }

  /** Goes back to where the reader was. @param {{sequence: number, offset: number}} anchor */
  restore(anchor) {
    const row = this.list.querySelector(`[data-sequence="${Number(anchor.sequence)}"]`);
    if (!row) return false;
    this.#isAtEnd = false;
    this.scroller.scrollTop = row.offsetTop - anchor.offset;
    this.#drawToEnd();
    return true;
  }

  draw() {
    const { thread, outbox, hasLeft } = this.conversation;
    const { answers } = thread;
    const { messages, tapbacks } = sortTapbacks(thread.messages);
    const previousFirst = this.list.firstElementChild;
    const previousTop = previousFirst?.offsetTop ?? 0;
    const pending = outbox.items.filter((item) => !thread.has(item.id));
    const answering = new Set(pending.filter(({ state }) => state !== "failed")
      .map((item) => item.preview?.inReplyTo).filter(Boolean));
    const wanted = [];
    messages.forEach((message, index) => {
      const where = place(
        messages[index - 1] ?? null, message, messages[index + 1] ?? null, (day) => dayKey(day));
      const isLast = index === messages.length - 1 && pending.length === 0;
      wanted.push(this.#row(message, answers.get(message.id) ?? null, where, {
        isOver: hasLeft || answering.has(message.id), isLast, tapback: tapbacks.get(message.id),
      }));
    });
    for (const sequence of thread.damaged) {
      const place = messages.filter((message) => message.sequence < sequence).length
        + thread.damaged.indexOf(sequence);
      wanted.splice(place, 0, this.#damagedRow(sequence));
    }
    for (const item of pending) wanted.push(this.#pendingRow(item));
    if (this.#draft) wanted.push(this.#draftRow());
    if (this.isTyping) wanted.push(this.#typingRow());
    this.#reconcile(wanted);
    this.#drawEarlier(thread.hasEarlier);
    if (this.#isAtEnd) this.scrollToEnd();
    else if (previousFirst?.isConnected) {
      // Earlier messages come in above: the reader's place must not move.
      this.scroller.scrollTop += previousFirst.offsetTop - previousTop;
    }
  }

  #reconcile(wanted) {
    const keys = new Set(wanted.map(({ key }) => key));
    for (const [key, row] of this.#rows) {
      if (keys.has(key)) continue;
      row.node.remove();
      this.#rows.delete(key);
    }
    let cursor = this.list.firstChild;
    for (const { key, stamp, make, refresh } of wanted) {
      let row = this.#rows.get(key);
      if (!row || row.stamp !== stamp) {
        const node = make();
        if (row) {
          if (cursor === row.node) cursor = node;
          row.node.replaceWith(node);
        }
        row = { node, stamp };
        this.#rows.set(key, row);
      }
      refresh?.(row.node);
      if (row.node === cursor) cursor = cursor.nextSibling;
      else this.list.insertBefore(row.node, cursor);
    }
    while (cursor) {
      const next = cursor.nextSibling;
      cursor.remove();
      cursor = next;
    }
  }

  #row(message, answer, where, { isOver, isLast, tapback }) {
    const time = new Date(message.time);
    const kind = kindOf(message.payload);
    const isMine = message.direction === "inbound";
    const who = isMine ? t("phone.you") : this.conversation.business.name;
    const classes = `row${isMine ? " is-mine" : ""}${where.isFirst ? " is-first" : ""}`
      + `${where.isLast ? " is-last" : ""}${kind === "text" ? "" : " is-card"}`;
    const { answeredBy, isSettledBy } = cardKind(kind);
    // A choice in the bubble itself is answered once; a sheet is offered until it is settled.
    const isSettled = Boolean(answer) && (answeredBy === "bubble" || isSettledBy?.(answer.payload));
    const canAnswer = !isMine && !isOver && Boolean(answeredBy) && !isSettled;
    return {
      key: message.id,
      stamp: [isReference(message.payload), isErased(message), where.isNewDay, where.isNewTime].join(),
      make: () => h("article", {
        class: classes, dataset: { sequence: message.sequence },
        "aria-label": `${who}, ${formatClock(time)}`,
      },
      (where.isNewDay || where.isNewTime) && h("p", { class: "when" },
        h("b", null, where.isNewDay ? formatDivider(time) : ""), " ", formatClock(time)),
      isReference(message.payload)
        ? h("p", { class: "loading" }, t("shared.loading"))
        : isErased(message) ? erasedMark(message) : h("desk-card", {
          ".payload": message.payload, ".direction": message.direction,
          ".attachments": message.attachments ?? [],
          ".attachmentUrl": (id) => this.conversation.attachmentUrl(id, message.id),
          "onCard-open": (event) => this.#emit("answer", { message, ...event.detail }),
        }),
      h("span", { class: "tapback", role: "img", hidden: true }),
      message.automatic && !isMine ? h("p", { class: "automatic" }, t("phone.automatic")) : null, h("p", { class: "standing" })),
      refresh: (node) => {
        node.className = classes;
        showTapback(node.querySelector(".tapback"), tapback);
        const card = node.querySelector("desk-card");
        if (card && card.interactive !== canAnswer) card.interactive = canAnswer;
        if (card && card.reply !== (answer?.payload ?? null)) card.reply = answer?.payload ?? null;
        node.querySelector(".standing").textContent = isMine && isLast ? t("phone.sent") : "";
      },
    };
  }

  #damagedRow(sequence) {
    return {
      key: `damaged-${sequence}`, stamp: "",
      make: () => h("article", { class: "row is-damaged", dataset: { sequence } },
        h("p", { class: "damaged" }, t("phone.damaged"),
          h("small", null, t("phone.damagedId", { sequence, conversation: this.conversation.id })))),
    };
  }

  #pendingRow(item) {
    return {
      key: `pending-${item.id}`, stamp: item.state,
      make: () => h("article", { class: `row is-mine is-first is-last is-${item.state}` },
        h("desk-card", {
          ".payload": item.preview?.payload ?? { type: "text", body: "…" }, ".direction": "inbound",
          ".attachments": item.preview?.attachments ?? [],
          ".attachmentUrl": (id) => this.conversation.attachmentUrl(id),
        }),
        item.state === "failed"
          ? h("button", {
            class: "standing is-failed", type: "button", "aria-label": t("phone.failedActions"),
            onClick: () => this.#emit("unsent", { item }),
          }, icon("alert", 16), t("phone.failed"))
          : h("p", { class: "standing" }, icon("clock", 14),
            t(item.state === "sending" ? "phone.sending" : "phone.waiting"))),
    };
  }

  #draftRow() {
    return {
      key: "draft", stamp: "",
      make: () => h("article", { class: "row is-first is-last is-draft" },
        h("p", { class: "when" }, t("device.draft")),
        h("desk-card", {
          ".direction": "outbound", ".expanded": true, ".interactive": true,
          // After a change it is another card: a form that was begun begins anew.
          "onCard-open": (event) => this.#emit("answer", { message: {
            id: `draft-${this.#draftCount}`, isDraft: true, direction: "outbound", payload: this.#draft.payload,
          }, ...event.detail }),
        })),
      refresh: (node) => {
        const card = node.querySelector("desk-card");
        card.payload = this.#draft.payload;
        card.attachments = this.#draft.attachments;
        card.attachmentUrl = (id) => this.#draft?.attachmentUrl?.(id) ?? "";
      },
    };
  }

  #typingRow() {
    const { name } = this.conversation.business;
    return {
      key: "typing", stamp: "",
      make: () => h("div", { class: "row is-first is-last" },
        h("span", { class: "dots" }, h("i"), h("i"), h("i"),
          h("span", { class: "fd-hidden-text" }, t("phone.typing", { name })))),
    };
  }

  #drawEarlier(hasEarlier) {
    const top = this.scroller.querySelector(".before");
    if (this.conversation.isUnread) return replace(top, h("p", { class: "when" }, t("phone.openedOffline")));
    if (!hasEarlier) return replace(top);
    if (top.querySelector("button")) return top;
    return replace(top, h("button", {
      class: "fd-button is-plain earlier", type: "button", onClick: () => this.#emit("earlier", {}),
    }, t("phone.earlier")));
  }

  #drawToEnd() {
    this.toEnd.hidden = this.#isAtEnd;
    const label = this.#unread > 0
      ? t("phone.newMessages", { count: this.#unread }) : t("phone.toEnd");
    redraw(this.toEnd, this.#unread > 0 && h("span", null, label), icon("chevron", 18));
    this.toEnd.setAttribute("aria-label", label);
  }

  #scrolled() {
    const { scrollTop, scrollHeight, clientHeight } = this.scroller;
    const wasAtEnd = this.#isAtEnd;
    const isNear = scrollHeight - scrollTop - clientHeight < NEAR_END_PIXELS;
    // Content that grew below is no wish to leave the end; only moving up is.
    this.#isAtEnd = isNear || (wasAtEnd && scrollTop >= this.#top - 1);
    this.#top = scrollTop;
    if (this.#isAtEnd) this.#unread = 0;
    if (wasAtEnd !== this.#isAtEnd) this.#drawToEnd();
    if (scrollTop < 60 && this.conversation.thread.hasEarlier) this.#emit("earlier", {});
    this.#emit("moved", { anchor: this.#isAtEnd ? null : this.#anchor() });
  }

  /** The first message in view and how far below the top it is. */
  #anchor() {
    const { scrollTop } = this.scroller;
    for (const row of this.list.querySelectorAll("[data-sequence]")) {
      if (row.offsetTop + row.offsetHeight <= scrollTop) continue;
      return { sequence: Number(row.dataset.sequence), offset: row.offsetTop - scrollTop };
    }
    return null;
  }

  #emit(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}

/** A reaction to a message. @param {HTMLElement} mark @param {{kind: string, sign: string}|undefined} tapback */
function showTapback(mark, tapback) {
  mark.hidden = !tapback;
  mark.textContent = tapback?.sign ?? "";
  if (tapback) mark.setAttribute("aria-label", t(`device.tapback.${tapback.kind}`, { sign: tapback.sign }));
}

customElements.define("phone-thread", PhoneThread);
