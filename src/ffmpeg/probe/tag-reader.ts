import type { Tags } from '../../domain/media-info.ts';
import { plainText } from '../../domain/text-validation.ts';

/** Limits for the tags of one file. Ordinary files stay far below them. */
const MAX_TAGS = 64;
const MAX_NAME_LENGTH = 100;
const MAX_VALUE_LENGTH = 2000;
const MAX_CHARACTERS = 200_000;

/**
 * Cuts a text to `maxLength` characters and replaces control and bidirectional characters by spaces. What is cut off is not
 * read: a tag can have megabytes.
 */
export const boundedText = (text: string, maxLength: number): string =>
  text.length <= maxLength ? plainText(text) : `${plainText(text.slice(0, maxLength - 1)).toWellFormed()}…`;

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
      const size = Math.min(name.length, MAX_NAME_LENGTH) + Math.min(value.length, MAX_VALUE_LENGTH);
      if (tags.length >= MAX_TAGS || size > this.#remaining) this.#leftOut += 1;
      else {
        this.#remaining -= size;
        tags.push([boundedText(name, MAX_NAME_LENGTH), boundedText(value, MAX_VALUE_LENGTH)]);
      }
    }
    return Object.fromEntries(tags);
  }
}
