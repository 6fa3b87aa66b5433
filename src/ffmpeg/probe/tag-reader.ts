import type { Tags } from '../../domain/media-info.ts';
import { plainText } from '../../domain/text-validation.ts';

/** What is shown of the texts in one file: enough for every real one, and no more than a client wants to read. */
const MOST_TAGS = 64;
const LONGEST_NAME = 100;
const LONGEST_VALUE = 2000;
const MOST_CHARACTERS = 200_000;

/** At most `longest` characters of a text, control characters and marks of direction turned to blanks. */
export const boundedText = (text: string, longest: number): string => {
  const plain = plainText(text);
  return plain.length <= longest ? plain : `${plain.slice(0, longest - 1).toWellFormed()}…`;
};

/** Reads the tags of one file, within what is shown of all of them together. */
export class TagReader {
  #left = MOST_CHARACTERS;
  #leftOut = 0;

  /** How many tags were left out so far. */
  get leftOut(): number {
    return this.#leftOut;
  }

  read(found: unknown): Tags {
    if (typeof found !== 'object' || found === null) return {};
    const entries = Object.entries(found).filter(([, value]) => typeof value === 'string');
    const tags: [string, string][] = [];
    for (const [name, value] of entries) {
      const tag: [string, string] = [boundedText(name, LONGEST_NAME), boundedText(value, LONGEST_VALUE)];
      const size = tag[0].length + tag[1].length;
      if (tags.length >= MOST_TAGS || size > this.#left) this.#leftOut += 1;
      else {
        this.#left -= size;
        tags.push(tag);
      }
    }
    return Object.fromEntries(tags);
  }
}
