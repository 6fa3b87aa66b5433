import type { BigIntStats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { PlannedInput, PlannedOutput } from '../../../domain/plan.ts';
import { codeOf, failed, outputExists, outputFault, outputOutside, storageFault } from '../errors.ts';
import { fileIdOf } from '../paths/file-id.ts';
import { resolveSymlinks } from '../paths/resolve-symlinks.ts';
import { isInside, type RootBoundary } from '../paths/root-boundary.ts';
import { findTarget } from '../publish/target.ts';
import { stageSequence } from './image-sequence.ts';
import type { LocalInput } from './local-input.ts';
import { openInput } from './open-input.ts';

/**
 * Finds every input, and refuses at once an output that could not be published in the end. Makes nothing in the
 * media root. A sequence comes back as the mount of its folder.
 */
export async function stage(
  ground: RootBoundary,
  scratchDir: string,
  inputs: readonly PlannedInput[],
  output: PlannedOutput,
): Promise<readonly LocalInput[]> {
  try {
    const target = await lookAtOutput(ground, output.path);
    const mounts: LocalInput[] = [];
    for (const input of inputs) {
      const mount =
        input.sequence === undefined ? await stageFile(ground, input) : await stageSequence(ground, scratchDir, input);
      if (target.fileId !== undefined && mount.identities.includes(target.fileId))
        throw outputIsInput(output.path, input.path);
      mounts.push(mount);
    }
    // After the inputs: an output that is one of them is worse than one that exists.
    if (target.taken && !output.replace) throw outputExists(output.path);
    if (output.manifest !== undefined && !output.replace) {
      const manifest = `${output.folder}${output.manifest}`;
      if ((await lookAtOutput(ground, manifest)).taken) throw outputExists(manifest);
    }
    return mounts;
  } catch (error) {
    throw storageFault('staging the inputs', error);
  }
}

/** Finds one input. Throws INPUT_NOT_FOUND, INPUT_INVALID, STORAGE_FAULT. */
export async function stageFile(
  ground: RootBoundary,
  { path, logical }: Pick<PlannedInput, 'path' | 'logical'>,
): Promise<LocalInput> {
  const { real, stats } = await openInput(ground, path);
  return { logical, hostPath: real, identities: [fileIdOf(stats)], sizeBytes: Number(stats.size) };
}

/** Whether something stands where the output goes, and which file it is. */
async function lookAtOutput(
  ground: RootBoundary,
  path: string,
): Promise<{ readonly taken: boolean; readonly fileId?: string }> {
  const { real, rest, name } = await findTarget(ground, path);
  try {
    const walked = await resolveSymlinks(ground.root, path.split('/'));
    if (walked.kind === 'there') {
      if (!isInside(ground, walked.real)) throw outputOutside(path);
      refuseUnlessFile(path, walked.stats);
      return { taken: true, fileId: fileIdOf(walked.stats) };
    }
    if (walked.kind === 'missing' && !isInside(ground, walked.real, walked.rest)) throw outputOutside(path);
    // A link that leads nowhere takes the name all the same.
    return { taken: rest.length === 0 && (await exists(join(real, name))) };
  } catch (error) {
    throw outputFault(path, error);
  }
}

const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    (error) => {
      if (codeOf(error) !== 'ENOENT') throw error;
      return false;
    },
  );

function refuseUnlessFile(path: string, stats: BigIntStats): void {
  if (stats.isDirectory()) throw failed('UNSUPPORTED', `The output "${path}" is a folder.`, 'Name a file in it.');
  if (!stats.isFile())
    throw failed('UNSUPPORTED', `The output "${path}" is a device, pipe or socket.`, 'Send another path.');
}

const outputIsInput = (output: string, input: string) =>
  failed(
    'INPUT_INVALID',
    `The output "${output}" is the same file as the input "${input}"; it would be overwritten while it is read.`,
    'Send another output path.',
  );
