import type { JobOutput } from '../../../domain/job.ts';
import type { Mount, PlannedOutput } from '../../../domain/plan.ts';
import type { PublishIntent } from '../../../jobs/ports/publishing.ts';
import { emptyOutput, outputFailure } from '../../job-failures.ts';
import { collectOutputs } from '../../outputs/collect-outputs.ts';
import type { DirectoryHandle } from '../../scratch/directory-handle.ts';
import type { RootBoundary } from '../paths/root-boundary.ts';
import { toIntent } from './intent.ts';
import { checkOverwrites } from './overwrite-rules.ts';
import { type PrepareDeps, prepareFiles } from './prepare-files.ts';

/**
 * Makes the finished files and the folders of their targets durable, so that publishing only has to create links.
 * `main`: the converter's report about the main output. Throws FFMPEG_FAILED, INPUT_INVALID, NO_SPACE, OUTPUT_EXISTS,
 * STORAGE_FAULT, UNSUPPORTED.
 */
export async function prepareOutputs(
  deps: PrepareDeps,
  boundary: RootBoundary,
  scratch: { readonly folder: DirectoryHandle; readonly out: DirectoryHandle },
  output: PlannedOutput,
  main: Omit<JobOutput, 'path' | 'sizeBytes'>,
  inputs: readonly Mount[],
): Promise<PublishIntent> {
  const { folder, out } = scratch;
  try {
    const collected = await collectOutputs(out, output);
    const mainPath = collected.main.path;
    const place = { scratch: folder, source: out };
    const files = await prepareFiles(deps, boundary, place, output.replace, collected.files);
    if (output.replace) await checkOverwrites(files, mainPath, inputs);
    await out.sync();
    const outputs = files.map(
      ({ path, sizeBytes, fingerprint }): JobOutput =>
        path === mainPath ? { path, sizeBytes, fingerprint, ...main } : { path, sizeBytes, fingerprint },
    );
    const first = outputs.find(({ path }) => path === mainPath);
    if (first === undefined || first.sizeBytes === 0) throw emptyOutput(output.path);
    return toIntent({ scratchDir: folder.real, replace: output.replace, files }, [
      first,
      ...outputs.filter((file) => file !== first),
    ]);
  } catch (error) {
    throw outputFailure(output.path, error);
  }
}
