import type { ContentBlock } from '@modelcontextprotocol/server';
import mime from 'mime';
import { allows } from '../../domain/client.ts';
import type { Job, JobOutput } from '../../domain/job.ts';
import { isManifest } from '../../domain/manifest.ts';
import { linkedOutputUrl, outputsSubject } from '../../wire/signed-link.ts';
import type { ToolContext } from '../tool.ts';

/** The maximum number of links, because a job can have ten thousand outputs. The link of a manifest plays all of them. */
const MAX_LINKS = 5;

const linksFor = ([main]: readonly JobOutput[]): number =>
  main !== undefined && isManifest(main.path) ? 1 : MAX_LINKS;

/** An output for a model. `url` is a signed link to it, which needs no token. */
export type LinkedOutput = JobOutput & { readonly url?: string };

/** Sorts manifests after the main output and before all other files, so that their links are shown. */
export function manifestsFirst(outputs: readonly JobOutput[]): readonly JobOutput[] {
  const [main, ...others] = outputs;
  if (main === undefined) return [];
  return [main, ...others.filter(({ path }) => isManifest(path)), ...others.filter(({ path }) => !isManifest(path))];
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
  const outputs = manifestsFirst(job.outputs ?? []);
  if (status !== 'COMPLETED' || outputs.length === 0 || outputsExpired === true || !allows(call.caller, 'files:read'))
    return outputs;
  const link = await deps.links.sign(call.caller, outputsSubject(jobId), deps.linkSeconds);
  await call.audit('link.create', { target: jobId });
  return outputs.map((output, i) =>
    i < linksFor(outputs) ? { ...output, url: linkedOutputUrl(call.origin, jobId, output.path, link) } : output,
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
