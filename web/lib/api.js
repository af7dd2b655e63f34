/**
 * Requests to the server over HTTP. Every refusal arrives as an `ApiProblem`, a dead line too.
 */

import { learnTime } from "./server-clock.js";

/** A refusal in the shape of RFC 9457, or a line that did not carry (`isOffline`). */
export class ApiProblem extends Error {
  /**
   * @param {number} status 0 when no answer came
   * @param {Record<string, any>} body
   * @param {Headers|null} [headers]
   */
  constructor(status, body, headers = null) {
    super(body.detail ?? body.title ?? `status ${status}`);
    this.name = "ApiProblem";
    this.status = status;
    this.code = body.code ?? (status === 0 ? "offline" : "unknown");
    this.title = body.title ?? "";
    this.detail = body.detail ?? "";
    /** @type {Finding[]} */
    this.errors = Array.isArray(body.errors) ? body.errors : [];
    this.line = body.line;
    this.column = body.column;
    this.body = body;
    const wait = Number(headers?.get("Retry-After"));
    this.retryAfterSeconds = Number.isFinite(wait) && wait > 0 ? wait : null;
  }

  /** No answer came: the same request, with the same id, may be tried again. */
  get isOffline() {
    return this.status === 0;
  }

  /** The server answers, but requests a later attempt. */
  get mayRetry() {
    return this.isOffline || this.status === 429 || this.status === 503 || this.status === 502
      || this.status === 504 || this.code === "idempotency_in_progress";
  }
}

/**
 * @typedef {{rule: string, severity: "error"|"warning", pointer: string, line: number,
 *   column: number, start: number, end: number, found: string, allowed: string, limit?: number,
 *   actual?: number, fix: string, docs: string}} Finding
 * @typedef {{body?: any, text?: string, raw?: Blob|ArrayBuffer, contentType?: string,
 *   headers?: Record<string, string>, query?: Record<string, any>, signal?: AbortSignal,
 *   timeoutSeconds?: number, keepalive?: boolean}} RequestOptions
 */

/** How long a request may last before the connection counts as lost. */
const DEFAULT_TIMEOUT_SECONDS = 30;

/**
 * Sends one request; `body` is written as JSON, `text` is sent to the byte, `raw` is a file.
 * @param {string} method
 * @param {string} path
 * @param {RequestOptions} [options]
 * @returns {Promise<{status: number, headers: Headers, text: string, data: any}>}
 */
export async function exchange(method, path, options = {}) {
  const headers = { Accept: "application/json", ...options.headers };
  let body;
  if (options.text !== undefined) {
    body = options.text;
    headers["Content-Type"] = options.contentType ?? "application/json";
  } else if (options.raw !== undefined) {
    body = options.raw;
    headers["Content-Type"] = options.contentType ?? "application/octet-stream";
  } else if (options.body !== undefined) {
    body = JSON.stringify(options.body);
    headers["Content-Type"] = "application/json";
  }
  const deadline = new AbortController();
  const timer = setTimeout(
    () => deadline.abort(), (options.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS) * 1000);
  const give = () => deadline.abort(options.signal?.reason);
  options.signal?.addEventListener("abort", give);
  if (options.signal?.aborted) give();
  let response;
  let text;
  try {
    response = await fetch(withQuery(path, options.query), {
      method, headers, body, credentials: "same-origin", signal: deadline.signal,
      keepalive: options.keepalive ?? false,
    });
    text = await response.text();
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw new ApiProblem(0, { title: "No answer" });
  } finally {
    clearTimeout(timer);
    options.signal?.removeEventListener("abort", give);
  }
  learnTime(response.headers.get("Date"));
  const data = parse(text);
  if (!response.ok) {
    // Whatever was tried: the console shows it in one place.
    if (data?.code === "approval_needed") document.dispatchEvent(new CustomEvent("approval-needed", { detail: data.approval }));
    throw new ApiProblem(response.status, data ?? {}, response.headers);
  }
  return { status: response.status, headers: response.headers, text, data };
}

