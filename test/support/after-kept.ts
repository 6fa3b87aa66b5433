import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

/**
 * Calls `act` each time a file has its second name in the bin, before another file takes the first one, until the returned function is
 * called. It changes the module for all importers: files that share a process share their modules, so a mock would come too late.
 */
export function afterEachKept(act: () => Promise<void>): () => void {
  const { link } = fs;
  fs.link = async (from, to) => {
    await link(from, to);
    if (String(to).endsWith('/content')) await act();
  };
  syncBuiltinESMExports();
  return () => {
    fs.link = link;
    syncBuiltinESMExports();
  };
}
