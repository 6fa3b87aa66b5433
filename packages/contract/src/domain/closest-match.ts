import { distance } from 'fastest-levenshtein';

/** The maximum length of a compared word. The time of a comparison grows with the product of both lengths. Names of ffmpeg are shorter. */
const MAX_WORD_LENGTH = 100;

/**
 * The candidate with the spelling closest to `word`: `libx264` for `libx246`. undefined: for every candidate, more than a third of the
 * letters differ, in the whole word or in one of its parts.
 */
export function closestMatch(word: string, candidates: Iterable<string>): string | undefined {
  if (word.length > MAX_WORD_LENGTH) return undefined;
  // A letter is similar to every other.
  const limit = word.length < 2 ? 0 : Math.max(1, Math.floor(word.length / 3));
  let best: string | undefined;
  let bestDistance = limit + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) > limit) continue;
    const d = spellingDistance(word.toLowerCase(), candidate.toLowerCase());
    if (d < bestDistance && areNearByPart(word, candidate)) {
      best = candidate;
      bestDistance = d;
    }
  }
  return best;
}

/** Whether each part of one name is close to the same part of the other name. "print_format" is not a misspelt "pixel_format". */
function areNearByPart(a: string, b: string): boolean {
  const [parts, others] = [a, b].map((name) => name.toLowerCase().split(/[\s_-]/));
  if (parts === undefined || others === undefined || (parts.length === 1 && others.length === 1)) return true;
  // With different numbers of parts, compare the names as whole words: "sample_format" is close to "samplefmt", but "max_width" is not
  // close to "bandwidth".
  if (parts.length !== others.length) return isNear(parts.join(''), others.join(''));
  return parts.every((part, at) => isNear(part, others[at] ?? ''));
}

const isNear = (a: string, b: string): boolean => spellingDistance(a, b) <= Math.max(1, Math.floor(a.length / 3));

/** All candidates, sorted by the distance of their spelling from the first letters of `word`, closest first. */
export function sortByCloseness(word: string, candidates: Iterable<string>): readonly string[] {
  const lower = word.slice(0, MAX_WORD_LENGTH).toLowerCase();
  return [...candidates]
    .map((candidate) => ({
      candidate,
      distance: spellingDistance(lower, candidate.slice(0, MAX_WORD_LENGTH).toLowerCase()),
    }))
    .sort((a, b) => a.distance - b.distance)
    .map(({ candidate }) => candidate);
}

/** The edit distance of two words. Two swapped neighbours count 0.9 instead of 2: `libx246` is closer to `libx264` than to `libx266`. */
function spellingDistance(a: string, b: string): number {
  const edits = distance(a, b);
  return edits === 2 && a.length === b.length && isSwap(a, b) ? 0.9 : edits;
}

function isSwap(a: string, b: string): boolean {
  let at = 0;
  while (a[at] === b[at]) at += 1;
  return a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2);
}
