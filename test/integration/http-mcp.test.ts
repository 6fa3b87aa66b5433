import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { Problem } from '../../packages/contract/src/domain/problem.ts';
import type { JobOperations } from '../../packages/service/src/jobs/job-operations.ts';
import { BEARER, BODY, httpApp } from '../support/http-app.ts';
import { JOB_ID, jobOf, limitedTokens } from '../support/http-fakes.ts';
import { errorOf } from '../support/mcp-client.ts';

const VERSION = '2026-07-28';
const ACCEPT = 'application/json, text/event-stream';

const envelope = (capabilities: object = {}) => ({
  'io.modelcontextprotocol/protocolVersion': VERSION,
  'io.modelcontextprotocol/clientInfo': { name: 'a client\u0007', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': capabilities,
});

/** Sends one message of the newer protocol, with its headers. */
function modern(method: string, params: Record<string, unknown> = {}, capabilities?: object) {
  const name = params['name'] ?? params['uri'] ?? params['taskId'];
  return {
    method: 'POST' as const,
    url: '/mcp',
    headers: {
      ...BEARER,
      host: 'localhost:80',
      accept: ACCEPT,
      'content-type': 'application/json',
      'mcp-protocol-version': VERSION,
      'mcp-method': method,
      ...(typeof name === 'string' && { 'mcp-name': name }),
    } as Record<string, string>,
    payload: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: envelope(capabilities) } }),
  };
}

/** Sends one message of the older protocol. */
const legacy = (method: string, params: object = {}, headers: Record<string, string> = {}) => ({
  method: 'POST' as const,
  url: '/mcp',
  headers: { ...BEARER, host: 'localhost:80', accept: ACCEPT, ...headers },
  payload: { jsonrpc: '2.0', id: 1, method, params },
});

const convert = (args: object = BODY) => modern('tools/call', { name: 'convert_media', arguments: args });

test('rejects a message without a valid token, with the 401 of REST', async () => {
  const { inject, submitted } = httpApp();
  for (const authorization of [undefined, 'Bearer bad']) {
    const message = convert();
    if (authorization === undefined) delete message.headers['authorization'];
    else message.headers['authorization'] = authorization;
    const reply = await inject(message);
    expect(reply.statusCode).toBe(401);
    expect(reply.headers['www-authenticate']).toContain('Bearer');
    expect(reply.json()).toMatchObject({ code: 'INVALID_TOKEN' });
  }
  expect(submitted).toEqual([]);
});

test('rejects requests from other origins and for other hosts', async () => {
  const { inject } = httpApp();
  const from = async (headers: Record<string, string>) => {
    const message = modern('tools/list');
    return (await inject({ ...message, headers: { ...message.headers, ...headers } })).statusCode;
  };
  expect(await from({ host: 'evil.example' })).toBe(403);
  expect(await from({ origin: 'http://evil.example' })).toBe(403);
  expect(await from({ origin: 'null' })).toBe(403);
  expect(await from({ origin: 'http://localhost:5173' })).toBe(200);
  expect(await from({})).toBe(200);
});

test('accepts only JSON, and answers anything else with a JSON-RPC error', async () => {
  const { inject } = httpApp();
  const message = modern('tools/list');
  const text = await inject({ ...message, headers: { ...message.headers, 'content-type': 'text/plain' } });
  expect(text.statusCode).toBe(415);
  const broken = await inject({ ...message, payload: '{"jsonrpc":' });
  expect({ status: broken.statusCode, body: broken.json() }).toMatchObject({
    status: 400,
    body: { jsonrpc: '2.0', id: null, error: { code: -32700, message: expect.stringContaining('line 1') } },
  });
  const batch = await inject({ ...legacy('ping'), payload: [{ jsonrpc: '2.0', id: 1, method: 'ping' }] });
  expect({ status: batch.statusCode, body: batch.json() }).toMatchObject({
    status: 400,
    body: { error: { code: -32600 } },
  });
});

