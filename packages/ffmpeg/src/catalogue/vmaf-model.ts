import { runTool } from '../process/run-tool.ts';
import { QueryFailed } from './build-queries.ts';
import type { Catalogue } from './catalogue.ts';
import { type CatalogueFrom, sourceWithoutVmaf, VMAF_FILTER } from './changed-source.ts';
import { QUERY_TIMEOUT_MS } from './started-queries.ts';

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
 * Removes the filter of VMAF from the catalogues of a source if its libvmaf has no model. Every start tries this, because another libvmaf
 * may be installed under the same ffmpeg. If ffmpeg does not answer, the filter stays: a job then fails with the reason.
 *
 * @param onFault Called if ffmpeg does not answer.
 */
export const sourceWithUsableVmaf = async <S extends CatalogueFrom>(
  source: S,
  onFault: (error: QueryFailed) => void,
): Promise<S> => ((await lacksModel(source.current, onFault)) ? sourceWithoutVmaf(source) : source);

async function lacksModel(
  { build, lists }: Pick<Catalogue, 'build' | 'lists'>,
  onFault: (error: QueryFailed) => void,
): Promise<boolean> {
  if (!lists.filters.has(VMAF_FILTER)) return false;
  try {
    return (await runTool(build.path, TRIAL, QUERY_TIMEOUT_MS)).stderr.includes(NO_MODEL);
  } catch (error) {
    const message = `ffmpeg ${build.version} did not answer whether its libvmaf has a model. VMAF is offered, and may fail.`;
    onFault(new QueryFailed(message, { cause: error }));
    return false;
  }
}