/** One call a method; each answers with the parsed body, null when there is none. */
export const api = {
  /** @param {string} path @param {RequestOptions} [options] */
  get: async (path, options) => (await exchange("GET", path, options)).data,
  /**
   * The elements of all pages of a list.
   * @param {string} path @param {RequestOptions} [options]
   */
  getAll: async (path, options) => {
    const all = [];
    for (let after; after !== null;) {
      const page = await api.get(path, { ...options, query: { ...options?.query, "page[after]": after } });
      all.push(...page.data);
      after = page.hasMore ? page.next : null;
    }
    return all;
  },
  /** @param {string} path @param {any} [body] @param {RequestOptions} [options] */
  post: async (path, body, options) => (await exchange("POST", path, { body, ...options })).data,
  /** @param {string} path @param {any} [body] @param {RequestOptions} [options] */
  patch: async (path, body, options) => (await exchange("PATCH", path, { body, ...options })).data,
  /** @param {string} path @param {any} [body] @param {RequestOptions} [options] */
  put: async (path, body, options) => (await exchange("PUT", path, { body, ...options })).data,
  /** @param {string} path @param {RequestOptions} [options] */
  delete: async (path, options) => (await exchange("DELETE", path, options)).data,
  /**
   * Posts a text to the byte, as JSON.
   * @param {string} path
   * @param {string} text
   * @param {RequestOptions} [options]
   */
  postText: async (path, text, options) =>
    (await exchange("POST", path, { text, ...options })).data,
};

/** How long an upload may stand still before the connection counts as lost; a slow line needs so long for what is buffered. */
const STALLED_SECONDS = 120;

/**
 * Sends a file and reports its progress (fetch cannot). One that stands still ends as one that got no answer.
 * @param {string} path
 * @param {Blob} file
 * @param {{onProgress?: (share: number) => void, signal?: AbortSignal,
 *   query?: Record<string, any>}} [options]
 * @returns {Promise<any>}
 */
export function upload(path, file, options = {}) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", withQuery(path, options.query));
    request.setRequestHeader("Accept", "application/json");
    request.setRequestHeader("Content-Type", file.type || "application/octet-stream");
    let stalled = false;
    const stall = () => {
      stalled = true;
      request.abort();
    };
    let timer = setTimeout(stall, STALLED_SECONDS * 1000);
    request.onloadend = () => clearTimeout(timer);
    request.upload.onprogress = (event) => {
      clearTimeout(timer);
      timer = setTimeout(stall, STALLED_SECONDS * 1000);
      if (event.lengthComputable) options.onProgress?.(event.loaded / event.total);
    };
    request.onerror = () => reject(new ApiProblem(0, { title: "No answer" }));
    request.onabort = () => reject(stalled ? new ApiProblem(0, { title: "No answer" }) : new DOMException("aborted", "AbortError"));
    request.onload = () => {
      const data = parse(request.responseText);
      if (request.status >= 200 && request.status < 300) resolve(data);
      else reject(new ApiProblem(request.status, data ?? {}, new Headers({ "Retry-After": request.getResponseHeader("Retry-After") ?? "" })));
    };
    options.signal?.addEventListener("abort", () => request.abort());
    request.send(file);
  });
}

/**
 * @param {string} path
 * @param {Record<string, any>} [query] empty, null and undefined values are left out
 */
export function withQuery(path, query) {
  const parameters = new URLSearchParams();
  for (const [key, value] of Object.entries(query ?? {})) {
    if (value !== null && value !== undefined && value !== "") parameters.set(key, String(value));
  }
  const text = parameters.toString();
  return text ? `${path}${path.includes("?") ? "&" : "?"}${text}` : path;
}

function parse(text) {
  if (!text) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;  // Safe: a proxy's page instead of an answer of the API; the status has the result.
  }
}
