import type { Mount } from '../../../domain/plan.ts';
import { lstatIfExists } from '../../file-errors.ts';
import { replacesInput, replacesOther } from '../../job-failures.ts';
import { fileIdOf } from '../paths/file-facts.ts';
import type { IntendedFile } from './intent.ts';

/**
 * Rejects overwrites that `"y"` does not allow. Options of ffmpeg name further files, so a client's mistake could
 * replace any file in their folder. With `"y"`, a conversion never replaces one of its inputs, and replaces further
 * files only if the main output exists too, as it does when a conversion is repeated. Throws INPUT_INVALID,
 * OUTPUT_EXISTS.
 *
 * @param mains For each path, that of the main file of its output.
 */
export async function checkOverwrites(
  files: readonly IntendedFile[],
  mains: ReadonlyMap<string, string>,
  inputs: readonly Mount[],
): Promise<void> {
  const inputIds = new Set(inputs.flatMap(({ identities }) => identities ?? []));
  const targets = await Promise.all(
    files.map(async ({ path, target }) => ({ path, stats: await lstatIfExists(target) })),
  );
  const existing = new Set(targets.flatMap(({ path, stats }) => (stats === undefined ? [] : path)));
  for (const { path, stats } of targets) {
    if (stats === undefined) continue;
    if (inputIds.has(fileIdOf(stats))) throw replacesInput(path);
    if (!existing.has(mains.get(path) ?? path)) throw replacesOther(path);
  }
}
