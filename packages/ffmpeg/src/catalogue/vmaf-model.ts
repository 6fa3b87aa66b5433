import { runTool } from '../process/run-tool.ts';
import { QUERY_TIMEOUT_MS } from './answers.ts';
import type { Catalogue } from './catalogue.ts';
import { VMAF_FILTER, withoutVmaf } from './changed-catalogue.ts';

/** ffmpeg did not answer a query. */
export class QueryFailed extends Error {
  override readonly name = 'QueryFailed';
}

/**
 * Compares a generated frame with itself. From ffmpeg 5.1 on, the default of the filter's option `model` is a model inside libvmaf
 * (vf_libvmaf.c: `version=vmaf_v0.6.1`). No file of a model is read, so the result is the same in the sandbox.
 */
const TRIAL = [
  ...['-nostdin', '-hide_banner', '-loglevel', 'error'],
  ...['-filter_complex', `color,split,${VMAF_FILTER}`, '-frames:v', '1', '-f', 'null', '-'],
];

/** What the filter prints (5.1 to 8) if libvmaf was built without `built_in_models`, or without the program `xxd`, which embeds them. */
const NO_MODEL = 'could not load libvmaf model';

/**
 * Removes the filter of VMAF from a catalogue if its libvmaf has no model. Every start tries this, because another libvmaf
 * may be installed under the same ffmpeg. If ffmpeg does not answer, the filter stays: a job then fails with the reason.
 *
 * @param onFault Called if ffmpeg does not answer.
 */
export async function withUsableVmaf(catalogue: Catalogue, onFault: (error: QueryFailed) => void): Promise<Catalogue> {
  const { build, lists } = catalogue;
  if (!lists.filters.has(VMAF_FILTER)) return catalogue;
  try {
    const { stderr } = await runTool(build.path, TRIAL, QUERY_TIMEOUT_MS);
    return stderr.includes(NO_MODEL) ? withoutVmaf(catalogue) : catalogue;
  } catch (error) {
    const message = `ffmpeg ${build.version} did not answer whether its libvmaf has a model. VMAF is offered, and may fail.`;
    onFault(new QueryFailed(message, { cause: error }));
    return catalogue;
  }
}
