import { dirname, join } from 'node:path';
import type { JobOutput } from '../../../domain/job.ts';
import type { Mount, PlannedOutput } from '../../../domain/plan.ts';
import type { PublishIntent } from '../../../jobs/ports.ts';
import { failed, outputFault, outputOutside } from '../errors.ts';
import { DirectoryMoved, openDirectory } from '../paths/directory-handle.ts';
import { collectOutputs } from './collect-outputs.ts';
import { toIntent } from './intent.ts';
import { checkOverwrites } from './overwrite-rules.ts';
import { type PrepareDeps, prepareFiles } from './prepare-files.ts';
import { openBoundary } from './target.ts';

/**
 * Makes what ffmpeg left durable, and the folders that it goes to; where those lie on another disk, copies it
 * to hidden names there, so that publishing itself is links in one folder. Throws FFMPEG_FAILED, INPUT_INVALID,
 * NO_SPACE, OUTPUT_EXISTS, STORAGE_FAULT, UNSUPPORTED.
 */
export async function prepareOutputs(
  deps: PrepareDeps,
  root: string,
  scratchDir: string,
  output: PlannedOutput,
  main: Omit<JobOutput, 'path' | 'sizeBytes'>,
  inputs: readonly Mount[],
): Promise<PublishIntent> {
  const outDir = join(scratchDir, 'out');
  try {
    const left = await collectOutputs(outDir, output);
    const files = await prepareFiles(
      deps,
      await openBoundary(root, deps.reserved),
      scratchDir,
      output.replace,
      left.files,
    );
    if (output.replace) await checkOverwrites(files, left.main.path, inputs);
    await syncFolders(new Set([outDir, ...left.files.map(({ temporary }) => dirname(temporary))]));
    const shown = files.map(
      ({ path, sizeBytes, fingerprint }): JobOutput =>
        path === left.main.path ? { path, sizeBytes, fingerprint, ...main } : { path, sizeBytes, fingerprint },
    );
    const first = shown.find(({ path }) => path === left.main.path);
    if (first === undefined || first.sizeBytes === 0)
      throw failed('FFMPEG_FAILED', `ffmpeg made an empty file for "${output.path}".`, 'Read the log of the job.');
    const list = { scratchDir, replace: output.replace, files };
    return toIntent(list, [first, ...shown.filter((file) => file !== first)]);
  } catch (error) {
    throw error instanceof DirectoryMoved ? outputOutside(output.path) : outputFault(output.path, error);
  }
}

async function syncFolders(paths: ReadonlySet<string>): Promise<void> {
  for (const path of paths) {
    const folder = await openDirectory(path);
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  }
}
