import {
  type CompleteRequest,
  type CompleteResult,
  type ReadResourceResult,
  type Resource,
  ResourceNotFoundError,
} from '@modelcontextprotocol/server';
import { allows } from '@telecine/contract/domain/client.ts';
import { requestedOutputs } from '@telecine/contract/domain/conversion.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import { isUuid } from '@telecine/contract/wire/job-id.ts';
import type { McpRequest } from '@telecine/contract/wire/mcp-endpoint.ts';
import { readCursor, writeCursor } from '@telecine/contract/wire/paging.ts';
import { requireScope } from '../../auth/scopes.ts';
import { CAPABILITY_KINDS, type Kind, searchCapabilities } from '../capabilities/capability-item.ts';
import type { McpDeps } from '../deps.ts';
import { type Complete, completeChoice, findPrompt } from '../prompts/prompts.ts';
import { summarizeJob } from '../results/job-summary.ts';
import { fitJson } from '../results/output-links.ts';
import { toolsOf } from '../tool-names.ts';

const CAPABILITIES = 'media://capabilities/';
const JOBS = 'media://jobs/';
const JSON_TYPE = 'application/json';

const JOBS_A_PAGE = 50;
/** The maximum length of a list, in characters. A model finds the other items with the tool find_capability. */
const MAX_CHARACTERS = 16_000;
const ALL = { limit: 10_000 } as const;

const ABOUT: Readonly<Record<Kind, string>> = {
  formats: 'Container formats that can be read or written.',
  codecs: 'Encoders and decoders that can be used.',
  filters: 'Filters that filtergraphs can use.',
  options: 'Options that "parameters" can have.',
};

export const TEMPLATES = [
  {
    uriTemplate: `${CAPABILITIES}{kind}`,
    name: 'capabilities',
    title: 'Capabilities',
    description: 'The names of all formats, codecs, filters or options.',
    mimeType: JSON_TYPE,
  },
  {
    uriTemplate: `${JOBS}{jobId}`,
    name: 'job',
    title: 'A conversion job',
    description: 'One job: its state, and its outputs or its error.',
    mimeType: JSON_TYPE,
  },
];

/** Lists the four lists of capabilities, and the jobs of the caller, newest first. */
export async function listResources(
  deps: McpDeps,
  call: McpRequest,
  cursor: string | undefined,
): Promise<{ resources: Resource[]; nextCursor?: string }> {
  requireScope(call.caller, 'jobs:read');
  const { jobs, nextCursor } = await deps.jobs.list(call.caller, {
    limit: JOBS_A_PAGE,
    ...(cursor !== undefined && { cursor: readCursor(cursor) }),
  });
  const lists = cursor === undefined ? CAPABILITY_KINDS.map(listOf) : [];
  const own = jobs.map(({ jobId, status, request }) => ({
    uri: `${JOBS}${jobId}`,
    name: jobId,
    title: `${status}: ${(request.analysis?.measure ?? requestedOutputs(request).map(({ path }) => path)).join(', ').slice(0, 200)}`,
    mimeType: JSON_TYPE,
  }));
  return { resources: [...lists, ...own], ...(nextCursor !== undefined && { nextCursor: writeCursor(nextCursor) }) };
}

const listOf = (kind: Kind): Resource => ({
  uri: `${CAPABILITIES}${kind}`,
  name: kind,
  title: `All ${kind}`,
  description: ABOUT[kind],
  mimeType: JSON_TYPE,
});

/** Reads a list of capabilities or a job. Throws ResourceNotFoundError for other URIs. */
export async function readResource(deps: McpDeps, call: McpRequest, uri: string): Promise<ReadResourceResult> {
  requireScope(call.caller, 'jobs:read');
  const kind = CAPABILITY_KINDS.find((one) => uri === `${CAPABILITIES}${one}`);
  if (kind !== undefined) {
    const { items } = await searchCapabilities(deps.capabilities, kind, ALL);
    const names = [...new Set(items.map(({ name }) => name))];
    const shown = fitJson(names, MAX_CHARACTERS);
    // The list changes only when another ffmpeg is installed.
    return {
      ...contents(uri, {
        [kind]: shown,
        ...(shown.length < names.length && {
          note: `${names.length - shown.length} more are left out. Search with find_capability.`,
        }),
      }),
      ttlMs: 3_600_000,
      cacheScope: 'private',
    };
  }
  const jobId = uri.startsWith(JOBS) ? uri.slice(JOBS.length) : '';
  if (!isUuid(jobId)) throw unknownResource(uri);
  const job = await deps.jobs.get(call.caller, jobId).catch((error: unknown) => {
    throw error instanceof Problem && error.code === 'JOB_NOT_FOUND' ? unknownResource(uri) : error;
  });
  return contents(uri, summarizeJob(job, { has: toolsOf(call.caller) }));
}

/** The maximum length of a URI in an error, which could otherwise be as long as a request. */
const SHOWN_CHARACTERS = 200;

/** The error for an unknown URI. The message does not repeat the URI, which is in the data of the error. */
const unknownResource = (uri: string): ResourceNotFoundError =>
  new ResourceNotFoundError(
    uri.slice(0, SHOWN_CHARACTERS),
    'There is no resource with this URI. Read one that resources/list returns.',
  );

const contents = (uri: string, value: object): ReadResourceResult => ({
  contents: [{ uri, mimeType: JSON_TYPE, text: JSON.stringify(value) }],
});

/** The maximum number of values in a completion, from the MCP specification. */
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
