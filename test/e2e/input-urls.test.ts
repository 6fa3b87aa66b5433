import { readFile } from 'node:fs/promises';
import { createServer as createTlsServer } from 'node:https';
import { join } from 'node:path';
import { beforeAll, describe, expect } from 'vitest';
import type { DryRunView } from '../../packages/contract/src/wire/dry-run.ts';
import { samplePath } from '../../scripts/lib/samples.ts';
import { type ApiClient, adminClient, login } from '../support/api-client.ts';
import { commonServer } from '../support/common-server.ts';
import { type FileSite, sendFile, startFileSite } from '../support/file-site.ts';
import { pathsBelow, testFolder } from '../support/folders.ts';
import { insertClient } from '../support/insert-client.ts';
import { listenOnLoopback } from '../support/loopback.ts';
import { callTool, mcpClient } from '../support/mcp-client.ts';
import { needs } from '../support/needs.ts';
import { startOtlpReceiver } from '../support/otlp-receiver.ts';
import { runCli } from '../support/run-cli.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { tlsCertificate } from '../support/tls-certificate.ts';
import { waitUntil } from '../support/wait.ts';
import { startReceiver } from '../support/webhook-receiver.ts';

const start = commonServer();
const test = needs('ffmpeg');
const SAMPLE = samplePath('480p');
/** Bit-exact, so that equal inputs have equal outputs. */
const SMALL = {
  'c:v': 'mpeg4',
  s: '160x90',
  t: '1',
  an: '',
  fflags: '+bitexact',
  'flags:v': '+bitexact',
  map_metadata: '-1',
};
const SECRETS = ['hunter2', 'signature-of-url'];

