import { getCompileCacheDir } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { startCrashReaper } from '@telecine/ffmpeg/process/orphan-processes.ts';
import { findTool } from '@telecine/ffmpeg/sandbox/system-view.ts';
import type { Log } from '../logger.ts';

/** The program next to this file, in `src` or in `dist`. Its name is also in rolldown.config.ts. */
const REAPER_PROGRAM = join(import.meta.dirname, `reaper-main${extname(import.meta.filename)}`);

const CONSEQUENCE = 'if the service is killed while it starts an ffmpeg, this ffmpeg may run until the next start';

/**
 * Starts the crash reaper. It kills all processes in `scratchRoot` after this service has ended. Logs a warning if it cannot start. Returns
 * a function that stops it; call this function when no conversion runs.
 *
 * @param lockDir The folder that this service has locked. If the next service has locked it, the reaper stops without killing.
 */
export async function startScratchReaper(
  { scratchRoot, lockDir }: { readonly scratchRoot: string; readonly lockDir: string },
  log: Log['log'],
): Promise<() => void> {
  if (process.platform !== 'linux') return () => {};
  const xargs = await findTool('xargs');
  if (xargs === undefined) {
    log.warn(
      { fix: 'Install findutils (apt-get install findutils).', consequence: CONSEQUENCE },
      'no crash reaper: xargs is missing',
    );
    return () => {};
  }
  return startCrashReaper({
    xargs,
    command: [process.execPath, REAPER_PROGRAM, lockDir, scratchRoot],
    env: compileCache(),
    onLost: (err) => log.warn({ ...(err && { err }), consequence: CONSEQUENCE }, 'the crash reaper has ended'),
  });
}

/** Passes the compile cache of this process to the reaper, which then starts twice as fast. */
function compileCache(): Readonly<Record<string, string>> {
  // Node appends a folder for its version and build to this path, so pass the parent.
  const folder = getCompileCacheDir();
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) };
}
