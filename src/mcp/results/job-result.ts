import type { Job } from '../../domain/job.ts';
import { filesNearJob } from '../../files/near-inputs.ts';
import type { ToolContext, ToolOutput } from '../tool.ts';
import { toolsOf } from '../tool-names.ts';
import { summarizeJob } from './job-summary.ts';
import { linkOutputs } from './output-links.ts';

/**
 * The result of a tool that shows one job: its summary, with links to its outputs if it has any. `withRequest`: the request
 * too, and the warnings that its submission told, for a reader who has not just sent it. `mostLinks`: each link has more tokens than all else about
 * a file.
 */
export async function jobResult(
  job: Job,
  context: Pick<ToolContext, 'deps' | 'call'>,
  { withRequest = false, mostLinks }: { readonly withRequest?: boolean; readonly mostLinks?: number } = {},
): Promise<ToolOutput> {
  const { caller } = context.call;
  const { files, linkSeconds, told } = context.deps;
  const outputs = await linkOutputs(job, context, mostLinks);
  const shown = { outputs, linkSeconds };
  // What is told again helps to mend a failed job.
  const warnings = withRequest || job.status === 'FAILED' ? undefined : told.of(job);
  const reader = { has: toolsOf(caller), shown, withRequest, ...(warnings && { warnings }) };
  return { structured: summarizeJob(await filesNearJob(job, { caller, files }), reader) };
}
