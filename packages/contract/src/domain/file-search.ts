import { comparable, splitSearch } from './job-search.ts';

/** The limits of a search of files. */
export const FILE_SEARCH = {
  /** Characters of a search. */
  length: 200,
  words: 20,
  /** How many names one request looks at. The next page continues after them. */
  names: 10_000,
} as const;

/** The words of a search of files. Spaces and slashes divide them; quotes keep spaces in a word: `"take 2"`. No name has a slash. */
export const fileSearchWords = (q: string): readonly string[] =>
  splitSearch(q)
    .flatMap((text) => comparable(text).split('/'))
    .filter(Boolean);

/** Whether a path matches a search: each word is a part of the path, and the last one of its name. `path`: that of a folder ends with a slash. */
export type MatchesSearch = (path: string) => boolean;

/** Returns the check whether a path matches a search. `films mara` and `lms/mara` match `Films/2026/marathon.mp4`. */
export function fileSearch(q: string): MatchesSearch {
  const words = fileSearchWords(q);
  const last = words.at(-1);
  return (path) => {
    const whole = comparable(path).replace(/\/$/, '');
    return (
      last !== undefined &&
      whole.slice(whole.lastIndexOf('/') + 1).includes(last) &&
      words.every((word) => whole.includes(word))
    );
  };
}
