import { realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import { replaceFsCall } from './replace-fs-call.ts';

/**
 * Calls `act` each time a file has its second name in the bin, before another file takes the first one, until the test ends or the returned
 * function is called.
 */
export const afterEachKept = (act: () => Promise<void>): (() => void) =>
  replaceFsCall('link', (link) => async (from, to) => {
    await link(from, to);
    if ((await realpath(dirname(String(to)))).includes('/.telecine/bin/')) await act();
  });
