import { expect, test } from 'vitest';
import { httpApp } from '../support/http-app.ts';

const get = (url: string) => ({ method: 'GET' as const, url });

test('health needs no token and reports version and uptime', async () => {
  const { inject } = httpApp();
  const reply = await inject(get('/health?from=probe'));
  expect(reply.statusCode).toBe(200);
  expect(reply.json()).toEqual({ status: 'ok', version: '0.1.0', uptimeSeconds: 1.5 });
});

test('ready replies 200 while all checks pass, and 503 with the failed check', async () => {
  const paused = { ok: true, isPaused: true, message: 'The queue is paused.' } as const;
  const checks = { store: { ok: true }, disk: { ok: true, message: '10 GB are free.' }, queue: paused };
  const health = { version: '0.1.0', uptimeSeconds: () => 1, ready: async () => checks };
  const { inject } = httpApp({ health });
  const good = await inject(get('/ready'));
  expect(good.statusCode).toBe(200);
  expect(good.json().status).toBe('ready');
  expect(good.json().checks.queue).toEqual({ status: 'paused', message: 'The queue is paused.' });
  checks.disk.ok = false;
  const bad = await inject(get('/ready'));
  expect(bad.statusCode).toBe(503);
  expect(bad.json()).toEqual({
    status: 'unavailable',
    checks: {
      store: { status: 'ok' },
      disk: { status: 'failed', message: '10 GB are free.' },
      queue: { status: 'paused', message: 'The queue is paused.' },
    },
  });
});

test('ready replies 503 if the checks cannot run', async () => {
  const ready = async () => {
    throw new Error('no disk');
  };
  const { inject, lines } = httpApp({ health: { version: '0.1.0', uptimeSeconds: () => 1, ready } });
  const reply = await inject(get('/ready'));
  expect(reply.statusCode).toBe(503);
  expect(reply.body).not.toContain('no disk');
  expect(lines.some((l) => l.level === 'error')).toBe(true);
});

test('every response has the fixed header fields and a request id of its own', async () => {
  const { inject } = httpApp();
  const replies = [
    await inject(get('/health')),
    await inject({ ...get('/nowhere'), headers: { 'x-request-id': 'forged' } }),
    await inject(get('/%zz')),
  ];
  for (const { headers } of replies) {
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['content-security-policy']).toBe("default-src 'none'; frame-ancestors 'none'");
    expect(headers['referrer-policy']).toBe('no-referrer');
    expect(headers['cross-origin-resource-policy']).toBe('same-origin');
    expect(headers).not.toHaveProperty('x-powered-by');
  }
  const ids = replies.map((r) => r.headers['x-request-id']);
  expect(new Set(ids).size).toBe(3);
  expect(ids).not.toContain('forged');
  expect(replies[1]?.json().requestId).toBe(ids[1]);
});

test('answers an unknown path with 404 and the closest path', async () => {
  const { inject } = httpApp();
  const slip = await inject({
    method: 'POST',
    url: '/api/conversionx',
    payload: 'not read',
    headers: { 'content-type': 'text/plain' },
  });
  expect(slip.statusCode).toBe(404);
  expect(slip.json()).toMatchObject({ code: 'NOT_FOUND', title: 'Not found' });
  expect(slip.json().detail).toContain('/api/conversion?');
  expect((await inject(get('/v1/other/thing'))).json().detail).not.toContain('did you mean');
});

test.each([
  ['PUT', '/api/conversion', 'GET, HEAD, POST'],
  ['GET', '/mcp', 'POST'],
  ['DELETE', '/mcp', 'POST'],
  ['POST', '/health', 'GET, HEAD'],
  ['OPTIONS', '/api/auth/token', 'POST'],
  ['PATCH', '/api/conversion/0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e10', 'DELETE, GET, HEAD'],
] as const)('%s %s is 405 with the allowed methods', async (method, url, allowed) => {
  const { inject } = httpApp();
  const reply = await inject({ method, url });
  expect(reply.statusCode).toBe(405);
  expect(String(reply.headers.allow).split(', ').sort().join(', ')).toBe(allowed);
  expect(reply.json().code).toBe('METHOD_NOT_ALLOWED');
});

