import { allows } from '../../domain/client.ts';
import type { Job } from '../../domain/job.ts';
import type { ToolContext, ToolOutput } from '../tool.ts';
import { summarizeJob } from './job-summary.ts';
import { filesNearJob } from './near-files.ts';
import { linkOutputs, resourceLinks } from './output-links.ts';

/** The result of a tool that shows one job: its summary, with links to its outputs if it has any. */
export async function jobResult(job: Job, context: Pick<ToolContext, 'deps' | 'call'>): Promise<ToolOutput> {
  const { deps, call } = context;
  const outputs = await linkOutputs(job, context);
  const has = (scope: Parameters<typeof allows>[1]): boolean => allows(call.caller, scope);
  const shown = { outputs, linkSeconds: deps.linkSeconds };
  const structured = summarizeJob(await filesNearJob(job, context), { has, shown });
  return { structured, links: resourceLinks(outputs) };
}
