import type { CompleteRequest, CompleteResult } from '@modelcontextprotocol/server';
import { allows } from '../../domain/client.ts';
import { CAPABILITY_KINDS } from '../capabilities/capability-item.ts';
import type { McpDeps, McpRequest } from '../deps.ts';
import { findPrompt } from '../prompts/all-prompts.ts';
import { type Complete, completeChoice } from '../prompts/prompt.ts';

/** The maximum number of values in a completion, set by the protocol. */
const MAX_VALUES = 100;
const MAX_JOBS = 50;

const completeJob: Complete = async (value, { jobs }, { caller }) => {
  if (!allows(caller, 'jobs:read')) return [];
  const page = await jobs.list(caller, { limit: MAX_JOBS });
  return page.jobs.map(({ jobId }) => jobId).filter((id) => id.startsWith(value));
};

const VARIABLES: Readonly<Record<string, Complete>> = { kind: completeChoice(...CAPABILITY_KINDS), jobId: completeJob };

/** Completes an argument of a prompt or a variable of a resource URI. */
export async function complete(
  deps: McpDeps,
  call: McpRequest,
  { ref, argument }: CompleteRequest['params'],
): Promise<CompleteResult> {
  const completion =
    ref.type === 'ref/prompt'
      ? findPrompt(ref.name).arguments.find(({ name }) => name === argument.name)?.complete
      : VARIABLES[argument.name];
  const values = completion === undefined ? [] : await completion(argument.value, deps, call);
  return {
    completion: { values: values.slice(0, MAX_VALUES), total: values.length, hasMore: values.length > MAX_VALUES },
  };
}
