import type { ContentBlock } from '@modelcontextprotocol/server';
import mime from 'mime';
import { allows } from '../../domain/client.ts';
import type { Job, JobOutput } from '../../domain/job.ts';
import { isManifest } from '../../domain/manifest.ts';
import { linkedOutputUrl, outputsSubject } from '../../wire/signed-link.ts';
import type { ToolContext } from '../tool.ts';

/** The maximum number of links, because a job can have ten thousand outputs. */
const MAX_LINKS = 5;

/** How many of the outputs in their order get a link. That of a manifest plays the files that it names. */
function linkCount({ request }: Job, outputs: readonly JobOutput[]): number {
  const [main] = outputs;
  if (main === undefined || !isManifest(main.path)) return MAX_LINKS;
  return Math.min(MAX_LINKS, outputs.findLastIndex((output) => output === main || isRequested(output, request)) + 1);
}

/** Whether the request names an output, such as a poster beside a stream. */
const isRequested = ({ path }: JobOutput, { outputs = [] }: Job['request']): boolean =>
  outputs.some(({ output }) => output === path);

/** An output for a model. `url` is a signed link to it, which needs no token. */
export type LinkedOutput = JobOutput & { readonly url?: string };

/**
 * The outputs of a job in the order to show them: the main one, others that the request names, manifests, and the files that these
 * name.
 */
export function outputsInOrder({ outputs = [], request }: Job): readonly JobOutput[] {
  const [main, ...others] = outputs;
  if (main === undefined) return [];
  const rank = (output: JobOutput): number => (isRequested(output, request) ? 0 : isManifest(output.path) ? 1 : 2);
  return [main, ...others.toSorted((a, b) => rank(a) - rank(b))];
}

/**
 * Adds signed links to the first outputs of a completed job. Adds none if the caller may not read files, or if the
 * outputs have expired.
 */
export async function linkOutputs(
  job: Job,
  { deps, call }: Pick<ToolContext, 'deps' | 'call'>,
): Promise<readonly LinkedOutput[]> {
  const { jobId, status, outputsExpired } = job;
  const outputs = outputsInOrder(job);
  if (status !== 'COMPLETED' || outputs.length === 0 || outputsExpired === true || !allows(call.caller, 'files:read'))
    return outputs;
  const link = await deps.links.sign(call.caller, outputsSubject(jobId), deps.linkSeconds);
  await call.audit('link.create', { target: jobId });
  const count = linkCount(job, outputs);
  return outputs.map((output, i) =>
    i < count ? { ...output, url: linkedOutputUrl(call.origin, jobId, output.path, link) } : output,
  );
}

/** The links of outputs as content, for hosts that show them to the user. */
export const resourceLinks = (outputs: readonly LinkedOutput[]): ContentBlock[] =>
  outputs.flatMap(({ url, path, sizeBytes }) =>
    url === undefined
      ? []
      : {
          type: 'resource_link' as const,
          uri: url,
          name: path.slice(path.lastIndexOf('/') + 1),
          mimeType: mime.getType(path) ?? 'application/octet-stream',
          size: sizeBytes,
        },
  );
