import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { ignoreErrno } from '@telecine/contract/domain/errno.ts';
import { LineSplitter } from '../process/line-splitter.ts';
import { READ_FLAGS } from '../process/regular-file.ts';

/** The maximum bytes that are read of a file: more than a filter prints for a video of 24 hours. */
const MAX_BYTES = 1024 ** 3;

/**
 * Reads the lines of a file that ffmpeg wrote into the scratch folder, and what `read` makes of them, or none if the file does not exist. A
 * compromised ffmpeg may put anything there, so only a regular file is read, up to its first GiB. Throws the abort reason if `signal` is
 * aborted.
 *
 * @param read Returns undefined for a line without meaning.
 */
export async function* readScratchLines<T>(
  path: string,
  read: (line: string) => T | undefined,
  signal?: AbortSignal,
): AsyncGenerator<T> {
  await using handle = await open(path, READ_FLAGS).catch(ignoreErrno('ENOENT', 'ELOOP', 'ENXIO'));
  if (handle === undefined || !(await handle.stat()).isFile()) return;
  const options = { fd: handle, autoClose: false, encoding: 'latin1', end: MAX_BYTES } as const;
  const found: T[] = [];
  const lines = new LineSplitter((line) => {
    const value = read(line);
    if (value !== undefined) found.push(value);
  });
  for await (const chunk of createReadStream('', options)) {
    signal?.throwIfAborted();
    lines.push(String(chunk));
    yield* found.splice(0);
  }
  lines.end();
  yield* found;
}
