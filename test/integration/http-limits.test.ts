import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import type { ClientLimits } from '../../packages/contract/src/domain/client-limits.ts';
import type { MediaPath } from '../../packages/contract/src/domain/media-path.ts';
import { BEARER, BODY, httpApp } from '../support/http-app.ts';
import { fakeFiles, fakeTokens, JOB_ID, jobOf } from '../support/http-fakes.ts';

/** An app whose clients have these limits. The token is the name of the client, after `good` or `other`. */
function limitedApp(policy: ClientLimits, change: Parameters<typeof httpApp>[0] = {}) {
  const known = fakeTokens();
  const tokens = fakeTokens({
    verify: async (token) => {
      const caller = await known.verify(token === undefined ? token : 'good');
      return { ...caller, policy, ...(token === 'other' && { clientId: 'bob' }) };
    },
  });
  return httpApp({ tokens, ...change });
}

const STATUS = { method: 'GET', url: `/api/conversion/${JOB_ID}`, headers: BEARER } as const;

test('a client above its requests gets 429 with the time to wait, whatever it asks for and with which token', async () => {
  const { inject } = limitedApp({ requests: 3 });
  const first = await inject(STATUS);
  expect(first.headers).toMatchObject({ 'ratelimit-policy': '"requests";q=3;w=60', ratelimit: '"requests";r=2;t=20' });
  await inject({ ...STATUS, url: '/api/conversion' });
  await inject({ ...STATUS, headers: { authorization: 'Bearer second' } });
  for (const url of [STATUS.url, '/api/conversion', '/api/events', '/api/files/a.mp4', '/api/usage']) {
    const rejected = await inject({ ...STATUS, url });
    expect(rejected.json(), url).toMatchObject({ status: 429, code: 'RATE_LIMITED' });
    // One of three requests a minute is free after 20 s. Some of them are over on a busy machine.
    expect(Number(rejected.headers['retry-after']), url).toBeGreaterThan(10);
    expect(Number(rejected.headers['retry-after']), url).toBeLessThanOrEqual(20);
    expect(rejected.headers['ratelimit'], url).toMatch(/^"requests";r=0;t=\d+$/);
  }
  const submission = { method: 'POST', url: '/api/conversion', headers: BEARER, payload: BODY } as const;
  expect((await inject(submission)).statusCode, 'submissions have a limit of their own').toBe(202);
  expect((await inject({ ...STATUS, headers: { authorization: 'Bearer other' } })).statusCode).toBe(200);
  expect((await inject({ method: 'GET', url: '/health' })).statusCode).toBe(200);
});

test('bytes of replies are counted, also of MCP and events, but not those of files', async () => {
  const metadata = { text: 'x'.repeat(2000) };
  const large = jobOf({ request: { input: 'in.mov', output: 'out.mp4', metadata } });
  const jobsChange = { get: async () => large };
  const rejection = { status: 429, code: 'RATE_LIMITED' };

  const content = Buffer.alloc(5000, 'x');
  const files = fakeFiles({
    open: async (_caller, path) => ({
      ...{ path: path as MediaPath, sizeBytes: content.length, modifiedAt: new Date(0), fingerprint: 'one' },
      read: () => Readable.from([content]),
      close: async () => {},
      isOutput: () => false,
    }),
  });
  const huge = { get: async () => jobOf({ request: { ...large.request, metadata: { text: 'x'.repeat(200_000) } } }) };
  for (const size of [20_000, 150_000]) {
    const sized = limitedApp({ replies: size }, { jobsChange: huge });
    await sized.inject(STATUS);
    expect((await sized.inject(STATUS)).json(), 'a reply that is sent in pieces').toMatchObject(rejection);
  }
  const rest = limitedApp({ replies: 2000 }, { jobsChange, files });
  for (let i = 0; i < 3; i += 1)
    expect((await rest.inject({ ...STATUS, url: '/api/files/a.mp4' })).statusCode).toBe(200);
  expect((await rest.inject(STATUS)).statusCode, 'what is left is not known before').toBe(200);
  const rejected = await rest.inject(STATUS);
  expect(rejected.json()).toMatchObject(rejection);
  expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(1);

  const mcp = limitedApp({ replies: 2000 }, { jobsChange });
  const call = {
    method: 'POST',
    url: '/mcp',
    headers: { ...BEARER, host: 'localhost:80', accept: 'application/json, text/event-stream' },
    payload: {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'wait_for_job', arguments: { jobId: JOB_ID, timeoutSeconds: 0 } },
    },
  } as const;
  expect((await mcp.inject(call)).statusCode).toBe(200);
  expect((await mcp.inject(call)).json()).toMatchObject(rejection);
  expect((await mcp.inject(STATUS)).json()).toMatchObject(rejection);

  const events = limitedApp(
    { replies: 2000 },
    {
      jobsChange: {
        follow: async (_caller, { start }) => {
          const writer = start();
          writer.write({ kind: 'snapshot', job: large }, 7);
          await writer.end();
        },
      },
    },
  );
  expect((await events.inject({ ...STATUS, url: '/api/events' })).statusCode).toBe(200);
  expect((await events.inject(STATUS)).json()).toMatchObject(rejection);
});
