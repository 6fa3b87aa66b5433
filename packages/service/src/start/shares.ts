import { SHARE_LIMITS } from '@telecine/contract/domain/share.ts';
import type { LinkOperations } from '../auth/links.ts';
import { hashToken, newShareSecret } from '../auth/secrets.ts';
import type { FileOperations } from '../files/file-operations.ts';
import { type ShareUses, shareUses } from '../files/share-uses.ts';
import { type ShareOperations, shareOperations } from '../files/shares.ts';
import { everyHour, internalErrors } from './background-tasks.ts';
import type { Log } from './logger.ts';
import type { Storage } from './storage.ts';

/** How many ended shares one transaction removes. */
const REMOVED_TOGETHER = 500;

/** The operations on shares, the clients that share, and the counter of uses. */
export interface Shares extends ShareOperations {
  readonly readerOf: LinkOperations['readerOf'];
  readonly writerOf: LinkOperations['writerOf'];
  readonly uses: Pick<ShareUses, 'add'>;
}

/** Opens shares. Removes those that have ended, after a while, every hour. */
export function openShares(
  closers: AsyncDisposableStack,
  log: Log['log'],
  {
    storage: { store, files: fileStore },
    files,
    links,
  }: { readonly storage: Storage; readonly files: Pick<FileOperations, 'outputs'>; readonly links: LinkOperations },
): Shares {
  const { shares } = store;
  const onError = internalErrors(log, { component: 'shares' });
  const uses = closers.use(shareUses(shares, onError));
  const forget = async (): Promise<void> => {
    while ((await shares.removeEnded(SHARE_LIMITS.endedSeconds, REMOVED_TOGETHER)) === REMOVED_TOGETHER);
  };
  closers.use(everyHour(forget, log));
  return {
    ...shareOperations({
      shares,
      store: fileStore,
      outputs: files.outputs,
      newSecret: newShareSecret,
      hash: hashToken,
      now: () => new Date(),
    }),
    readerOf: links.readerOf,
    writerOf: links.writerOf,
    uses,
  };
}
