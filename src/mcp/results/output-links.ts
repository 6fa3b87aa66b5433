import type { ContentBlock } from '@modelcontextprotocol/server';
import mime from 'mime';
import { allows } from '../../domain/client.ts';
import type { Job } from '../../domain/job.ts';
import { outputSubject, outputUrl } from '../../wire/endpoints.ts';
import type { ToolContext } from '../tool.ts';

/** The maximum number of links, because a job can have ten thousand outputs. */
const MAX_LINKS = 5;

/**
 * Signed links to the first outputs of a completed job. They work without a token until they expire. Returns none if
 * the caller may not read files.
 */
export async function outputResourceLinks(
  job: Job,
  { deps, call }: Pick<ToolContext, 'deps' | 'call'>,
): Promise<ContentBlock[]> {
  const { outputs = [], jobId } = job;
  if (job.status !== 'COMPLETED' || outputs.length === 0 || !allows(call.caller, 'files:read')) return [];
  const linked = outputs.slice(0, MAX_LINKS);
  const subjects = linked.map(({ path }) => outputSubject(jobId, path));
  const signed = await deps.links.sign(call.caller, subjects, deps.linkSeconds);
  await call.audit('link.create', jobId);
  const validity = `Works for ${deps.linkSeconds} s without a token; get_job returns a new link.`;
  return signed.flatMap((link, i) => {
    const output = linked[i];
    if (output === undefined) return [];
    return {
      type: 'resource_link' as const,
      uri: outputUrl(call.origin, jobId, output.path, link),
      name: output.path.slice(output.path.lastIndexOf('/') + 1),
      description: i === 0 ? `The output. ${validity}` : validity,
      mimeType: mime.getType(output.path) ?? 'application/octet-stream',
      size: output.sizeBytes,
    };
  });
}
