import { distance } from 'fastest-levenshtein';

export interface Described {
  readonly name: string;
  readonly description: string;
}

/** The maximum length of a text to compare with names: the time grows with the product of both lengths. */
const MAX_WORD_LENGTH = 100;

/** The maximum number of similar names in an answer, if no item matches. */
const MAX_SIMILAR = 5;

/**
 * Finds the items that contain every word of `words` in their name, their description, or the text that `more` returns. Matches in the name
 * come first. If nothing matches, `alike` is true, and `items` has the few items with the most similar names.
 */
export function search<T extends Described>(
  items: readonly T[],
  words: string,
  more: (item: T) => string = () => '',
): { readonly items: readonly T[]; readonly alike: boolean } {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return { items, alike: false };
  const ranked = items.flatMap((item) => {
    const name = item.name.toLowerCase();
    const description = `${item.description} ${more(item)}`.toLowerCase();
    const found = wanted.every((word) => name.includes(word) || description.includes(word));
    return found ? [{ item, rank: rankOf(name, description, wanted) }] : [];
  });
  if (ranked.length > 0) return { items: ranked.sort((a, b) => a.rank - b.rank).map(({ item }) => item), alike: false };
  return { items: similarNames(items, wanted.join('')), alike: true };
}

function rankOf(name: string, description: string, wanted: readonly string[]): number {
  const whole = wanted.join(' ');
  if (name === whole) return 0;
  if (name.startsWith(whole)) return 1;
  if (wanted.every((word) => name.includes(word))) return 2;
  const descriptionWords = description.split(/[^a-z0-9.]+/);
  return wanted.every((word) => name.includes(word) || descriptionWords.includes(word)) ? 3 : 4;
}

function similarNames<T extends Described>(items: readonly T[], word: string): readonly T[] {
  // Two swapped letters have a distance of 2, so words of four letters or more may differ by 2.
  const limit = word.length < 4 ? 1 : Math.max(2, Math.floor(word.length / 3));
  const far = new Map<string, number>();
  for (const { name } of items) far.set(name, distance(word.slice(0, MAX_WORD_LENGTH), name.toLowerCase()));
  const near = items.filter(({ name }) => (far.get(name) ?? Number.POSITIVE_INFINITY) <= limit);
  return near.sort((a, b) => (far.get(a.name) ?? 0) - (far.get(b.name) ?? 0)).slice(0, MAX_SIMILAR);
}
