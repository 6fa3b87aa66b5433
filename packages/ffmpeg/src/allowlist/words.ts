/** The words of a text. They are separated by single spaces. */
export const wordSet = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** Reads pairs of words as a map: `mp4 mov m4a mov` maps `mp4` and `m4a` to `mov`. */
export function wordPairs(text: string): ReadonlyMap<string, string> {
  const words = text.split(' ');
  return new Map(words.flatMap((word, at) => (at % 2 === 0 ? [[word, words[at + 1] ?? ''] as const] : [])));
}
