import { type LastScans, laterPauses, pausesEnd } from './scans.ts';

/** The cost of the last scans of paused and deleted watches, so that the next ones of the same folder pause as if nothing had happened. */
export interface ScanCosts {
  /** Returns the last scans of a folder of a client. */
  of(clientId: string, folder: string): LastScans;
  keep(clientId: string, folder: string, last: LastScans): void;
}

/** How many folders are kept: those with the longest pauses. A megabyte, or 8 MB if all have the longest paths. */
const MOST_FOLDERS = 1000;

export function scanCosts(most = MOST_FOLDERS): ScanCosts {
  const kept = new Map<string, LastScans>();
  const keyOf = (clientId: string, folder: string): string => JSON.stringify([clientId, folder]);
  const of = (clientId: string, folder: string): LastScans => kept.get(keyOf(clientId, folder)) ?? {};
  return {
    of,
    keep: (clientId, folder, last) => {
      kept.set(keyOf(clientId, folder), laterPauses(of(clientId, folder), last));
      if (kept.size <= most) return;
      const [first] = [...kept].reduce((a, b) => (pausesEnd(b[1]) < pausesEnd(a[1]) ? b : a));
      kept.delete(first);
    },
  };
}
