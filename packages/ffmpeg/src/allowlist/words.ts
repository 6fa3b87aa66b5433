export const wordSet = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** Reads pairs of words as a map: of `mp4 mov m4a mov`, it maps `mp4` and `m4a` to `mov`. */
export function wordPairs(text: string): ReadonlyMap<string, string> {
  const words = text.split(' ');
  return new Map(words.flatMap((word, at) => (at % 2 === 0 ? [[word, words[at + 1] ?? ''] as const] : [])));
}
