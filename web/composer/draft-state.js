/** What a form holds, for everybody who shows it; and when to tell them. */

/** Drafts longer than this, in UTF-16 units, are shown elsewhere only when the typing rests. */
const promptLength = 20_000;
/** How long the typing of such a draft has to rest, in milliseconds. */
const restMilliseconds = 250;

/**
 * The state of a form's draft; the payload is read when somebody looks at it.
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

/** Does its work at once for a short text, and once the typing rests for a long one. */
export class Pace {
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
