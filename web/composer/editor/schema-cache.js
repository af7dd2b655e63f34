/** Fetches schemas with everything they refer to, once for the page. */

/**
 * A schema with the address of its file.
 * @typedef {{schema: any, base: string}} Placed
 */

export class SchemaCache {
  /** @type {Map<string, any>} */
  #files = new Map();
  /** @type {Map<string, Promise<void>>} */
  #loading = new Map();

  /** @param {(path: string) => Promise<any>} fetchFile answers with the parsed file */
  constructor(fetchFile) {
    this.fetchFile = fetchFile;
  }

  /**
   * Fetches a file and all it refers to.
   * @param {string} path such as /schemas/v1/outbound/message.json
   * @returns {Promise<void>} a failure is tried again at the next call
   */
  load(path) {
    const known = this.#loading.get(path);
    if (known) return known;
    const loading = this.#fetch(path).catch((error) => {
      this.#loading.delete(path);
      throw error;
    });
    this.#loading.set(path, loading);
    return loading;
  }

  /** Whether a file and all it refers to are here. */
  has(path) {
    return this.#files.has(path);
  }

  /**
   * The target of a reference; null when it is not loaded.
   * @param {string} ref
   * @param {string} base
   * @returns {Placed|null}
   */
  find(ref, base = "") {
    const { path, fragment } = resolve(ref, base);
    let schema = this.#files.get(path);
    for (const step of fragment.split("/").slice(1)) {
      schema = schema?.[decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~")];
    }
    return schema === undefined || (fragment && !fragment.startsWith("/")) ? null : { schema, base: path };
  }

  async #fetch(root) {
    const seen = new Set([root]);
    const fetched = new Map();
    for (let wave = [root]; wave.length;) {
      const files = await Promise.all(wave.map(async (path) => this.#files.get(path) ?? this.fetchFile(path)));
      wave.forEach((path, index) => fetched.set(path, files[index]));
      const refs = wave.flatMap((path, index) => refsOf(files[index]).map((ref) => resolve(ref, path).path));
      wave = [...new Set(refs)].filter((path) => !seen.has(path));
      for (const path of wave) seen.add(path);
    }
    // All at once, so that a file is only stored together with the files to which it refers.
    for (const [path, file] of fetched) this.#files.set(path, file);
  }
}

/** Every reference in a schema; examples contain payloads, not schemas. */
function refsOf(schema) {
  if (Array.isArray(schema)) return schema.flatMap(refsOf);
  if (schema === null || typeof schema !== "object") return [];
  return Object.entries(schema).flatMap(([key, value]) =>
    key === "$ref" && typeof value === "string" ? [value]
      : key === "examples" || key === "const" || key === "enum" ? [] : refsOf(value));
}

function resolve(ref, base) {
  const url = new URL(ref, new URL(base, "http://schemas.invalid/"));
  return { path: url.pathname, fragment: url.hash.slice(1) };
}
