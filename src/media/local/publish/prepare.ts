import type { Mount } from '../../../domain/plan.ts';
import type { FinishedOutput, PublishIntent } from '../../../jobs/ports/media-store.ts';
import { outputFailure } from '../../job-failures.ts';
import { collectOutputs } from '../../outputs/collect-outputs.ts';
import { jobOutputs } from '../../outputs/job-outputs.ts';
import { writeTexts } from '../../outputs/write-texts.ts';
import type { DirectoryHandle } from '../../scratch/directory-handle.ts';
import type { RootBoundary } from '../paths/root-boundary.ts';
import { toIntent } from './intent.ts';
import { checkOverwrites } from './overwrite-rules.ts';
import { type PrepareDeps, prepareFiles } from './prepare-files.ts';

/**
 * Makes the contents of the finished files and the folders of their targets durable, so that publishing only has to create links. Throws
 * FFMPEG_FAILED, INPUT_INVALID, NO_SPACE, OUTPUT_EXISTS, STORAGE_FAULT, UNSUPPORTED.
 */
export async function prepareOutputs(
  deps: PrepareDeps,
  boundary: RootBoundary,
  scratch: { readonly folder: DirectoryHandle; readonly out: DirectoryHandle },
  finished: readonly FinishedOutput[],
  inputs: readonly Mount[],
): Promise<PublishIntent> {
  const { folder, out } = scratch;
  const { path = '', replace = false } = finished[0]?.files ?? {};
  try {
    await writeTexts(out, finished);
    const collected = await collectOutputs(
      out,
      finished.map(({ files }) => files),
    );
    const place = { scratch: folder, source: out };
    const files = await prepareFiles(deps, boundary, place, replace, collected, outputFailure);
    if (replace) await checkOverwrites(files, new Map(collected.map((file) => [file.path, file.main])), inputs);
    return toIntent({ scratchDir: folder.real, replace, files }, jobOutputs(finished, collected, files));
  } catch (error) {
    throw outputFailure(path, error);
  }
}
