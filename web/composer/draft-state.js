/** The draft of a form, for all that show it, and when they are notified. */

/** Drafts longer than this, in UTF-16 units, are shown elsewhere once the typing pauses. */
const promptLength = 20_000;
/** How long the typing of such a draft has to pause, in milliseconds. */
const restMilliseconds = 250;

/**
 * The state of a form's draft; the payload is built when it is read.
 * @param {import("./kind-form.js").KindForm & Record<string, any>|undefined} form
 * @param {{kind: string, isReady: boolean, verdict: any, repeated: string|null}} around
 */
export function draftState(form, { kind, isReady, verdict, repeated }) {
  if (!isReady || !form?.draft || form.isBlank()) {
    return { payload: null, text: "", kind, findings: [], isBlank: true, isRepeat: false, attachments: [] };
  }
  const text = form.text();
  let payload;
  return {
    get payload() {
      return (payload ??= form.payload());
    },
    text, kind, findings: (verdict?.text === text && verdict.findings) || [], isBlank: false,
    isRepeat: text === repeated, attachments: form.previewAttachments?.() ?? [],
  };
}

/**
 * What a form knows of its surroundings.
 * @param {{business: any, conversation: any, apiBase: string, ids: () => {id: string, requestID: string}}} around
 */
export function formContext({ business, conversation, apiBase, ids }) {
  return {
    business, conversation, apiBase,
    locale: conversation?.customer?.locale ?? document.documentElement.lang,
    envelope: () => ({ ...ids(), business: business?.id ?? "", customer: conversation?.customer?.id ?? "" }),
  };
}

/** Runs its work at once for a short text, and after a pause in the typing for a long one. */
export class Debounce {
  #timer = 0;

  /** @param {() => void} work */
  constructor(work) {
    this.work = work;
  }

  /** @param {string} text */
  after(text) {
    clearTimeout(this.#timer);
    if (text.length <= promptLength) this.work();
    else this.#timer = setTimeout(this.work, restMilliseconds);
  }
}