test.each(['GET', 'DELETE'] as const)('answers %s with 405, since there are no sessions', async (method) => {
  const { inject } = httpApp();
  const reply = await inject({ method, url: '/mcp', headers: { ...BEARER, 'mcp-protocol-version': VERSION } });
  expect(reply.statusCode).toBe(405);
  expect(reply.headers['allow']).toBe('POST');
});

test('supports both protocol versions', async () => {
  const { inject } = httpApp();
  const discovered = await inject(modern('server/discover'));
  expect(discovered.json().result).toMatchObject({
    supportedVersions: [VERSION],
    ttlMs: 3_600_000,
    cacheScope: 'public',
  });
  const clientInfo = { name: 'old', version: '1' };
  const initialized = await inject(
    legacy('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }),
  );
  expect(initialized.body).toContain('"protocolVersion":"2025-11-25"');
  const unknown = await inject(modern('tools/cook'));
  expect(unknown.json().error.code).toBe(-32601);
});

test('applies the plain contract to a conversion from a client that accepts event streams', async () => {
  const { inject, submitted } = httpApp({ tokens: limitedTokens({ submissions: 1 }) });
  const plain = (payload: object, authorization = BEARER.authorization) =>
    inject({ method: 'POST', url: '/mcp', headers: { authorization, accept: ACCEPT }, payload });
  expect((await plain({ llmId: 'm', ...BODY }, 'Bearer only-jobs:read')).statusCode).toBe(403);
  expect((await plain({ llmId: 'm', ...BODY })).statusCode).toBe(202);
  const second = await plain({ llmId: 'm', ...BODY });
  expect(second.statusCode).toBe(429);
  expect(second.json().code).toBe('RATE_LIMITED');
  expect(submitted).toHaveLength(1);
});

test('releases the reservation of a message that looked like a submission', async () => {
  const { inject, reservations } = httpApp();
  const payload = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const reply = await inject({ method: 'POST', url: '/mcp', headers: { ...BEARER, host: 'localhost:80' }, payload });
  expect(reply.statusCode).toBe(406);
  expect(reply.json().error.message).toContain('text/event-stream');
  expect(reservations).toEqual({ taken: 1, accepted: 0, refused: 1 });
});

test('answers errors of the plain contract with problem documents', async () => {
  const { inject } = httpApp();
  const reply = await inject({
    method: 'POST',
    url: '/mcp',
    headers: { ...BEARER, accept: ACCEPT },
    payload: { llmId: 'm' },
  });
  expect(reply.statusCode).toBe(400);
  expect(reply.json()).toMatchObject({ code: 'INVALID_REQUEST', errors: expect.any(Array) });
});

test('counts submissions by tools with those of REST, and releases their reservations', async () => {
  const { inject, reservations } = httpApp({ tokens: limitedTokens({ submissions: 2 }) });
  expect((await inject({ method: 'POST', url: '/api/conversion', headers: BEARER, payload: BODY })).statusCode).toBe(
    202,
  );
  expect((await inject(convert())).json().result).not.toHaveProperty('isError');
  const rejected = (await inject(convert())).json().result;
  expect(rejected.isError).toBe(true);
  const retryAfterSeconds: unknown = expect.any(Number);
  expect(errorOf(rejected)).toMatchObject({ code: 'RATE_LIMITED', retryable: true, retryAfterSeconds });
  expect(reservations).toEqual({ taken: 2, accepted: 2, refused: 0 });
});

test('limits calls that submit nothing, at a higher rate', async () => {
  const { inject } = httpApp({ tokens: limitedTokens({ submissions: 1 }) });
  const get = () =>
    inject(modern('tools/call', { name: 'wait_for_job', arguments: { jobId: JOB_ID, timeoutSeconds: 0 } }));
  for (let i = 0; i < 10; i++) expect((await get()).statusCode).toBe(200);
  const over = await get();
  expect(over.statusCode).toBe(429);
  expect(Number(over.headers['retry-after'])).toBeGreaterThan(0);
});

test('rejects a wait when the client has too many of them', async () => {
  const { inject } = httpApp({ jobsChange: { wait: async () => undefined } });
  const reply = await inject(modern('tools/call', { name: 'wait_for_job', arguments: { jobId: JOB_ID } }));
  const { result } = reply.json();
  expect(result.isError).toBe(true);
  expect(errorOf(result)).toMatchObject({ code: 'RATE_LIMITED', retryable: true });
});

test('answers too many queued jobs with an error that a model can act on', async () => {
  const admit = async () => {
    throw new Problem('TOO_MANY_PENDING', 'Too many jobs wait.', { retryAfterSeconds: 7 });
  };
  const { inject } = httpApp({ jobsChange: { admit } });
  expect(errorOf((await inject(convert())).json().result)).toEqual({
    code: 'TOO_MANY_PENDING',
    message: 'Too many jobs wait.',
    fix: expect.stringContaining('wait_for_job'),
    retryable: true,
    retryAfterSeconds: 7,
  });
});

test('a URI of an unknown resource is repeated once, and not whole', async () => {
  const { inject } = httpApp();
  const uri = `media://${'x'.repeat(5000)}`;
  const { body } = await inject(modern('resources/read', { uri }));
  expect(body.length).toBeLessThan(1000);
  expect(JSON.parse(body).error).toMatchObject({ code: -32602, data: { uri: uri.slice(0, 200) } });
  expect(JSON.parse(body).error.message).not.toContain('xxx');
});

test('progress for a client that has disconnected is not an internal error', async () => {
  const [waiting, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const wait: JobOperations['wait'] = async (_caller, _jobId, { onChange, signal }) => {
    const aborted = once(signal, 'abort');
    waiting.resolve();
    await aborted;
    // The change that came with the abort.
    await onChange?.(jobOf({ status: 'PROCESSING', progress: { percent: 50 } })).finally(over.resolve);
    return jobOf();
  };
  const { app, lines } = httpApp({ jobsChange: { wait } });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const { payload } = legacy('tools/call', {
    name: 'wait_for_job',
    arguments: { jobId: JOB_ID },
    _meta: { progressToken: 1 },
  });
  const client = new AbortController();
  const sent = fetch(`http://localhost:${port}/mcp`, {
    method: 'POST',
    headers: { ...BEARER, accept: ACCEPT, 'content-type': 'application/json' },
    body: JSON.stringify(payload),
    signal: client.signal,
  });
  await waiting.promise;
  client.abort();
  await Promise.allSettled([sent, over.promise]);
  await app.close();
  expect(lines.filter(({ level }) => level === 'error')).toEqual([]);
});

test('hides the cause of an internal error and logs it', async () => {
  const get = async () => {
    throw new Error('secret path /srv');
  };
  const { inject, lines } = httpApp({ jobsChange: { get } });
  for (const message of [
    modern('tools/call', { name: 'wait_for_job', arguments: { jobId: JOB_ID, timeoutSeconds: 0 } }),
    modern('resources/read', { uri: `media://jobs/${JOB_ID}` }),
  ]) {
    const { body } = await inject(message);
    expect(body).toContain('Internal error.');
    expect(body).not.toContain('/srv');
  }
  expect(lines.filter(({ level }) => level === 'error')).toHaveLength(2);
});

test('logs the model and its request, and stores the model with the job', async () => {
  const { inject, lines, submitted } = httpApp();
  await inject(convert());
  await inject(convert({ ...BODY, llmId: 'claude' }));
  await inject(legacy('tools/list', {}, { 'user-agent': 'agent/2' }));
  expect(submitted.map(({ request }) => request.llmId)).toEqual(['a client', 'claude']);
  // The last reply is a stream. Its log line is written when the stream ends.
  await expect
    .poll(() => lines.flatMap(({ fields }) => (fields['rpc'] === undefined ? [] : [[fields['rpc'], fields['llmId']]])))
    .toEqual([
      ['tools/call convert_media', 'a client'],
      ['tools/call convert_media', 'claude'],
      ['tools/list', 'agent/2'],
    ]);
});

const TASKS = { extensions: { 'io.modelcontextprotocol/tasks': {} } };

test('gives a client that supports tasks a task with the id of the job', async () => {
  const { inject } = httpApp();
  const asTask = modern('tools/call', { name: 'convert_media', arguments: BODY }, TASKS);
  expect((await inject(asTask)).json().result).toMatchObject({
    resultType: 'task',
    taskId: JOB_ID,
    status: 'working',
    ttlMs: null,
  });
  const { result } = (await inject(convert())).json();
  expect(result).toMatchObject({ resultType: 'complete', structuredContent: { jobId: JOB_ID } });
});

test.each([
  [{ status: 'PROCESSING' as const }, { status: 'working' }],
  [
    { status: 'COMPLETED' as const, outputs: [] },
    { status: 'completed', result: { structuredContent: { status: 'COMPLETED' } } },
  ],
  [
    { status: 'FAILED' as const, error: { code: 'INPUT_NOT_FOUND' as const, message: 'It is not there.' } },
    { status: 'completed', result: { isError: true, content: [{ text: expect.stringContaining('INPUT_NOT_FOUND') }] } },
  ],
  [{ status: 'CANCELLED' as const }, { status: 'cancelled' }],
])('shows a job as a task: %j', async (state, task) => {
  const { inject } = httpApp({ jobsChange: { get: async () => jobOf(state) } });
  const reply = await inject(modern('tasks/get', { taskId: JOB_ID }, TASKS));
  expect(reply.json().result).toMatchObject({ taskId: JOB_ID, resultType: 'complete', pollIntervalMs: 1000, ...task });
});

test('cancels and updates tasks with an empty reply, only for clients that support them', async () => {
  const cancelled: string[] = [];
  const { inject } = httpApp({
    jobsChange: {
      cancel: async (_caller, jobId) => {
        cancelled.push(jobId);
        throw new Problem('JOB_FINISHED', 'It is finished.');
      },
      get: async (_caller, jobId) => {
        if (jobId === JOB_ID) return jobOf();
        throw new Problem('JOB_NOT_FOUND', 'There is none.');
      },
    },
  });
  const send = async (method: string, params: Record<string, unknown>, capabilities: object = TASKS) =>
    (await inject(modern(method, params, capabilities))).json();
  for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
    expect((await send(method, { taskId: JOB_ID, inputResponses: {} }, {})).error).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: TASKS },
    });
    for (const taskId of ['none', '0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e11'])
      expect((await send(method, { taskId, inputResponses: {} })).error.code).toBe(-32602);
  }
  expect((await send('tasks/update', { taskId: JOB_ID, inputResponses: {} })).result).toMatchObject({
    resultType: 'complete',
  });
  expect((await send('tasks/cancel', { taskId: JOB_ID })).result).toMatchObject({ resultType: 'complete' });
  expect(cancelled).toEqual([JOB_ID]);
});

