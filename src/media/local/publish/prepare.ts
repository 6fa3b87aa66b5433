import { dirname, join } from 'node:path';
import type { JobOutput } from '../../../domain/job.ts';
import type { Mount, PlannedOutput } from '../../../domain/plan.ts';
import type { PublishIntent, Scratch } from '../../../jobs/ports.ts';
import { failed, outputFault, outputOutside } from '../errors.ts';
import { FolderMoved, holdFolder } from '../paths/directory-handle.ts';
import { findOutputs } from './collect-outputs.ts';
import { refuseSiblings } from './overwrite-rules.ts';
import { type IntendDeps, intend } from './prepare-files.ts';
import { groundOf } from './target.ts';

/**
 * Makes what ffmpeg left durable, and the folders that it goes to; where those lie on another disk, copies it
 * to hidden names there, so that publishing itself is links in one folder. Throws FFMPEG_FAILED, INPUT_INVALID,
 * NO_SPACE, OUTPUT_EXISTS, STORAGE_FAULT, UNSUPPORTED.
 */
export async function prepare(
  deps: IntendDeps,
  root: string,
  scratch: Scratch,
  output: PlannedOutput,
  main: Omit<JobOutput, 'path' | 'sizeBytes'>,
  inputs: readonly Mount[],
): Promise<PublishIntent> {
  const outDir = join(scratch.dir, 'out');
  try {
    const left = await findOutputs(outDir, output);
    const files = await intend(deps, await groundOf(root, deps.offLimits), scratch, output.replace, left.files);
    if (output.replace) await refuseSiblings(files, left.main.path, inputs);
    await syncFolders(new Set([outDir, ...left.files.map(({ temporary }) => dirname(temporary))]));
    const shown = files.map(
      ({ path, sizeBytes, fingerprint }): JobOutput =>
        path === left.main.path ? { path, sizeBytes, fingerprint, ...main } : { path, sizeBytes, fingerprint },
    );
    const first = shown.find(({ path }) => path === left.main.path);
    if (first === undefined || first.sizeBytes === 0)
      throw failed('FFMPEG_FAILED', `ffmpeg made an empty file for "${output.path}".`, 'Read the log of the job.');
    return {
      scratch: scratch.dir,
      replace: output.replace,
      files,
      outputs: [first, ...shown.filter((file) => file !== first)],
    };
  } catch (error) {
    throw error instanceof FolderMoved ? outputOutside(output.path) : outputFault(output.path, error);
  }
}

async function syncFolders(paths: ReadonlySet<string>): Promise<void> {
  for (const path of paths) {
    const folder = await holdFolder(path);
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  }
}
