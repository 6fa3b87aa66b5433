import { execFile } from 'node:child_process';
import { chmod, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { testFolder } from './folders.ts';
import { tools } from './tools.ts';

/**
 * Compiles the program of an attacker in place of ffmpeg (`test/fixtures/hostile-ffmpeg.c`), which any user may run. Returns the settings
 * that make a service use it. Needs a C compiler.
 */
export async function hostileFfmpeg(): Promise<Readonly<Record<string, string>>> {
  const folder = await realpath(await testFolder('hostile-ffmpeg'));
  await chmod(folder, 0o755);
  const ffmpeg = join(folder, 'ffmpeg');
  const source = join(import.meta.dirname, '../fixtures/hostile-ffmpeg.c');
  const real = `-DREAL_FFMPEG="${tools().ffmpegPath}"`;
  await promisify(execFile)('cc', ['-O1', '-w', real, '-o', ffmpeg, source]);
  return { FFMPEG_PATH: ffmpeg, FFPROBE_PATH: tools().ffprobePath, TELECINE_CONCURRENCY: '2' };
}