test('answers a call without the SDK as the SDK answers it', async () => {
  const { inject } = httpApp();
  const answers = async (params: Record<string, unknown>, change: Record<string, string> = {}) => {
    const message = modern('tools/call', params);
    const headers = { ...message.headers, ...change };
    // The SDK handles what may report progress.
    const progress = message.payload.replace('"_meta":{', '"_meta":{"progressToken":1,');
    const replies = [await inject({ ...message, headers }), await inject({ ...message, headers, payload: progress })];
    return replies.map((reply) => ({
      status: reply.statusCode,
      type: String(reply.headers['content-type']).split(';')[0],
      body: reply.json(),
    }));
  };
  const get = { name: 'wait_for_job', arguments: { jobId: JOB_ID, timeoutSeconds: 0 } };
  const cases: readonly Parameters<typeof answers>[] = [
    [get],
    [{ name: 'list_jobs' }],
    [{ name: 'wait_for_job', arguments: { jobId: 'none', more: 1, timeoutSeconds: 0 } }],
    [get, { authorization: 'Bearer only-files:read' }],
    [{ ...get, arguments: [] }],
    [{ ...get, name: 'other' }, { 'mcp-name': 'wait_for_job' }],
    [get, { 'mcp-method': 'tools/list' }],
    [get, { 'mcp-protocol-version': '2026-07-29' }],
    [{ ...get, inputResponses: {} }],
  ];
  for (const one of cases) {
    const [plain, bySdk] = await answers(...one);
    expect(plain).toEqual(bySdk);
  }
  const older = async (params: object, headers: Record<string, string> = {}) => {
    const message = legacy('tools/call', params, headers);
    const { statusCode, headers: sent, body } = await inject(message);
    const text = String(sent['content-type']).startsWith('text/event-stream') ? body.replace(/^.*\ndata: /, '') : body;
    return { status: statusCode, body: JSON.parse(text) as unknown };
  };
  for (const params of [
    get,
    { name: 'list_jobs', arguments: {} },
    { ...get, arguments: { jobId: 'none', timeoutSeconds: 0 } },
  ])
    for (const headers of [{}, { 'mcp-protocol-version': '2025-06-18' }, { 'mcp-protocol-version': '2020-01-01' }])
      expect(await older(params, headers)).toEqual(await older({ ...params, _meta: { progressToken: 1 } }, headers));
  const [found] = await answers(get);
  expect(found?.body).toMatchObject({
    id: 1,
    result: { resultType: 'complete', structuredContent: { jobId: JOB_ID } },
  });
});

