import type { CompleteRequest, CompleteResult } from '@modelcontextprotocol/server';
import { allows } from '../../domain/client.ts';
import { CAPABILITY_KINDS } from '../capabilities/capability-item.ts';
import type { McpDeps, McpRequest } from '../deps.ts';
import { findPrompt } from '../prompts/all-prompts.ts';
import { type Complete, completeChoice } from '../prompts/prompt.ts';

/** As many as the protocol lets an answer have. */
const MOST = 100;
const MOST_JOBS = 50;

const completeJob: Complete = async (value, { jobs }, { caller }) => {
  if (!allows(caller, 'jobs:read')) return [];
  const page = await jobs.list(caller, { limit: MOST_JOBS });
  return page.jobs.map(({ jobId }) => jobId).filter((id) => id.startsWith(value));
};

const VARIABLES: Readonly<Record<string, Complete>> = { kind: completeChoice(...CAPABILITY_KINDS), jobId: completeJob };

/** What an argument of a prompt, or a variable of a resource's address, may go on to be. */
export async function complete(
  deps: McpDeps,
  call: McpRequest,
  { ref, argument }: CompleteRequest['params'],
): Promise<CompleteResult> {
  const offered =
    ref.type === 'ref/prompt'
      ? findPrompt(ref.name).arguments.find(({ name }) => name === argument.name)?.complete
      : VARIABLES[argument.name];
  const values = offered === undefined ? [] : await offered(argument.value, deps, call);
  return { completion: { values: values.slice(0, MOST), total: values.length, hasMore: values.length > MOST } };
}
