import { allows } from '@telecine/contract/domain/client.ts';
import type { Job, JobOutput } from '@telecine/contract/domain/job.ts';
import { isManifest } from '@telecine/contract/domain/media-path.ts';
import { expiryOf } from '@telecine/contract/domain/signed-link.ts';
import { linkedOutputUrl, outputsSubject } from '@telecine/contract/wire/links.ts';
import type { ToolContext } from '../tool.ts';

/** The maximum number of links, because a job can have ten thousand outputs. */
const MAX_LINKS = 5;

/** Returns how many outputs get a link. For HLS and DASH, only the manifest needs one: it also plays the segments. */
function linkCount({ request }: Job, outputs: readonly JobOutput[]): number {
  const [main] = outputs;
  if (main === undefined || !isManifest(main.path)) return MAX_LINKS;
  return Math.min(MAX_LINKS, outputs.findLastIndex((output) => output === main || isRequested(output, request)) + 1);
}

/** Whether the request itself names an output, such as the poster of a stream. */
const isRequested = ({ path }: JobOutput, { outputs = [] }: Job['request']): boolean =>
  outputs.some(({ output }) => output === path);

/** An output for a model. `url`: a signed link, which downloads the output without a token. */
export type LinkedOutput = JobOutput & { readonly url?: string };

/**
 * Sorts the outputs of a job: first the main output, then other outputs that the request names, manifests, and other
 * files.
 */
export function outputsInOrder({ outputs = [], request }: Job): readonly JobOutput[] {
  const [main, ...others] = outputs;
  if (main === undefined) return [];
  const rank = (output: JobOutput): number => (isRequested(output, request) ? 0 : isManifest(output.path) ? 1 : 2);
  return [main, ...others.toSorted((a, b) => rank(a) - rank(b))];
}

/** Returns the outputs that get a link: the first ones of a completed job. Returns none if the outputs have expired. */
export function outputsToLink(job: Job): readonly JobOutput[] {
  if (job.status !== 'COMPLETED' || job.outputsExpired === true) return [];
  const outputs = outputsInOrder(job);
  return outputs.slice(0, linkCount(job, outputs));
}

/** Adds a signed link to each output, if the caller may read files. */
async function addLinks(
  jobId: string,
  outputs: readonly JobOutput[],
  { deps, call }: Pick<ToolContext, 'deps' | 'call'>,
): Promise<readonly LinkedOutput[]> {
  if (outputs.length === 0 || !allows(call.caller, 'files:read')) return outputs;
  const link = await deps.links.sign(call.caller, outputsSubject(jobId), deps.linkSeconds);
  const expiresAt = expiryOf(link).toISOString();
  await call.audit('link.create', { target: jobId, details: { expiresAt } });
  return outputs.map((output) => ({ ...output, url: linkedOutputUrl(call.origin, jobId, output.path, link) }));
}

/** Returns all outputs of a job. The first `most` of them have links, if the caller may read files. */
export async function linkOutputs(
  job: Job,
  context: Pick<ToolContext, 'deps' | 'call'>,
  most = MAX_LINKS,
): Promise<readonly LinkedOutput[]> {
  const linked = await addLinks(job.jobId, outputsToLink(job).slice(0, most), context);
  return [...linked, ...outputsInOrder(job).slice(linked.length)];
}

/** Returns the first `items` whose JSON fits into `characters`. */
export function fitJson<T>(items: readonly T[], characters: number): readonly T[] {
  let used = 0;
  const count = items.findIndex((item) => {
    used += JSON.stringify(item).length + 1;
    return used > characters;
  });
  return count < 0 ? items : items.slice(0, count);
}
