import { formatDay, isoDay, readDay } from "../lib/form-dates.js";

/** Most pages that are gone through; ways may lead in circles. The server accepts as many. */
const MAX_ENTRIES = 200;

/**
 * A path through a form, page by page: no drawing, no I/O.
 *
 * A value is a list of identifiers (`select`, `picker`), an ISO day (`datePicker`), or a text
 * (`input`).
 */
export class FormWalk {
  #form;
  #today;
  #locale;
  #entries = [];
  #at = 0;
  /** The answers of pages that are no longer on the path. */
  #values = new Map();
  #isChanging = false;
  /** @type {"splash"|"page"|"summary"|"broken"} */
  place = "page";

  /**
   * @param {ReturnType<import("../cards/form-model.js").readForm>} form
   * @param {{now?: Date, locale?: string, kept?: any}} [options] `kept`: an earlier walk's `kept`, to go on from
   */
  constructor(form, { now = new Date(), locale = "en", kept = null } = {}) {
    this.#form = form;
    this.#today = isoDay(now);
    this.#locale = locale;
    const start = this.#find(form.start);
    if (!start) this.place = "broken";
    else this.#entries.push(this.#entry(start));
    if (start && form.splash) this.place = "splash";
    if (start) this.#restore(kept);
  }

  /** What was answered and where the customer is, as plain data. */
  get kept() {
    return { values: [...this.#values], path: this.#entries.map(({ page }) => page.identifier), at: this.#at, place: this.place };
  }

  /** Goes the way again that was gone before, as far as it is one of this form. */
  #restore(kept) {
    if (!["page", "summary"].includes(kept?.place)) return;
    for (const [identifier, value] of kept.values.filter(Array.isArray)) {
      const page = this.#find(identifier);
      if (page && Array.isArray(value) === Array.isArray(this.#first(page))) this.#values.set(identifier, value);
    }
    this.#entries = [this.#entry(this.#entries[0].page)];
    for (const identifier of kept.path.slice(1)) {
      this.#at = this.#entries.length - 1;
      const page = this.#after(this.#entries[this.#at]);
      if (page?.identifier !== identifier || this.problem()) break;
      this.#entries.push(this.#entry(page));
    }
    const isWhole = this.#entries.length === kept.path.length;
    this.#at = Math.max(0, isWhole ? Math.min(kept.at, kept.path.length - 1) : this.#entries.length - 1);
    this.place = isWhole ? kept.place : "page";
  }

  /** The page in view. */
  get page() {
    return this.#entries[this.#at]?.page ?? null;
  }

  /** The answer of the page in view. */
  get value() {
    return this.#entries[this.#at].value;
  }

  set value(value) {
    this.#entries[this.#at].value = value;
    this.#values.set(this.page.identifier, value);
  }

  /** How many pages come before this one, plus one. */
  get number() {
    return this.#at + 1;
  }

  /** How many pages the form has for everybody; null where an answer decides which pages come. */
  get count() {
    const { pages, start } = this.#form;
    if (pages.some((page) => !page.isMultiple && page.items.some((item) => item.next))) return null;
    let count = 0;
    for (let page = this.#find(start); page; page = page.isEnd || !page.next ? null : this.#find(page.next)) {
      count += 1;
      if (count > pages.length) return null;
    }
    return count;
  }

  /** Whether no page follows the present answer. */
  get isLast() {
    return this.#after(this.#entries[this.#at]) === null;
  }

  /** Whether there is an earlier page. */
  get canGoBack() {
    return this.place === "summary" || (this.place === "page"
      && (this.#at > 0 || this.#isChanging || this.#form.splash !== null));
  }

  /** Days that may be chosen on a date page. @param {import("../cards/form-model.js").FormPage} page */
  bounds(page) {
    const read = (text) => readDay(text, page.dateFormat);
    const first = read(page.minimumDate);
    const start = read(page.startDate);
    // Protocol 3.11: today is the last day where the page says nothing; not where it says that it
    // begins later.
    const isLater = [first, start].some((day) => day !== null && day > this.#today);
    return { first, last: read(page.maximumDate) ?? (isLater ? null : this.#today) };
  }

  /**
   * What keeps the page in view from being left, or null. Patterns are checked elsewhere, without a
   * limit of time.
   * @returns {{code: string, limit?: number|string}|null}
   */
  problem() {
    const { page, value } = this.#entries[this.#at];
    if (page.kind === "input") {
      if (value === "") return page.isRequired ? { code: "required" } : null;
      const count = [...value].length;
      return count > page.limit ? { code: "tooLong", limit: page.limit } : null;
    }
    if (page.kind === "datePicker") {
      const { first, last } = this.bounds(page);
      const show = (day) => formatDay(day, page.dateFormat, this.#locale);
      if (!/^\d{4}-\d{2}-\d{2}$/.test(value)) return { code: "noDate" };
      if (first && value < first) return { code: "tooEarly", limit: show(first) };
      return last && value > last ? { code: "tooLate", limit: show(last) } : null;
    }
    return page.isMultiple || value.length > 0 ? null : { code: "choose" };
  }

  /**
   * Continues: from the splash to the first page, from a page to the next, from the last one to the
   * summary. True when nothing follows but sending.
   */
  next() {
    if (this.place === "splash") {
      this.place = "page";
      return false;
    }
    if (this.place === "summary") return true;
    const following = this.#after(this.#entries[this.#at]);
    if (following === null || this.#entries.length >= MAX_ENTRIES) {
      this.#entries.length = this.#at + 1;
      return this.#finish();
    }
    const isKept = this.#entries[this.#at + 1]?.page === following;
    if (!isKept) this.#entries.length = this.#at + 1;
    if (isKept && this.#isChanging) return this.#finish();
    if (!isKept) this.#entries.push(this.#entry(following));
    this.#isChanging = false;
    this.#at += 1;
    return false;
  }

  /** Goes back, out of a change to the summary. */
  back() {
    if (this.place === "summary") {
      this.place = "page";
      this.#at = this.#entries.length - 1;
    } else if (this.#isChanging) {
      this.#finish();
    } else if (this.#at > 0) {
      this.#at -= 1;
    } else if (this.#form.splash) {
      this.place = "splash";
    }
  }

  /** Opens a page out of the summary; a changed branch asks anew what it leads to. @param {number} place */
  change(place) {
    this.#at = place;
    this.#isChanging = true;
    this.place = "page";
  }

  /** The answers so far, as they are shown. */
  get summary() {
    return this.#entries.map(({ page, value }) => ({
      question: page.question, answers: this.#shown(page, value),
    }));
  }

  /** The body for the server: an answer for each page on the path. */
  get answers() {
    return this.#entries.map(({ page, value }) => ({
      page: page.identifier,
      ...(page.kind === "select" || page.kind === "picker"
        ? { items: page.items.map((item) => item.identifier).filter((one) => value.includes(one)) }
        : { text: this.#shown(page, value)[0] ?? "" }),
    }));
  }

  #finish() {
    this.#at = this.#entries.length - 1;
    this.#isChanging = false;
    if (!this.#form.showsSummary) return true;
    this.place = "summary";
    return false;
  }

  #find(identifier) {
    return this.#form.pages.find((page) => page.identifier === identifier) ?? null;
  }

  /** The chosen item's own page first, then submitForm ends the form, then the page names the next. */
  #after({ page, value }) {
    const isSingle = page.kind === "picker" || (page.kind === "select" && !page.isMultiple);
    const branch = isSingle
      && page.items.find((item) => item.identifier === value[0])?.next;
    if (branch) return this.#find(branch);
    return page.isEnd || !page.next ? null : this.#find(page.next);
  }

  #entry(page) {
    return { page, value: this.#values.get(page.identifier) ?? this.#first(page) };
  }

  #first(page) {
    if (page.kind === "input") return "";
    if (page.kind === "select") return [];
    if (page.kind === "datePicker") {
      const { first, last } = this.bounds(page);
      const wanted = readDay(page.startDate, page.dateFormat) ?? this.#today;
      if (first && wanted < first) return first;
      return last && wanted > last ? last : wanted;
    }
    const item = page.items[page.selectedIndex] ?? page.items[0];
    return item ? [item.identifier] : [];
  }

  #shown(page, value) {
    if (page.kind === "input") return value === "" ? [] : [value];
    if (page.kind === "datePicker") return [formatDay(value, page.dateFormat, this.#locale)];
    return page.items.filter((item) => value.includes(item.identifier)).map((item) => item.title);
  }
}
