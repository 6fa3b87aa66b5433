import type { WatchLedger, WatchStore } from './ports.ts';

interface Written {
  readonly ledger: WatchLedger;
  readonly watches: Pick<WatchStore, 'get' | 'note'>;
}

/**
 * Calls `onChange` after each write about a watch, so that no step of a run can forget it. Not after submissions and ends of jobs: the changes
 * of the jobs tell of these.
 */
export function reportWrites<D extends Written>(deps: D, onChange: () => void): D {
  const reported =
    <A extends unknown[], R>(write: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      const result = await write(...args);
      onChange();
      return result;
    };
  const { ledger, watches } = deps;
  return {
    ...deps,
    ledger: {
      ...ledger,
      record: reported(ledger.record),
      settle: reported(ledger.settle),
      setSource: reported(ledger.setSource),
    },
    watches: { ...watches, note: reported(watches.note) },
  };
}
