import type { GraphFilter } from '../../packages/ffmpeg/src/filtergraph/graph.ts';

/** A generator of numbers in [0, 1) (mulberry32). A seed gives the same numbers on every machine. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const CHARS = [..."ab0 ' \\ [],;:=@|()%{}é\t"];

/** Characters that do not end a filter. */
const ODD = CHARS.filter((char) => !",;'".includes(char));

/** Quotes and escapes, with and without a character in them. */
const QUOTINGS = [
  "'",
  "''",
  "\\'",
  "'\\''",
  "',;'",
  "'[l]'",
  "' '",
  '\\\\',
  '\\,',
  '\\;',
  '\\[',
  '\\:',
  '\\\\\\:',
  '\\ ',
];

/** Generates filtergraphs, mostly of filters that accept any text as an option and have no unconnected pads. */
export class RandomGraphs {
  readonly #random: () => number;

  constructor(seed: number) {
    this.#random = seeded(seed);
  }

  #below(n: number): number {
    return Math.floor(this.#random() * n);
  }

  #one<T>(of: readonly T[]): T {
    return of[this.#below(of.length)] as T;
  }

  #space(): string {
    return this.#below(4) === 0 ? this.#one([' ', '\t', '\n', '  ', ' \r\n']) : '';
  }

  /** Any characters, including quotes that are never closed. */
  #wild(longest: number): string {
    return Array.from({ length: this.#below(longest) }, () => this.#one(CHARS)).join('');
  }

  /** Quotes or escapes the special characters of `text` in a random way, so that none of them ends the value. */
  #quoted(text: string): string {
    return [...text]
      .map((char) => {
        if (!/[[\],;:=\\' \t]/.test(char)) return this.#below(12) === 0 ? `\\${char}` : char;
        if (char === "'") return "\\'";
        return this.#below(2) === 0 ? `\\${char}` : `'${char}'`;
      })
      .join('');
  }

  /** A graph that ffmpeg usually accepts. Its filters have the instance names `PREFIX-NUMBER`. */
  valid(prefix: string): string {
    const filters = Array.from({ length: 1 + this.#below(4) }, (_one, i) => {
      const names = this.#one([['key', 'value'], ['value'], ['key'], []]);
      const options = names.map((name) => `${this.#space()}${name}${this.#space()}=${this.#value()}`).join(':');
      // In this mode the filter requires no option and accepts any text for `key` and `value`.
      const mode = `${this.#space()}mode=print${options === '' ? '' : ':'}`;
      return `${this.#space()}metadata@${prefix}-${i}${this.#space()}=${mode}${options}${this.#space()}`;
    });
    return `nullsrc=d=0.04,${filters.join(',')},nullsink`;
  }

  #value(): string {
    return this.#quoted(this.#quoted(this.#wild(6)));
  }

  /**
   * A graph that ffmpeg may reject: with quotes, backslashes, spaces, labels and separators anywhere. Filters are named as
   * in `valid`. Most separators are followed by a filter, so that ffmpeg accepts many of the graphs.
   */
  wild(prefix: string): string {
    let filters = 0;
    const filter = (): string =>
      `${this.#space()}metadata@${prefix}-${filters++}${this.#space()}=mode=print:${this.#one(['key', 'value'])}=`;
    const piece = (): string => {
      const kind = this.#below(16);
      if (kind < 2) return `,${filter()}`;
      if (kind === 2) return `;nullsrc=d=0.04,${filter()}`;
      if (kind === 3) return `${this.#space()}[l]${this.#space()},[l]${filter()}`;
      if (kind === 4) return `:${this.#space()}${this.#one(['key', 'value'])}${this.#space()}=`;
      if (kind < 7) return this.#one(QUOTINGS);
      return this.#one(this.#below(40) === 0 ? [',', ';'] : ODD);
    };
    return `nullsrc=d=0.04,${filter()}${Array.from({ length: this.#below(14) }, piece).join('')},nullsink`;
  }
}

/** The options of one filter in the order in which ffmpeg set them, from its debug log. */
export type Settings = readonly (readonly [key: string, value: string])[];

/** Maps `NAME@INSTANCE` to the options that ffmpeg set, from its debug log. */
export function settingsIn(log: string): ReadonlyMap<string, Settings> {
  const found = new Map<string, (readonly [string, string])[]>();
  const line = /^\[(\w+@[\w-]+) @ 0x[0-9a-f]+\] (?:Setting '([^']*)' to value '([\s\S]*?)'\n(?=\[|[A-Z]|$))/gm;
  for (const [, name = '', key = '', value = ''] of log.matchAll(line)) {
    const settings = found.get(name) ?? [];
    settings.push([key, value]);
    found.set(name, settings);
  }
  return found;
}

/** The options of a filter that our parser read. `positions` names the positional values. */
export const settingsOf = ({ options }: GraphFilter, positions: readonly string[]): Settings =>
  options.map(({ key, value }, i) => [key ?? positions[i] ?? '', value]);
