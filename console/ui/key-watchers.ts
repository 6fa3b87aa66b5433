/** Who watches what, by key. */
export class KeyWatchers {
  readonly #byKey = new Map<string, Set<() => void>>();

  /** Calls `onChange` at each `notify` of this key. Returns a function that stops this. */
  watch(key: string, onChange: () => void): () => void {
    const watchers = this.#byKey.get(key) ?? new Set();
    this.#byKey.set(key, watchers.add(onChange));
    return () => {
      watchers.delete(onChange);
      if (watchers.size === 0) this.#byKey.delete(key);
    };
  }

  notify(key: string): void {
    for (const onChange of this.#byKey.get(key) ?? []) onChange();
  }
}