test.each([
  ['POST', '/api/files'],
  ['POST', '/api/files/trip/in.mov'],
  ['PUT', '/api/files'],
] as const)('%s %s names the request that uploads a file', async (method, url) => {
  const { inject } = httpApp();
  const payload = '--x\r\ncontent-disposition: form-data; name="file"\r\n\r\nbytes\r\n--x--\r\n';
  const reply = await inject({ method, url, payload, headers: { 'content-type': 'multipart/form-data; boundary=x' } });
  expect([reply.statusCode, reply.json().code]).toEqual([405, 'METHOD_NOT_ALLOWED']);
  expect(reply.json().detail).toMatch(/To upload a file, send its bytes, not a form: PUT \/api\/files\/NAME\.$/);
});

test('answers a path with an invalid escape with 400', async () => {
  const { inject } = httpApp();
  const reply = await inject(get('/api/conversion/%zz'));
  expect(reply.statusCode).toBe(400);
  expect(reply.json().code).toBe('BAD_REQUEST');
});

test('HEAD replies like GET, without the body', async () => {
  const { inject } = httpApp();
  const reply = await inject({ method: 'HEAD', url: '/health' });
  expect(reply.statusCode).toBe(200);
  expect(reply.body).toBe('');
});

test('the address of the service leads a browser to the docs, and a program to the list of paths', async () => {
  const { app, inject } = httpApp();
  const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
  const browser = await app.inject({ method: 'GET', url: '/', headers: { accept } });
  expect([browser.statusCode, browser.headers.location]).toEqual([302, 'docs']);
  const program = await inject(get('/'));
  expect([program.statusCode, program.json().code]).toEqual([404, 'NOT_FOUND']);
  expect(program.json().detail).toContain('GET /openapi.json lists all paths; /docs shows them in a browser.');
});

test('the docs begin with tokens, submit without a dry run, and open no page of another host', {
  tags: 'long',
}, async () => {
  const { inject } = httpApp();
  const { tags, paths } = (await inject(get('/openapi.json'))).json();
  expect(tags[0].name).toBe('Tokens');
  const { parameters, 'x-codeSamples': samples } = paths['/api/conversion'].post;
  expect(samples[0].source).toMatch(/^curl http:\/\/127\.0\.0\.1:8080\/api\/conversion /);
  expect(samples[0].source).not.toMatch(/dryRun|idempotency/i);
  const key = parameters.find(({ name }: { name: string }) => name === 'Idempotency-Key');
  expect([key.example, key.examples, key.schema.examples]).toEqual([undefined, undefined, undefined]);
  expect((await inject(get('/docs'))).body).toContain('"hideClientButton": true');
});

test('the docs page loads nothing from other hosts, and its policy forbids it', async () => {
  const { inject } = httpApp();
  const page = await inject(get('/docs'));
  // Browsers would ask for /favicon.ico, and report its 404 on the console.
  expect(page.body).toContain('<link rel="icon" href="data:,">');
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(page.body).not.toMatch(/(src|href)="?(https?:)?\/\//);
  const policy = String(page.headers['content-security-policy']);
  expect(policy).toMatch(/default-src 'none'; script-src 'self' 'sha256-[^']+'/);
  expect(policy).not.toMatch(/https?:|script-src[^;]*unsafe/);
  const [, src] = /<script[^>]*src="([^"]+)"/.exec(page.body) ?? [];
  const script = await inject(get(`/${src}`));
  expect(script.statusCode).toBe(200);
  expect(script.headers['content-type']).toBe('text/javascript; charset=utf-8');
  expect(script.body.length).toBeGreaterThan(100_000);
});