test('shows a job with ten thousand files and a megabyte of options in a few kilobytes', async () => {
  const outputs = Array.from({ length: 10_000 }, (_, i) => ({ path: `hls/part_${i}.ts`, sizeBytes: 1 }));
  const request = {
    inputs: Array.from({ length: 100 }, (_, i) => `in/${i}.mp4`),
    output: 'hls/index.m3u8',
    parameters: Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`o${i}`, 'x'.repeat(16_000)])),
  };
  const get = async () => jobOf({ status: 'COMPLETED', outputs, request });
  const { inject } = httpApp({ jobsChange: { get } });
  const { body } = await inject(
    modern('tools/call', { name: 'wait_for_job', arguments: { jobId: JOB_ID, timeoutSeconds: 0 } }),
  );
  expect(body.length).toBeLessThan(20_000);
  expect(JSON.parse(body).result.structuredContent.leftOut).toEqual({ inputs: 80, outputs: 9980, parameters: true });
});

test('the audit log has a refused call of a tool that changes something', async () => {
  const { inject, audited } = httpApp();
  const cancel = modern('tools/call', { name: 'cancel_job', arguments: { jobId: JOB_ID } });
  const { result } = (
    await inject({ ...cancel, headers: { ...cancel.headers, authorization: 'Bearer only-jobs:read' } })
  ).json();
  expect(errorOf(result)).toMatchObject({ code: 'INSUFFICIENT_SCOPE' });
  expect(audited).toMatchObject([
    { action: 'job.cancel', outcome: 'refused', via: 'mcp', clientId: 'alice', code: 'INSUFFICIENT_SCOPE' },
  ]);
});

test('few of many calls of one client begin in a turn of the event loop', async () => {
  let inTurn = 0;
  const perTurn: number[] = [];
  const count = async () => {
    inTurn += 1;
    return { events: 1, msLeft: 1000 };
  };
  const { app } = httpApp({
    tokens: limitedTokens({ submissions: 600 }),
    openCounter: () => ({ count, get: async () => undefined }),
  });
  await app.ready();
  let isOver = false;
  const watch = (): void => {
    perTurn.push(inTurn);
    inTurn = 0;
    if (!isOver) setImmediate(watch);
  };
  setImmediate(watch);
  await Promise.all(Array.from({ length: 12 }, () => app.inject(legacy('tools/list'))));
  isOver = true;
  expect(perTurn.reduce((sum, each) => sum + each, 0)).toBe(12);
  expect(Math.max(...perTurn)).toBeLessThanOrEqual(4);
});
