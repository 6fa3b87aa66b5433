/** The version of a file that must be looked at again, in a table from which nothing is removed. */
export const UNKNOWN = 0;

/**
 * The versions of files by their names, as hashes: 16 to 40 bytes per file, where a `Map` with texts takes 200. Two names share a
 * hash of 53 bits once in 10^11 pairs, and then a change of one of them is overlooked until all files are yielded again.
 */
export class VersionTable {
  /** Pairs of a hash of a name and one of a version. The hash 0 marks a free place. */
  #slots = new Float64Array(2 * LEAST_PLACES);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Returns the hash of the version of a name. undefined: the name is unknown. */
  get(name: number): number | undefined {
    const at = this.#find(name);
    return this.#slots[at] === name ? this.#slots[at + 1] : undefined;
  }

  set(name: number, version: number): void {
    let at = this.#find(name);
    if (this.#slots[at] !== name) {
      // With more than two thirds taken, searches become long.
      if (3 * (this.#size + 1) > this.#slots.length) {
        this.#grow();
        at = this.#find(name);
      }
      this.#slots[at] = name;
      this.#size += 1;
    }
    this.#slots[at + 1] = version;
  }

  /** Returns the index of a name, or of the free place where it belongs. */
  #find(name: number): number {
    const mask = this.#slots.length / 2 - 1;
    // The operator takes the lower 32 bits.
    let place = name & mask;
    for (;;) {
      const found = this.#slots[2 * place];
      if (found === name || found === 0) return 2 * place;
      place = (place + 1) & mask;
    }
  }

  #grow(): void {
    const old = this.#slots;
    this.#slots = new Float64Array(2 * old.length);
    for (let at = 0; at < old.length; at += 2) {
      const name = old[at] ?? 0;
      if (name === 0) continue;
      const to = this.#find(name);
      this.#slots[to] = name;
      this.#slots[to + 1] = old[at + 1] ?? 0;
    }
  }
}

/** A power of two, as all sizes are. */
const LEAST_PLACES = 8;

/** Hashes a text to an integer from 1 to 2^53 − 1. Each `seed` gives another hash, so two texts that collide in one scan do not collide in the next. */
export function hashText(text: string, seed: number): number {
  let a = 0x9e3779b1 ^ seed;
  let b = 0x85ebca6b ^ seed;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, 0x9e3779b1);
    b = Math.imul(b ^ code, 0x5f356495);
    a ^= a >>> 15;
  }
  a = Math.imul(a ^ (a >>> 16), 0x85ebca6b) ^ Math.imul(b ^ (b >>> 13), 0xc2b2ae35);
  b = Math.imul(b ^ (b >>> 16), 0x85ebca6b) ^ Math.imul(a ^ (a >>> 13), 0xc2b2ae35);
  return (b & 0x1fffff) * 0x1_0000_0000 + (a >>> 0) || 1;
}
