import type { Share } from '@telecine/client';
import { formatFullMoment } from '../ui/format.ts';

/** Whether a link works. A service of the version before sends no state, and lists only links that work. */
export const isWorking = ({ state = 'ACTIVE' }: Pick<Share, 'state'>): boolean => state === 'ACTIVE';

/** What tells a link from others to the same file. */
export const markOf = ({ note, createdAt }: Pick<Share, 'note' | 'createdAt'>): string =>
  note ?? `created ${formatFullMoment(createdAt)}`;

/** How often a link was used, for a sentence. Not all downloads count, such as what is saved from the player of its page. */
export function downloadsText({ uses }: Pick<Share, 'uses'>): string {
  if (uses === 0) return 'no download counted';
  return uses === 1 ? 'downloaded once' : `downloaded ${uses.toLocaleString()} times`;
}

/** The most ended links that are shown before a person asks for all. */
const MOST_ENDED = 3;

/** Sorts links: those that work first, then a few of those that have ended. `hidden`: how many are left out. */
export function arrangeShares(
  shares: readonly Share[],
  showsAll: boolean,
): { readonly shown: readonly Share[]; readonly hidden: number } {
  const active = shares.filter(isWorking);
  const ended = shares.filter((share) => !isWorking(share));
  const shown = showsAll ? ended : ended.slice(0, MOST_ENDED);
  return { shown: [...active, ...shown], hidden: ended.length - shown.length };
}

/** How many links to each file work, by its path. A link to several outputs of a job counts for none of them. */
export function countByPath(shares: readonly Share[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const share of shares)
    if (share.path !== undefined && isWorking(share)) counts.set(share.path, (counts.get(share.path) ?? 0) + 1);
  return counts;
}
