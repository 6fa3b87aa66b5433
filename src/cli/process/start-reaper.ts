import { getCompileCacheDir } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { startCrashReaper } from '../../ffmpeg/process/crash-reaper.ts';
import { findTool } from '../../ffmpeg/sandbox/system-view.ts';
import type { Log } from '../logger.ts';

/** The program beside this file, in `src` and in `dist`, by whose name the build keeps it. */
const SWEEP = join(import.meta.dirname, `reaper-main${extname(import.meta.filename)}`);

const UNGUARDED = 'an ffmpeg that was just being started when the service is killed may run on until its next start';

/**
 * Sees to it that nothing works on in `scratchRoot` once this service is gone; where that cannot be, it is warned of.
 *
 * @returns What ends the guard, for a service that leaves no conversions.
 */
export async function startScratchReaper(scratchRoot: string, log: Log['log']): Promise<() => void> {
  if (process.platform !== 'linux') return () => {};
  const xargs = await findTool('xargs');
  if (xargs === undefined) {
    log.warn({ fix: 'Install findutils (apt-get install findutils).' }, `There is no xargs: ${UNGUARDED}.`);
    return () => {};
  }
  return startCrashReaper({
    xargs,
    command: [process.execPath, SWEEP, scratchRoot],
    env: compileCache(),
    onLost: (err) => log.warn({ ...(err && { err }) }, `The guard has ended: ${UNGUARDED}.`),
  });
}

/** Makes the sweep keep what Node compiles where this process does, so that it starts in half the time. */
function compileCache(): Readonly<Record<string, string>> {
  // A folder of this Node's version and build, in the one that the variable names.
  const folder = getCompileCacheDir();
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) };
}