describe('inputs from URLs', () => {
  let site: FileSite;
  let server: TestServer;
  let own: ApiClient;
  let sample: Buffer;
  beforeAll(async () => {
    ({ site, server, own } = await start());
    sample = await readFile(SAMPLE);
    site.answer('/films/in.mp4', (request, response) => sendFile(request, response, sample));
  });

  test('a job from a URL has the output of a job from the same file in the media root', async () => {
    await server.media.put('in.mp4', sample);
    const [fromUrl, fromFile] = await Promise.all([
      own.run({ input: `${site.url}/films/in.mp4`, output: 'url.mp4', parameters: SMALL }),
      own.run({ input: 'in.mp4', output: 'file.mp4', parameters: SMALL }),
    ]);
    expect([fromUrl.status, fromFile.status]).toEqual(['COMPLETED', 'COMPLETED']);
    expect(fromUrl.input).toBe(`${site.url}/films/in.mp4`);
    expect((await server.media.get('url.mp4')).equals(await server.media.get('file.mp4'))).toBe(true);
    // The scratch folder is removed after the end of the job is stored.
    const copies = async () =>
      (await pathsBelow(server.scratchParent)).filter((path) => path.includes(fromUrl.jobId) && path.includes('/in/'));
    await expect.poll(copies, { timeout: 30_000 }).toEqual([]);
  });

  test('fetches a URL that several inputs name once', async () => {
    site.answer('/once.mp4', sample);
    const url = `${site.url}/once.mp4`;
    await server.media.put('between.mp4', sample);
    const job = await own.run({
      inputs: [url, 'between.mp4', url],
      output: 'joined.mp4',
      parameters: { filter_complex: '[0:v][1:v][2:v]concat=n=3:v=1[v]', map: '[v]', 'c:v': 'mpeg4', t: '1' },
    });
    expect(job).toMatchObject({ status: 'COMPLETED' });
    expect(site.requests.filter(({ line }) => line === 'GET /once.mp4')).toHaveLength(1);
  });

  test('continues a download that was cut, and shows its progress in the phase STAGING', { tags: 'long' }, async () => {
    let cut = (): void => {};
    site.answer('/cut.mp4', (request, response, count) => {
      if (count > 0) return sendFile(request, response, sample);
      cut = () => response.destroy();
      response.writeHead(200, { etag: '"version-1"', 'content-length': sample.length });
      response.write(sample.subarray(0, 500_000));
    });
    const jobId = await own.accept({ input: `${site.url}/cut.mp4`, output: 'cut.mp4', parameters: SMALL });
    const arrived = (100 * 500_000) / sample.length;
    await own.wait(jobId, ({ phase, progress = 0 }) => phase === 'STAGING' && Math.abs(progress - arrived) < 0.1);
    cut();
    expect(await own.wait(jobId)).toMatchObject({ status: 'COMPLETED', attempt: 1 });
    const ranges = site.requests.filter(({ line }) => line === 'GET /cut.mp4').map(({ headers }) => headers.range);
    expect(ranges).toEqual([undefined, 'bytes=500000-']);
  });

  test('cancels a job that waits for a server', async () => {
    const asked = Promise.withResolvers<void>();
    site.answer('/silent.mp4', () => asked.resolve());
    const jobId = await own.accept({ input: `${site.url}/silent.mp4`, output: 'silent.mp4', parameters: SMALL });
    await asked.promise;
    await own.request(`/api/conversion/${jobId}/cancel`, { method: 'POST' });
    expect(await own.wait(jobId)).toMatchObject({ status: 'CANCELLED' });
  });

  test('shows no user name, password or query of a URL, sends them to its server, and retries with them', async () => {
    let hasFile = false;
    site.answer('/private/in.mp4', (request, response) => {
      if (hasFile) sendFile(request, response, sample);
      else response.writeHead(404).end();
    });
    const [password, signature] = SECRETS;
    const input = `http://user:${password}@${site.host}/private/in.mp4?sig=${signature}&x=1#part`;
    const shown = `http://(hidden)@${site.host}/private/in.mp4?(hidden)`;
    const request = { inputs: [{ input, parameters: { ss: '1' } }], output: 'private.mp4', parameters: SMALL };
    const dryRun = await own.request<DryRunView>('/api/conversion?dryRun=true', { body: request });
    expect(dryRun.body.plan.inputs).toEqual([
      { name: 'in/0.mp4', path: `http://${site.host}/private/in.mp4`, isFetched: true },
    ]);
    expect(site.requests.filter(({ line }) => line.includes('/private/'))).toEqual([]);

    const failed = await own.run(request);
    expect(failed).toMatchObject({
      status: 'FAILED',
      inputs: [{ input: shown, parameters: { ss: '1' } }],
      error: {
        code: 'INPUT_NOT_FOUND',
        message: `Input "http://${site.host}/private/in.mp4" does not exist: ${site.host} replied with status 404.`,
      },
    });
    hasFile = true;
    const retried = await own.request<{ jobId: string }>(`/api/conversion/${failed.jobId}/retry`, { method: 'POST' });
    const completed = await own.wait(retried.body.jobId);
    expect(completed).toMatchObject({ status: 'COMPLETED', inputs: [{ input: shown }] });

    const single = await own.run({ input, output: 'single.mp4', parameters: SMALL });
    expect(single).toMatchObject({ status: 'COMPLETED', input: shown });
    const sent = site.requests.filter(({ line }) => line.includes('/private/'));
    expect(new Set(sent.map(({ line }) => line))).toEqual(new Set([`GET /private/in.mp4?sig=${signature}&x=1`]));
    expect(new Set(sent.map(({ headers }) => headers.authorization))).toEqual(
      new Set([`Basic ${Buffer.from(`user:${password}`).toString('base64')}`]),
    );

    const mcp = await mcpClient(server.url, own.token);
    const viaMcp = await callTool(mcp, 'wait_for_job', { jobId: completed.jobId, timeoutSeconds: 0 });
    const probe = await own.request('/api/probe', { body: { input } });
    expect(probe.status).toBe(200);
    const everything = JSON.stringify([
      ...[dryRun.body, failed, completed, single, viaMcp, probe.body],
      ...[await own.list(), await own.log(completed.jobId), await own.log(failed.jobId)],
      server.log(),
    ]);
    expect(everything).toContain('(hidden)@');
    for (const secret of SECRETS) expect(everything).not.toContain(secret);
  });

  test.each([
    [401, 'INPUT_UNAVAILABLE', 'is not accessible'],
    [403, 'INPUT_UNAVAILABLE', 'is not accessible'],
    [404, 'INPUT_NOT_FOUND', 'does not exist'],
    [410, 'INPUT_NOT_FOUND', 'does not exist'],
    [400, 'INPUT_UNAVAILABLE', 'cannot be fetched'],
  ])('a status %i fails the job at once, with %s', async (status, code, words) => {
    site.answer(`/status/${status}.mp4`, (_request, response) => response.writeHead(status).end());
    const input = `${site.url}/status/${status}.mp4`;
    const { attempt, error } = await own.run({ input, output: `status-${status}.mp4`, parameters: SMALL });
    expect({ attempt, error }).toMatchObject({
      attempt: 1,
      error: { code, message: `Input "${input}" ${words}: ${site.host} replied with status ${status}.` },
    });
    const probe = await own.request('/api/probe', { body: { input } });
    expect(probe).toMatchObject({ status: code === 'INPUT_NOT_FOUND' ? 404 : 422, body: { code } });
  });

  test('waits as long as Retry-After says', { tags: 'long' }, async () => {
    site.answer('/busy.mp4', (request, response, count) => {
      if (count === 0) response.writeHead(503, { 'retry-after': '1' }).end();
      else if (count === 1) response.writeHead(429, { 'retry-after': new Date(Date.now() + 1000).toUTCString() }).end();
      else sendFile(request, response, sample);
    });
    const job = await own.run({ input: `${site.url}/busy.mp4`, output: 'busy.mp4', parameters: SMALL });
    expect(job).toMatchObject({ status: 'COMPLETED', attempt: 1 });
  });

  test('fetches no segments of a playlist', async () => {
    site.answer('/live', Buffer.from('#EXTM3U\n#EXTINF:4,\nsegment0.ts\n'));
    const input = `${site.url}/live`;
    expect(await own.run({ input, output: 'live.mp4' })).toMatchObject({
      status: 'FAILED',
      error: {
        code: 'INPUT_INVALID',
        message: `Input "${input}" is an HLS playlist. The service fetches one file, not the files that it names.`,
      },
    });
    expect(site.requests.filter(({ line }) => line.includes('segment0'))).toEqual([]);
  });

  test('follows redirects only to allowed hosts', async () => {
    const inner = await startFileSite();
    inner.answer('/secret.mp4', sample);
    site.answer('/moved.mp4', (_request, response) => response.writeHead(302, { location: '/films/in.mp4' }).end());
    for (const [path, to] of [
      ['/inner.mp4', `${inner.url}/secret.mp4`],
      ['/name.mp4', `${inner.url.replace('127.0.0.1', 'localhost')}/secret.mp4`],
      ['/cloud.mp4', 'http://169.254.169.254/latest/meta-data/'],
    ] as const)
      site.answer(path, (_request, response) => response.writeHead(302, { location: to }).end());
    const run = (path: string) =>
      own.run({ input: `${site.url}${path}`, output: `redirected${path}`, parameters: SMALL });
    const [moved, ...others] = await Promise.all(['/moved.mp4', '/inner.mp4', '/name.mp4', '/cloud.mp4'].map(run));
    inner.close();
    expect(moved).toMatchObject({ status: 'COMPLETED' });
    for (const job of others)
      expect(job).toMatchObject({
        status: 'FAILED',
        attempt: 1,
        error: { code: 'INPUT_UNAVAILABLE', message: expect.stringContaining('the operator does not allow it') },
      });
    expect(inner.requests).toEqual([]);
  });

  test.each([
    ['http://127.0.0.1:1/a.mp4', 'HOST_NOT_ALLOWED'],
    ['http://2130706433/a.mp4', 'HOST_NOT_ALLOWED'],
    ['http://[::ffff:10.0.0.1]/a.mp4', 'HOST_NOT_ALLOWED'],
    ['http://169.254.169.254/latest/meta-data/', 'HOST_NOT_ALLOWED'],
    ['http://localhost/a.mp4', 'HOST_NOT_ALLOWED'],
    ['https://files.example:22/a.mp4', 'HOST_NOT_ALLOWED'],
    ['http://', 'INVALID_URL'],
    ['http://fe80::1%25eth0/a.mp4', 'INVALID_URL'],
    ['https://files.example/a\nb.mp4', 'CONTROL_CHARACTER'],
    ['ftp://files.example/a.mp4', 'STORAGE_NOT_ALLOWED'],
    [`https://files.example/${'a'.repeat(4096)}`, 'TOO_LONG'],
  ])('rejects %s at once, with %s', async (input, code) => {
    const { status, body } = await own.request('/api/conversion', { body: { input, output: 'rejected.mp4' } });
    expect({ status, body }).toMatchObject({ status: 400, body: { errors: [{ field: '/input', code }] } });
  });

  test('rejects a URL as an output, and as a sequence', async () => {
    const url = `${site.url}/films/in.mp4`;
    const output = await own.request('/api/conversion', { body: { input: 'in.mp4', output: url } });
    expect(output.body.errors).toMatchObject([{ field: '/output', code: 'STORAGE_NOT_ALLOWED' }]);
    const frames = { input: `${site.url}/frame%2503d.png`, parameters: { start_number: '1' } };
    const sequence = await own.request('/api/conversion', { body: { inputs: [frames], output: 'frames.mp4' } });
    expect(sequence.body.errors).toMatchObject([{ field: '/inputs/0/parameters/start_number', code: 'NO_SEQUENCE' }]);
  });

  test('a client with the limit urls=deny may name no URL, and another one may', async () => {
    const credentials = await insertClient(server, 'closed', { limits: { urls: 0 } });
    const closed = await login(server.url, credentials);
    const input = `${site.url}/film.mp4`;
    const rejected = { status: 400, body: { errors: [{ field: '/input', code: 'STORAGE_NOT_ALLOWED' }] } };
    expect(await closed.request('/api/conversion', { body: { input, output: 'a.mp4' } })).toMatchObject(rejected);
    expect(await closed.request('/api/probe', { body: { input } })).toMatchObject(rejected);
    const allowed = await own.request('/api/conversion?dryRun=true', { body: { input, output: 'a.mp4' } });
    expect(allowed.status).toBe(200);
  });

  test('probes a file at a URL', async () => {
    const { status, body } = await own.request<{ streams: object[] }>('/api/probe', {
      body: { input: `${site.url}/films/in.mp4?x=1` },
    });
    expect(status).toBe(200);
    expect(body.streams[0]).toMatchObject({ type: 'video', codec: 'h264' });
    await waitUntil('the copy to be removed', async () => {
      const left = (await pathsBelow(server.scratchParent)).filter((path) => /probes-[^/]+\//.test(path));
      return left.length === 0 ? true : undefined;
    });
  });
});

test('a service that is killed while it fetches begins the job again, and leaves nothing of the first download', {
  tags: 'long',
}, async () => {
  const site = await startFileSite();
  const sample = await readFile(SAMPLE);
  const begun = Promise.withResolvers<void>();
  site.answer('/film.mp4', (request, response, count) => {
    if (count > 0) return sendFile(request, response, sample);
    response.writeHead(200, { 'content-length': sample.length }).write(sample.subarray(0, 100_000));
    begun.resolve();
  });
  const env = { TELECINE_INPUT_URLS: site.host };
  const first = await startServer({ env });
  const jobId = await (await adminClient(first)).accept({
    input: `${site.url}/film.mp4?sig=${SECRETS[1]}`,
    output: 'film.mp4',
    parameters: SMALL,
  });
  await begun.promise;
  await first.kill9('group');
  const { dataDir, mediaRoot } = first;
  const second = await startServer({ env: { ...first.settings, ...env }, dataDir, mediaRoot });
  expect(await (await adminClient(second)).wait(jobId)).toMatchObject({ status: 'COMPLETED' });
  await waitUntil('both downloads to be removed', async () => {
    const left = (await pathsBelow(second.scratchParent)).filter((path) => path.includes('/in/'));
    return left.length === 0 ? true : undefined;
  });
  site.close();
  await second.stop();
});

test('no secret of a URL is in events, webhooks, batches, the audit log, traces or logs', {
  tags: 'long',
}, async () => {
  const site = await startFileSite();
  const hooks = await startReceiver();
  const traces = await startOtlpReceiver();
  const env = {
    TELECINE_INPUT_URLS: site.host,
    TELECINE_WEBHOOK_HOSTS: hooks.host,
    TELECINE_OTLP_ENDPOINT: traces.url,
    TELECINE_LOG_LEVEL: 'debug',
  };
  const { server, admin } = await withService(env);
  site.answer('/broken.mp4', (_request, response) => response.destroy());
  site.answer('/sample.mp4', await readFile(SAMPLE));
  const url = (name: string) => `http://user:${SECRETS[0]}@${site.host}/${name}?sig=${SECRETS[1]}`;
  const of = (name: string) => ({ input: url(name), output: `out-${name}`, parameters: SMALL });
  await admin.request('/api/webhook-secret/rotate', { method: 'POST' });
  const batch = await admin.request<{ batchId: string; jobs: { jobId: string }[] }>('/api/conversions', {
    body: {
      requests: [
        { name: 'gone', ...of('gone.mp4'), callbackUrl: hooks.url('/jobs') },
        { name: 'done', ...of('sample.mp4'), callbackUrl: hooks.url('/jobs') },
        { name: 'next', ...of('broken.mp4'), after: ['gone'] },
      ],
    },
  });
  expect(batch.status).toBe(202);
  const jobs = await Promise.all(batch.body.jobs.map(({ jobId }) => admin.wait(jobId)));
  expect(jobs.map(({ status }) => status)).toEqual(['FAILED', 'COMPLETED', 'FAILED']);
  const events = await waitUntil('both webhooks', async () => {
    const received = hooks.received('/jobs');
    return received.length === 2 ? received : undefined;
  });
  const wrong = [' http://', 'http:/', 'file:http://', 'ftp://', 's3://'].map((scheme) =>
    admin.request('/api/conversion', { body: { ...of('x.mp4'), input: url('x.mp4').replace('http://', scheme) } }),
  );
  const rejected = await Promise.all([
    ...wrong,
    admin.request('/api/conversion', { body: { input: [url('x.mp4')], output: 'x.mp4' } }),
    admin.request('/api/conversion', { body: of('x.mp4').input }),
    admin.request('/api/probe', { body: { input: url('gone.mp4') } }),
    admin.request('/api/probe', { body: { input: url('broken.mp4') } }),
  ]);
  expect(rejected.every(({ status }) => status >= 400)).toBe(true);
  const streams = jobs.map(async ({ jobId }) => {
    const reply = await fetch(`${server.url}/api/conversion/${jobId}/events`, {
      headers: { authorization: `Bearer ${admin.token}` },
    });
    return reply.text();
  });
  const views = [
    ...[jobs, events.map(({ body }) => body), rejected.map(({ body }) => body), await Promise.all(streams)],
    await admin.request(`/api/conversions/${batch.body.batchId}`),
    await admin.request('/api/conversions'),
    await admin.request('/api/audit'),
    await Promise.all(jobs.map(({ jobId }) => admin.log(jobId))),
  ];
  await server.stop();
  const everything = JSON.stringify([views, traces.spans, server.log()]);
  expect(traces.spans.map(({ name }) => name)).toContain('stage inputs');
  expect(everything).toContain('(hidden)@');
  expect(SECRETS.filter((secret) => everything.includes(secret))).toEqual([]);
  for (const one of [site, hooks]) one.close();
});

test('the command line converts and probes a URL without an upload', { tags: 'long' }, async () => {
  const site = await startFileSite();
  const { server } = await withService({ TELECINE_INPUT_URLS: site.host });
  const sample = await readFile(SAMPLE);
  site.answer('/film.mp4', (request, response) => sendFile(request, response, sample));
  const { clientId, clientSecret } = JSON.parse(await readFile(join(server.dataDir, 'admin-client.json'), 'utf8')) as {
    clientId: string;
    clientSecret: string;
  };
  const settings = {
    TELECINE_URL: server.url,
    TELECINE_CLIENT_ID: clientId,
    TELECINE_CLIENT_SECRET: clientSecret,
  };
  const out = join(await testFolder('cli'), 'out.mkv');
  const converted = await runCli(['convert', `${site.url}/film.mp4`, out, '-p', 'c=copy', '-p', 't=1'], settings);
  expect(converted).toMatchObject({ code: 0 });
  expect((await readFile(out)).length).toBeGreaterThan(1000);
  const probed = await runCli(['probe', `${site.url}/film.mp4`, '--json'], settings);
  expect(probed).toMatchObject({ code: 0, stdout: expect.stringContaining('"h264"') });
  expect((await server.media.list()).filter((path) => path.startsWith('cli/'))).toEqual([]);
  site.close();
  await server.stop();
});

test('a service without the setting fetches nothing, and says what may be sent', { tags: 'long' }, async () => {
  const { server, admin, site } = await withService({});
  const { status, body } = await admin.request('/api/conversion', {
    body: { input: `${site.url}/in.mp4`, output: 'out.mp4' },
  });
  expect({ status, body }).toMatchObject({
    status: 400,
    body: {
      errors: [
        {
          field: '/input',
          code: 'STORAGE_NOT_ALLOWED',
          message: 'This service fetches no inputs from URLs.',
          fix: 'Upload the file (PUT /api/files/{path}) and send its path in your media root, or ask the operator to allow URLs (TELECINE_INPUT_URLS).',
        },
      ],
    },
  });
  const probe = await admin.request('/api/probe', { body: { input: `${site.url}/in.mp4` } });
  expect(probe.status).toBe(400);
  expect(site.requests).toEqual([]);
  await server.stop();
});

test('the limit "input" ends a download', { tags: 'long' }, async () => {
  const site = await startFileSite();
  const { server, admin } = await withService({
    TELECINE_INPUT_URLS: site.host,
    TELECINE_CLIENT_LIMITS: 'input=1M',
  });
  site.answer('/large.mp4', (_request, response) => response.writeHead(200, { 'content-length': 2 ** 40 }).write('a'));
  site.answer('/endless.mp4', (_request, response) => {
    const more = (): void => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536)));
    };
    response.on('drain', more);
    more();
  });
  const error = { code: 'LIMIT_EXCEEDED', message: expect.stringContaining('limit "input"') };
  for (const name of ['large.mp4', 'endless.mp4']) {
    const input = `${site.url}/${name}`;
    expect(await admin.run({ input, output: `limited-${name}`, parameters: SMALL })).toMatchObject({ error });
  }
  site.close();
  await server.stop();
});

