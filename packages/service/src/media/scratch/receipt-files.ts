import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { ignoreErrno } from '@telecine/contract/domain/errno.ts';
import type { ReceiptFiles } from '../receipts.ts';
import { openServiceFolder, scratchName } from './scratch.ts';

/** Stores receipts in the media root `folder`, or in `dataDir` if it is not writable. */
export function receiptFiles(folder: string, dataDir: string): ReceiptFiles {
  const withFile = async <T>(name: string, use: (path: string) => Promise<T>): Promise<T> => {
    const { folder: store } = await openServiceFolder(folder, dataDir, 'receipts');
    return use(store.pathOf(name)).finally(store.close);
  };
  return {
    write: (jobId, text) =>
      withFile(scratchName(jobId), async (path) => {
        // A crash must not leave half a receipt. The sweep removes what is left of it.
        await writeFile(`${path}.new`, text, { mode: 0o600 });
        await rename(`${path}.new`, path);
      }),
    read: (jobId) =>
      withFile(scratchName(jobId), (path) => readFile(path, 'utf8').catch(ignoreErrno('ENOENT'))) as Promise<
        string | undefined
      >,
    list: () => withFile('.', (path) => readdir(path)),
    remove: (jobId) => withFile(scratchName(jobId), (path) => rm(path, { force: true })),
  };
}
