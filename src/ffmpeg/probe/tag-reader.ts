import type { Tags } from '../../domain/media-info.ts';
import { plainText } from '../../domain/text-validation.ts';

/** Limits for the tags of one file. Ordinary files stay far below them. */
const MAX_TAGS = 64;
const MAX_NAME_LENGTH = 100;
const MAX_VALUE_LENGTH = 2000;
const MAX_CHARACTERS = 200_000;

/** Cuts a text to `maxLength` characters and replaces control and bidirectional characters by spaces. */
export const boundedText = (text: string, maxLength: number): string => {
  const plain = plainText(text);
  return plain.length <= maxLength ? plain : `${plain.slice(0, maxLength - 1).toWellFormed()}…`;
};

/** Reads the tags of one file, up to a total length. */
export class TagReader {
  #remaining = MAX_CHARACTERS;
  #leftOut = 0;

  /** The number of tags omitted so far. */
  get leftOut(): number {
    return this.#leftOut;
  }

  read(found: unknown): Tags {
    if (typeof found !== 'object' || found === null) return {};
    const entries = Object.entries(found).filter(([, value]) => typeof value === 'string');
    const tags: [string, string][] = [];
    for (const [name, value] of entries) {
      const tag: [string, string] = [boundedText(name, MAX_NAME_LENGTH), boundedText(value, MAX_VALUE_LENGTH)];
      const size = tag[0].length + tag[1].length;
      if (tags.length >= MAX_TAGS || size > this.#remaining) this.#leftOut += 1;
      else {
        this.#remaining -= size;
        tags.push(tag);
      }
    }
    return Object.fromEntries(tags);
  }
}
