import { distance } from 'fastest-levenshtein';

/**
 * The candidate nearest in spelling to `word`, or undefined when none is near enough to be a slip:
 * at most a third of the letters may differ.
 */
export function closestMatch(word: string, candidates: Iterable<string>): string | undefined {
  const limit = Math.max(1, Math.floor(word.length / 3));
  let best: string | undefined;
  let bestDistance = limit + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) > limit) continue;
    const d = farness(word.toLowerCase(), candidate.toLowerCase());
    if (d < bestDistance) {
      best = candidate;
      bestDistance = d;
    }
  }
  return best;
}

/** All candidates, those nearest in spelling to `word` first. */
export function sortByCloseness(word: string, candidates: Iterable<string>): readonly string[] {
  const lower = word.toLowerCase();
  return [...candidates]
    .map((candidate) => ({ candidate, far: farness(lower, candidate.toLowerCase()) }))
    .sort((a, b) => a.far - b.far)
    .map(({ candidate }) => candidate);
}

/** Slips of spelling between two words; two letters that changed places are less than one. */
function farness(a: string, b: string): number {
  const slips = distance(a, b);
  return slips === 2 && a.length === b.length && isSwap(a, b) ? 0.9 : slips;
}

function isSwap(a: string, b: string): boolean {
  let at = 0;
  while (a[at] === b[at]) at += 1;
  return a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2);
}
