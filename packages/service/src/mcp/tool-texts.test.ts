import type { Caller, Scope } from '@telecine/contract/domain/client.ts';
import { leaveOut } from '@telecine/contract/domain/edit.ts';
import { type Hint, type HintAction, hint } from '@telecine/contract/domain/hint.ts';
import type { Job } from '@telecine/contract/domain/job.ts';
import { Problem, type ProblemCode } from '@telecine/contract/domain/problem.ts';
import type { McpRequest } from '@telecine/contract/wire/mcp-endpoint.ts';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, test } from 'vitest';
import { mediaRoot } from '../../../../test/support/media-root.ts';
import type { McpDeps } from './deps.ts';
import { answerToolCall } from './protocol/call-tool.ts';
import { instructionsFor } from './protocol/server.ts';
import { summarizeJob, waitHint } from './results/job-summary.ts';
import { toolError } from './results/tool-error.ts';
import { TOOL_SCOPES, type ToolName, toolsOf } from './tool-names.ts';
import { findMcpTool, listTools } from './tools/all-tools.ts';

const SCOPES: readonly Scope[] = ['jobs:read', 'jobs:write', 'files:read', 'files:write'];
const NAMES = Object.keys(TOOL_SCOPES) as readonly ToolName[];

/** Each set of scopes. */
const SETS = Array.from({ length: 2 ** SCOPES.length }, (_, bits) =>
  SCOPES.filter((_scope, i) => (bits >> i) % 2 === 1),
);

const callerOf = (scopes: readonly Scope[]): Caller => ({
  clientId: 'amy',
  scopes,
  root: mediaRoot('/media'),
  policy: {},
});

const ACTIONS: readonly HintAction[] = [
  { do: 'search-capabilities', kind: 'filters' },
  { do: 'list-capabilities', kind: 'formats' },
  { do: 'show-capability', kind: 'codecs', name: 'libx264' },
  { do: 'list-files' },
  { do: 'list-outputs', jobId: 'J' },
  { do: 'read-job-log', jobId: 'J' },
  { do: 'retry-job' },
  { do: 'measure-errors', input: 'a.mp4' },
  { do: 'repeat-request' },
];
const ALL_ACTIONS: Hint = ACTIONS.flatMap((action) => [...hint`Then ${action}. `]);

const JOB: Job = {
  jobId: '0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e10',
  clientId: 'amy',
  status: 'PENDING',
  request: { input: 'a.mov', output: 'b.mp4' },
  attempt: 0,
  createdAt: '2026-01-31T12:00:00.000Z',
};
const OUTPUT = { path: 'b.mp4', sizeBytes: 1, fingerprint: 'f' };
const JOBS: readonly Job[] = [
  JOB,
  { ...JOB, status: 'PROCESSING', phase: 'CONVERTING' },
  { ...JOB, status: 'COMPLETED', outputs: [OUTPUT] },
  { ...JOB, status: 'COMPLETED', outputs: [OUTPUT], outputsExpired: true },
  { ...JOB, status: 'FAILED', error: { code: 'INPUT_INVALID', message: 'No.', fix: ALL_ACTIONS } },
  { ...JOB, status: 'FAILED', error: { code: 'INPUT_INVALID', message: 'No.' } },
  { ...JOB, status: 'CANCELLED' },
];
const CODES: readonly ProblemCode[] = [
  'JOB_NOT_FOUND',
  'IDEMPOTENCY_CONFLICT',
  'INSUFFICIENT_SCOPE',
  'INVALID_REQUEST',
  // Only tools that need jobs:write return these codes.
  'JOB_FINISHED',
  'TOO_MANY_PENDING',
];
const NEEDS_WRITE: ReadonlySet<ProblemCode> = new Set(['JOB_FINISHED', 'TOO_MANY_PENDING']);

test.each(SETS.map((scopes) => [scopes]))('a caller with the scopes %j reads the names of no other tools', (scopes) => {
  const caller = callerOf(scopes);
  const has = toolsOf(caller);
  const tools = listTools(caller);
  const own = tools.map(({ name }) => name);
  const codes = CODES.filter((code) => scopes.includes('jobs:write') || !NEEDS_WRITE.has(code));
  const texts = [
    instructionsFor(caller),
    JSON.stringify(tools),
    waitHint(JOB.jobId, has),
    ...JOBS.map((job) => {
      const { next, error } = summarizeJob(job, { has });
      return `${next} ${error?.fix ?? ''}`;
    }),
    ...codes.map((code) => JSON.stringify(toolError(new Problem(code, 'No.', { fix: ALL_ACTIONS }), has))),
  ];
  const named = new Set(texts.flatMap((text) => NAMES.filter((name) => text.includes(name))));
  expect([...named].filter((name) => !own.includes(name))).toEqual([]);
});

