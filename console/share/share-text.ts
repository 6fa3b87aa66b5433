import type { Share } from '@telecine/client';

/** How often a link was used, for a sentence. */
export function downloadsText({ uses, state }: Pick<Share, 'uses' | 'state'>): string {
  if (uses === 0) return state === 'ACTIVE' ? 'not downloaded yet' : 'never downloaded';
  return uses === 1 ? 'downloaded once' : `downloaded ${uses.toLocaleString()} times`;
}

/** The most ended links that are shown before a person asks for all. */
const MOST_ENDED = 3;

/** Sorts links: those that work first, then a few of those that have ended. `hidden`: how many are left out. */
export function arrangeShares(
  shares: readonly Share[],
  showsAll: boolean,
): { readonly shown: readonly Share[]; readonly hidden: number } {
  const active = shares.filter(({ state }) => state === 'ACTIVE');
  const ended = shares.filter(({ state }) => state !== 'ACTIVE');
  const shown = showsAll ? ended : ended.slice(0, MOST_ENDED);
  return { shown: [...active, ...shown], hidden: ended.length - shown.length };
}
