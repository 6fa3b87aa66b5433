import { execFile } from 'node:child_process';
import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { onPath } from '../../scripts/setup/command.ts';

/** The files that canaries are copied from, by absolute path. */
export interface HarmfulFiles {
  /** Half a second of small video with audio. */
  readonly movie: string;
  /** The same movie as MPEG-TS. */
  readonly stream: string;
  /**
   * A library that creates `<its path>.loaded` when it is loaded. Without a compiler it is another file: the loader still
   * reads it, which its access time shows.
   */
  readonly library: string;
}

const run = promisify(execFile);

/** A constructor of the library creates the file, before the program calls any function. */
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

/** Generates the files in `dir`. */
export async function makeHarmfulFiles(dir: string, ffmpegPath: string): Promise<HarmfulFiles> {
  const at = (name: string): string => join(dir, name);
  const paths = { movie: at('movie.mp4'), stream: at('movie.ts'), library: at('plugin.so') };
  const sources = ['-f', 'lavfi', '-i', 'testsrc=s=64x64:r=10:d=0.5', '-f', 'lavfi', '-i', 'sine=d=0.5'];
  const codecs = ['-c:v', 'mpeg4', '-c:a', 'aac', '-shortest'];
  await run(ffmpegPath, ['-v', 'error', '-nostdin', ...sources, ...codecs, paths.movie]);
  await run(ffmpegPath, [
    '-v',
    'error',
    '-nostdin',
    '-i',
    paths.movie,
    '-c:v',
    'mpeg2video',
    '-c:a',
    'mp2',
    paths.stream,
  ]);
  if (onPath('cc') !== undefined) {
    await writeFile(at('plugin.c'), LIBRARY);
    await run('cc', ['-shared', '-fPIC', '-o', paths.library, at('plugin.c')]);
  } else await copyFile(paths.movie, paths.library);
  return paths;
}
