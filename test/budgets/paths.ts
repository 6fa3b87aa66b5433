import { LAST_USE_MS } from '../../packages/contract/src/domain/last-use.ts';
import type { AcceptedView } from '../../packages/contract/src/wire/accepted.ts';
import type { JobView } from '../../packages/contract/src/wire/job.ts';
import type { CreatedShareView } from '../../packages/contract/src/wire/share.ts';
import { must } from '../../scripts/lib/api.ts';
import { putSmallMovie } from '../support/media.ts';
import type { CountedService, Counts } from './counted-service.ts';

const PLAIN = { 'c:v': 'libx264', preset: 'ultrafast', s: '160x90', an: '', t: '0.2' };
/** Of two ends of the output, one has no effect. */
const WITH_WARNING = { ...PLAIN, to: '0.4' };

/** Longer than anything is cached that may change, and shorter than an access token is valid. */
const PAUSE_MS = 120_000;

/** Shorter than signing keys are cached, and longer than clients are. */
const MOMENT_MS = 10_000;

/** Takes each path that has a budget. Returns what the service did on it, by the heading of the path in the table. */
export async function countPaths(service: CountedService): Promise<ReadonlyMap<string, Counts>> {
  const { url, mediaRoot, token } = service;
  const counts = new Map<string, Counts>([['Start', service.start]]);
  const count = async (path: string, act: () => Promise<unknown>): Promise<void> =>
    void counts.set(path, await service.count(act));
  const request = (parameters: object) => ({ input: 'in.mp4', output: `out-${outputs++}.mp4`, parameters });
  let outputs = 10;
  let jobId = '';
  const submit = async (parameters: object = PLAIN): Promise<void> => {
    ({ jobId } = await must<AcceptedView>(`${url}/api/conversion`, { token, body: request(parameters) }));
  };
  const submitWithWarning = () => submit(WITH_WARNING);
  const submitBatch = () =>
    must(`${url}/api/conversions`, { token, body: { requests: Array.from({ length: 10 }, () => request(PLAIN)) } });
  const list = () => must(`${url}/api/conversion?limit=10`, { token });
  const getJob = () => must<JobView>(`${url}/api/conversion/${jobId}`, { token });
  const getJobByMcp = () => callTool(service, 'wait_for_job', { jobId, timeoutSeconds: 0 });

  await putSmallMovie(mediaRoot, 1, 'in.mp4');
  // So that no job starts while something else is counted.
  await must(`${url}/api/queue/pause`, { token, method: 'POST' });
  await count('First submission', submit);
  await must(`${url}/api/conversion/${jobId}/cancel`, { token, method: 'POST' });
  await must(`${url}/api/queue/resume`, { token, method: 'POST' });

  await count('First job', submit);
  await count('Job', submit);
  const { status } = await getJob();
  if (status !== 'COMPLETED') throw new Error(`The counted job is ${status}.`);

  const openShared = await shareFrames(service);
  await openShared();
  await count('A file of a shared link', openShared);

  await must(`${url}/api/queue/pause`, { token, method: 'POST' });
  const warm: readonly (readonly [path: string, act: () => Promise<unknown>])[] = [
    ['Submission', submit],
    ['Submission with a warning', submitWithWarning],
    ['Batch of ten', submitBatch],
    ['Page of a list', list],
  ];
  for (const [path, act] of warm) {
    await act();
    await count(path, act);
  }
  const submitFitted = (input: string) =>
    must(`${url}/api/conversion`, {
      token,
      body: { input, output: `out-${outputs++}.mp4`, preset: { name: 'target-size', arguments: { size: 1 } } },
    });
  for (const name of ['first.mp4', 'unread.mp4']) await putSmallMovie(mediaRoot, 1, name);
  await submitFitted('first.mp4');
  await count('Submission that reads its source', () => submitFitted('unread.mp4'));
  await count('Submission with a source that was read', () => submitFitted('unread.mp4'));
  const search = () => must(`${url}/api/conversion?q=in.mp4&limit=10`, { token });
  await search();
  await submit();
  await count('Search for a new job', search);
  await service.passTime(PAUSE_MS);
  await count('Submission after a pause', submit);
  await count('First MCP call', getJobByMcp);
  await count('MCP call', getJobByMcp);
  await count('First request for the API reference', async () => {
    await must(`${url}/openapi.json`);
    await fetch(`${url}/docs`);
  });
  // A new token is a use too: get it just before the hour ends. The other token has expired.
  await service.passTime(LAST_USE_MS - PAUSE_MS - MOMENT_MS);
  const later = await service.login();
  await service.passTime(2 * MOMENT_MS);
  await count('First request of an hour', () => must<JobView>(`${url}/api/conversion/${jobId}`, { token: later }));
  return counts;
}

/** Shares a job with more outputs than its record has. Returns a function that downloads one of the others by the link. */
async function shareFrames({ url, token, count }: CountedService): Promise<() => Promise<void>> {
  const parameters = { vf: 'fps=250,scale=16:16', t: '1' };
  const body = { input: 'in.mp4', output: 'frames/%03d.png', parameters };
  let jobId = '';
  // Waits until the job has ended.
  await count(async () => {
    ({ jobId } = await must<AcceptedView>(`${url}/api/conversion`, { token, body }));
  });
  const share = await must<CreatedShareView>(`${url}/api/shares`, { token, body: { jobId } });
  return async () => {
    const reply = await fetch(`${url}${new URL(share.url, url).pathname}/files/200.png`);
    if (!reply.ok || (await reply.bytes()).length === 0) throw new Error(`A shared file was ${reply.status}.`);
  };
}

const MCP_VERSION = '2026-07-28';

/** Calls an MCP tool as a client of the newest protocol does, which opens no session. Throws if the result is an error. */
async function callTool({ url, token }: CountedService, name: string, args: object): Promise<void> {
  const reply = await must<object>(`${url}/mcp`, {
    token,
    headers: {
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': MCP_VERSION,
      'mcp-method': 'tools/call',
      'mcp-name': name,
    },
    body: {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name,
        arguments: args,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': MCP_VERSION,
          'io.modelcontextprotocol/clientInfo': { name: 'budgets', version: '1' },
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    },
  });
  const text = JSON.stringify(reply);
  if (!text.includes('"result"') || text.includes('"isError":true'))
    throw new Error(`The tool ${name} answers ${text}`);
}
