import type { ShareStore } from './ports.ts';

/** How long uses are collected before they are stored. A link that many people open costs one write in this time. */
const COLLECT_MS = 2000;

/** Counts the uses of shares. Loses the uses of the last seconds in a crash, and while the database is down. */
export function shareUses(
  { addUses }: Pick<ShareStore, 'addUses'>,
  onError: (error: unknown) => void,
  collectMs = COLLECT_MS,
) {
  let uses = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  let storing = Promise.resolve();
  const store = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const collected = uses;
    uses = new Map();
    storing = storing.then(() => addUses(collected)).catch(onError);
    return storing;
  };
  return {
    add(shareId: string): void {
      uses.set(shareId, (uses.get(shareId) ?? 0) + 1);
      timer ??= setTimeout(() => void store(), collectMs).unref();
    },
    /** Stores what was collected. */
    [Symbol.asyncDispose]: store,
  };
}

export type ShareUses = ReturnType<typeof shareUses>;
