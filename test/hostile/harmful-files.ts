import { execFile } from 'node:child_process';
import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { onPath } from '../../scripts/setup/command.ts';

/** What baits are made of; absolute paths. */
export interface HarmfulFiles {
  /** A quarter of a second of small pictures and sound. */
  readonly movie: string;
  /** The same as a transport stream. */
  readonly stream: string;
  /**
   * A library whose loading leaves `<its path>.loaded`. Where there is no compiler it is a file that is none: the loader
   * opens and reads it all the same, which is noticed too.
   */
  readonly library: string;
}

const run = promisify(execFile);

/** Leaves a file beside itself, in its constructor, before anyone asks it for a filter. */
const LIBRARY = `#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
__attribute__((constructor)) static void loaded(void) {
  Dl_info self;
  char mark[4096];
  if (!dladdr((void *)loaded, &self)) return;
  snprintf(mark, sizeof mark, "%s.loaded", self.dli_fname);
  open(mark, O_CREAT | O_WRONLY, 0600);
}
`;

/** Makes them in `dir`. */
export async function makeHarmfulFiles(dir: string, ffmpegPath: string): Promise<HarmfulFiles> {
  const at = (name: string): string => join(dir, name);
  const made = { movie: at('movie.mp4'), stream: at('movie.ts'), library: at('plugin.so') };
  const sources = ['-f', 'lavfi', '-i', 'testsrc=s=64x64:r=10:d=0.5', '-f', 'lavfi', '-i', 'sine=d=0.5'];
  const codecs = ['-c:v', 'mpeg4', '-c:a', 'aac', '-shortest'];
  await run(ffmpegPath, ['-v', 'error', '-nostdin', ...sources, ...codecs, made.movie]);
  await run(ffmpegPath, [
    '-v',
    'error',
    '-nostdin',
    '-i',
    made.movie,
    '-c:v',
    'mpeg2video',
    '-c:a',
    'mp2',
    made.stream,
  ]);
  if (onPath('cc') !== undefined) {
    await writeFile(at('plugin.c'), LIBRARY);
    await run('cc', ['-shared', '-fPIC', '-o', made.library, at('plugin.c')]);
  } else await copyFile(made.movie, made.library);
  return made;
}
