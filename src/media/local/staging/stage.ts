import type { BigIntStats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Mount, PlannedInput, PlannedOutput } from '../../../domain/plan.ts';
import type { Scratch } from '../../../jobs/ports.ts';
import { codeOf, failed, outputExists, outputFault, outputOutside, storageFault } from '../errors.ts';
import { identityOf } from '../paths/file-id.ts';
import { walkAsync } from '../paths/resolve-symlinks.ts';
import { type Ground, isInside } from '../paths/root-boundary.ts';
import { findTarget } from '../publish/target.ts';
import { stageSequence } from './image-sequence.ts';
import { openInput } from './open-input.ts';

/**
 * Finds every input, and refuses at once an output that could not be published in the end. Makes nothing in the
 * media root. A sequence comes back as the mount of its folder.
 */
export async function stage(
  ground: Ground,
  scratch: Scratch,
  inputs: readonly PlannedInput[],
  output: PlannedOutput,
): Promise<readonly Mount[]> {
  try {
    const target = await lookAtOutput(ground, output.path);
    const mounts: Mount[] = [];
    for (const input of inputs) {
      const mount =
        input.sequence === undefined ? await stageFile(ground, input) : await stageSequence(ground, scratch, input);
      if (target.identity !== undefined && mount.identities.includes(target.identity))
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
  ground: Ground,
  { path, logical }: Pick<PlannedInput, 'path' | 'logical'>,
): Promise<Required<Mount>> {
  const { real, stats } = await openInput(ground, path);
  return { logical, hostPath: real, identities: [identityOf(stats)], sizeBytes: Number(stats.size) };
}

/** Whether something stands where the output goes, and which file it is. */
async function lookAtOutput(
  ground: Ground,
  path: string,
): Promise<{ readonly taken: boolean; readonly identity?: string }> {
  const { real, rest, name } = await findTarget(ground, path);
  try {
    const walked = await walkAsync(ground.root, path.split('/'));
    if (walked.kind === 'there') {
      if (!isInside(ground, walked.real)) throw outputOutside(path);
      refuseUnlessFile(path, walked.stats);
      return { taken: true, identity: identityOf(walked.stats) };
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