test('the limit "fetch" ends a download', { tags: 'long' }, async () => {
  const site = await startFileSite();
  const { server, admin } = await withService({
    TELECINE_INPUT_URLS: site.host,
    TELECINE_CLIENT_LIMITS: 'fetch=2s',
  });
  site.answer('/slow.mp4', (_request, response) => {
    const timer = setInterval(() => response.write('a'), 50);
    response.on('close', () => clearInterval(timer));
  });
  const input = `${site.url}/slow.mp4`;
  expect(await admin.run({ input, output: 'limited-slow.mp4', parameters: SMALL })).toMatchObject({
    error: { code: 'LIMIT_EXCEEDED', message: expect.stringContaining('(limit "fetch")') },
  });
  site.close();
  await server.stop();
});

test('fetches over TLS, with an authority of the operator', { tags: 'long' }, async () => {
  const certificate = await tlsCertificate('IP:127.0.0.1');
  const sample = await readFile(SAMPLE);
  const tls = createTlsServer(certificate, (request, response) => sendFile(request, response, sample));
  const { host } = new URL(await listenOnLoopback(tls));
  const input = `https://${host}/in.mp4`;
  const trusting = await withService({ TELECINE_INPUT_URLS: host, NODE_EXTRA_CA_CERTS: certificate.certFile });
  const job = await trusting.admin.run({ input, output: 'tls.mp4', parameters: SMALL });
  expect(job).toMatchObject({ status: 'COMPLETED' });
  await trusting.server.stop();
});

/** A service and a web server, for one test. */
async function withService(env: Readonly<Record<string, string>>) {
  const server = await startServer({ env });
  return { server, admin: await adminClient(server), site: await startFileSite() };
}
