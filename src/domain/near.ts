import { distance } from 'fastest-levenshtein';

/**
 * The candidate nearest in spelling to `word`, or undefined when none is near enough to be a slip:
 * at most a third of the letters may differ.
 */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  const limit = Math.max(1, Math.floor(word.length / 3));
  let best: string | undefined;
  let bestDistance = limit + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) > limit) continue;
    const d = distance(word.toLowerCase(), candidate.toLowerCase());
    if (d < bestDistance) {
      best = candidate;
      bestDistance = d;
    }
  }
  return best;
}

/** All candidates, those nearest in spelling to `word` first. */
export function nearestFirst(word: string, candidates: Iterable<string>): readonly string[] {
  const lower = word.toLowerCase();
  return [...candidates]
    .map((candidate) => ({ candidate, far: distance(lower, candidate.toLowerCase()) }))
    .sort((a, b) => a.far - b.far)
    .map(({ candidate }) => candidate);
}
