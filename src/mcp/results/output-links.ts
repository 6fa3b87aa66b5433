import type { ContentBlock } from '@modelcontextprotocol/server';
import mime from 'mime';
import { allows } from '../../domain/client.ts';
import type { Job } from '../../domain/job.ts';
import { outputSubject, outputUrl } from '../../wire/endpoints.ts';
import type { ToolContext } from '../tool.ts';

/** A job may have made ten thousand files; the output itself comes first. */
const MOST_LINKS = 5;

/** Links, good for a while and without a token, to what a completed job made. None where the caller may not read files. */
export async function outputResourceLinks(
  job: Job,
  { deps, call }: Pick<ToolContext, 'deps' | 'call'>,
): Promise<ContentBlock[]> {
  const { outputs = [], jobId } = job;
  if (job.status !== 'COMPLETED' || outputs.length === 0 || !allows(call.caller, 'files:read')) return [];
  const linked = outputs.slice(0, MOST_LINKS);
  const subjects = linked.map(({ path }) => outputSubject(jobId, path));
  const signed = await deps.links.sign(call.caller, subjects, deps.linkSeconds);
  const good = `Good for ${deps.linkSeconds} s, without a token; get_job gives a new one.`;
  return signed.flatMap((link, i) => {
    const output = linked[i];
    if (output === undefined) return [];
    return {
      type: 'resource_link' as const,
      uri: outputUrl(call.origin, jobId, output.path, link),
      name: output.path.slice(output.path.lastIndexOf('/') + 1),
      description: i === 0 ? `The output. ${good}` : good,
      mimeType: mime.getType(output.path) ?? 'application/octet-stream',
      size: output.sizeBytes,
    };
  });
}
