import type { BigIntStats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import type { Mount } from '../../../domain/plan.ts';
import { codeOf, failed } from '../errors.ts';
import { fileIdOf } from '../paths/file-id.ts';
import type { IntendedFile } from './intent.ts';

/**
 * What `"y"` does not allow. ffmpeg's options name the files beside the output, so with "y" alone a caller's slip would
 * replace any file of that folder: none that the job reads may go, and others only where the output itself is there
 * already, as it is when a conversion is done again. Throws INPUT_INVALID, OUTPUT_EXISTS.
 *
 * @param main The path of the output itself.
 */
export async function checkOverwrites(
  files: readonly IntendedFile[],
  main: string,
  inputs: readonly Mount[],
): Promise<void> {
  const read = new Set(inputs.flatMap(({ identities }) => identities ?? []));
  const standing = await Promise.all(files.map(async (file) => ({ file, stats: await statsOf(file.target) })));
  const again = standing.some(({ file, stats }) => file.path === main && stats !== undefined);
  for (const { file, stats } of standing) {
    if (stats === undefined) continue;
    if (read.has(fileIdOf(stats))) throw replacesInput(file.path);
    if (!again) throw replacesOther(file.path);
  }
}

const statsOf = (path: string): Promise<BigIntStats | undefined> =>
  lstat(path, { bigint: true }).catch((error) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  });

const replacesInput = (path: string) =>
  failed(
    'INPUT_INVALID',
    `The conversion made a file "${path}", which is one of its inputs; nothing was changed.`,
    'Send other names for the files beside the output, or another output path.',
  );

const replacesOther = (path: string) =>
  failed(
    'OUTPUT_EXISTS',
    `There is a file "${path}" already, beside an output that is new, and nothing was changed.`,
    'Send other names for the files beside the output, or another output path: "y" replaces them only together with the output.',
  );
