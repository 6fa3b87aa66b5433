import type { Job } from '../../domain/job.ts';
import type { ToolContext, ToolOutput } from '../tool.ts';
import { summarizeJob } from './job-summary.ts';
import { linkOutputs, resourceLinks } from './output-links.ts';

/** The result of a tool that shows one job: its summary, with links to its outputs if it has any. */
export async function jobResult(job: Job, context: Pick<ToolContext, 'deps' | 'call'>): Promise<ToolOutput> {
  const outputs = await linkOutputs(job, context);
  return {
    structured: summarizeJob(job, { outputs, linkSeconds: context.deps.linkSeconds }),
    links: resourceLinks(outputs),
  };
}
