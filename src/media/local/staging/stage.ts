import { JobFailed } from '../../../domain/failure.ts';
import type { MediaPath } from '../../../domain/media-path.ts';
import { otherSpellings } from '../../../domain/path-spellings.ts';
import type { OutputFiles, PlannedInput } from '../../../domain/plan.ts';
import { inputMeant, outputExists, outputFailure, outputIsInput, storageFailure } from '../../job-failures.ts';
import { fileIdOf } from '../paths/file-facts.ts';
import type { RootBoundary } from '../paths/root-boundary.ts';
import { statTarget, type TargetStat } from '../publish/target.ts';
import { stageSequence } from './image-sequence.ts';
import { type LocalInput, openInput } from './open-input.ts';

/**
 * Finds every input, and rejects an output that could not be published later. Creates nothing in the media root. A
 * sequence becomes a mount of its folder. Throws the reason of an abort of `signal`.
 */
export async function stage(
  boundary: RootBoundary,
  scratchDir: string,
  inputs: readonly PlannedInput[],
  outputs: readonly OutputFiles[],
  signal: AbortSignal,
): Promise<readonly LocalInput[]> {
  try {
    const targets = await Promise.all(
      outputs.map(async (output) => ({ output, ...(await statOutput(boundary, output.path)) })),
    );
    const staged: LocalInput[] = [];
    for (const input of inputs) {
      const found =
        input.sequence === undefined
          ? await stageFile(boundary, input)
          : await stageSequence(boundary, scratchDir, input, signal);
      for (const { output, stats } of targets)
        if (stats !== undefined && found.identities.includes(fileIdOf(stats)))
          throw outputIsInput(output.path, input.path);
      staged.push(found);
    }
    // Check this after the inputs, because an output that overwrites an input is the more serious error.
    for (const { output, taken } of targets) {
      if (output.replace) continue;
      if (taken) throw outputExists(output.path);
      const manifest = `${output.folder}${output.manifest}`;
      if (output.manifest !== undefined && (await statOutput(boundary, manifest)).taken) throw outputExists(manifest);
    }
    return staged;
  } catch (error) {
    throw storageFailure('staging the inputs', error);
  }
}

/** Finds one input. Throws INPUT_NOT_FOUND, INPUT_INVALID, STORAGE_FAULT. */
export async function stageFile(
  boundary: RootBoundary,
  { path, logical }: Pick<PlannedInput, 'path' | 'logical'>,
): Promise<LocalInput> {
  const { real, stats } = await openInput(boundary, path).catch(async (error: unknown) => {
    const isMissing = error instanceof JobFailed && error.failure.code === 'INPUT_NOT_FOUND';
    const meant = isMissing ? await findOtherSpelling(boundary, path) : undefined;
    throw meant === undefined ? error : inputMeant(path, meant);
  });
  return { logical, hostPath: real, identities: [fileIdOf(stats)], sizeBytes: Number(stats.size) };
}

/** Finds an existing file whose path is another spelling of a missing one. */
async function findOtherSpelling(boundary: RootBoundary, path: MediaPath): Promise<MediaPath | undefined> {
  for (const spelling of otherSpellings(path)) {
    const exists = await openInput(boundary, spelling).then(
      () => true,
      () => false,
    );
    if (exists) return spelling;
  }
  return undefined;
}

const statOutput = (boundary: RootBoundary, path: string): Promise<TargetStat> =>
  statTarget(boundary, path).catch((error: unknown) => {
    throw outputFailure(path, error);
  });