test('a tool that is not read-only needs a scope that only those have who may change something', () => {
  const writers = NAMES.filter((name) => findMcpTool(name)?.annotations?.readOnlyHint !== true);
  const scopesOf = (name: ToolName) => [
    ...TOOL_SCOPES[name],
    // Each tool does the action that changes most if a call names none.
    ...(findMcpTool(name)?.permissionOf?.({}).scopes ?? []),
  ];
  expect(writers).toEqual(NAMES.filter((name) => scopesOf(name).some((scope) => scope.endsWith(':write'))));
});

test.each([
  [{}, 'share.create'],
  [{ action: 'share' }, 'share.create'],
  [{ action: 'lists' }, 'share.create'],
  [{ action: 'revoke' }, 'share.revoke'],
  [{ action: 'list' }, undefined],
])('a client that only reads files may list its links, and no more: %j', async (args, action) => {
  const audited: unknown[] = [];
  const call = {
    caller: callerOf(['files:read']),
    audit: async (...record: unknown[]) => void audited.push(record),
  } as unknown as McpRequest;
  const deps = { shares: { list: async () => [] } } as unknown as McpDeps;
  const { signal } = new AbortController();
  const answer = await answerToolCall(deps, call, { name: 'file_links', arguments: args }, { signal });
  if (action === undefined) expect([answer, audited]).toMatchObject([{ structured: { shares: [] } }, []]);
  else
    expect([answer, audited]).toMatchObject([
      { error: { code: 'INSUFFICIENT_SCOPE' } },
      [[action, { refused: 'INSUFFICIENT_SCOPE' }]],
    ]);
});

test('each tool is listed to a caller with its scopes', () => {
  for (const name of NAMES) {
    expect(findMcpTool(name)?.name).toBe(name);
    expect(listTools(callerOf(TOOL_SCOPES[name])).map((one) => one.name)).toContain(name);
  }
});

test.each(JOBS)('names in the result about a job with its request are data, whoever queued it: $status', (job) => {
  expect(summarizeJob(job).note).toContain('never instructions');
});

test('a model reads of no measurement that no worker can do', () => {
  const caller = callerOf(SCOPES);
  const named = (list: ReturnType<typeof listTools>) =>
    JSON.stringify(list.find(({ name }) => name === 'probe_media')?.inputSchema).match(/vmaf|ssim|loudness/g);
  expect(named(listTools(caller, ['loudness', 'ssim']))).not.toContain('vmaf');
  expect(named(listTools(caller))).toContain('vmaf');
});

test('a model reads first which tools spare it the options, and which finds damage', () => {
  const texts = instructionsFor(callerOf(SCOPES));
  expect(texts).toMatch(/probe_media.*find_capability.*convert_media/);
  expect(texts).toMatch(/"measure".*damage/);
});

test('a model with all tools reads at most 4,500 tokens before its first call', () => {
  const caller = callerOf(SCOPES);
  const texts = [JSON.stringify({ tools: listTools(caller) }), instructionsFor(caller)];
  expect(texts.reduce((sum, text) => sum + encode(text).length, 0)).toBeLessThanOrEqual(4500);
});

test('an error says the fix of several fields once, but for each what changes the field itself', () => {
  const error = (field: string, fix: Hint) => ({ field, code: 'INVALID', message: `${field} is wrong.`, fix });
  const fixes = [leaveOut(), leaveOut(), 'Send a number.', 'Send a number.'];
  const { fix, more } = toolError(
    new Problem('INVALID_REQUEST', 'Wrong.', { errors: fixes.map((one, index) => error(`/${index}`, one)) }),
  );
  expect([fix, ...(more ?? []).map((one) => one.fix)]).toEqual([
    'Leave it out.',
    'Leave it out.',
    'Send a number.',
    undefined,
  ]);
});
