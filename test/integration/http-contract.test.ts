import { expect, test } from 'vitest';
import { lintOpenApi } from '../../scripts/lint-openapi.ts';
import { BEARER, httpApp } from '../support/http-app.ts';
import { JOB_ID, jobOf } from '../support/http-fakes.ts';
import { checkedInject, contractChecker } from '../support/openapi-contract.ts';

interface Operation {
  readonly summary?: string;
  operationId?: string;
  readonly security?: unknown;
  readonly responses: object;
}

type Doc = { paths: Record<string, Record<string, Operation>> };

const publicUrl = 'https://media.example.org';
/** The deployments to test: without and with an external issuer of tokens. */
const DEPLOYMENTS = [{}, { oauth: { publicUrl, issuer: 'https://login.example.org', scopePrefix: '' } }] as const;

const bodies = new Map<object, Promise<string>>();

/** The document of a deployment. Its app makes it once, which takes a second. */
async function documentOf(deployment: (typeof DEPLOYMENTS)[number] = DEPLOYMENTS[0]): Promise<Doc> {
  const body =
    bodies.get(deployment) ??
    httpApp({ publicUrl, ...deployment })
      .inject({ method: 'GET', url: '/openapi.json' })
      .then((reply) => reply.body);
  bodies.set(deployment, body);
  return JSON.parse(await body) as Doc;
}

test('the document is OpenAPI 3.1 and names the public URL', async () => {
  expect(await documentOf()).toMatchObject({
    openapi: expect.stringMatching(/^3\.1\./),
    servers: [{ url: 'https://media.example.org' }],
  });
});

test('the linter accepts the document, with and without an external issuer', {
  tags: 'long',
  timeout: 60_000,
}, async () => {
  const documents = await Promise.all(DEPLOYMENTS.map(documentOf));
  expect(await lintOpenApi(documents)).toEqual({ ok: true, report: expect.any(String) });
});

test('the parameter by which the page of a shared link shows a file is documented, though others are ignored', async () => {
  const { paths } = await documentOf();
  const { parameters = [] } = (paths['/s/{link}/files/{path}']?.['get'] ?? {}) as {
    parameters?: readonly { readonly in: string; readonly name: string }[];
  };
  expect(parameters.filter((one) => one.in === 'query').map(({ name }) => name)).toEqual(['page']);
});

test('every operation has a response for its success', async () => {
  const { paths } = await documentOf(DEPLOYMENTS[1]);
  const operations = Object.values(paths).flatMap((path) => Object.values(path));
  expect(operations.length).toBeGreaterThan(50);
  for (const { operationId, responses } of operations)
    expect([operationId, Object.keys(responses).some((status) => /^[23]/.test(status))]).toEqual([operationId, true]);
});

test('the linter reports a planted error', { tags: 'long', timeout: 60_000 }, async () => {
  const broken = await documentOf();
  delete broken.paths['/health']?.['get']?.operationId;
  expect(await lintOpenApi([broken])).toMatchObject({ ok: false });
});

test.each(DEPLOYMENTS)('the document lists exactly the routes of the app: %j', async (deployment) => {
  const { app } = httpApp(deployment);
  await app.ready();
  const { paths } = await documentOf(deployment);
  for (const [path, item] of Object.entries(paths))
    for (const method of Object.keys(item))
      expect(
        app.hasRoute({
          method: method.toUpperCase(),
          url: path.replace('{path}', '*').replace(/\{(\w+)\}/g, ':$1'),
        }),
        `${method} ${path}`,
      ).toBe(true);
  const routes = app.printRoutes({ commonPrefix: false, includeHooks: false });
  // Downloads answer HEAD too, which is documented as GET.
  const documented = Object.values(paths)
    .flatMap((item) => Object.keys(item))
    .filter((m) => m !== 'head').length;
  const answered = [...routes.matchAll(/\(([A-Z, ]+)\)/g)]
    .flatMap(([, m = '']) => m.split(', '))
    .filter((m) => m !== 'HEAD');
  // The script of the docs page is served, but is not an operation.
  expect(documented).toBe(answered.length - 1);
});

test.each(DEPLOYMENTS)('every operation has a description and its security: %j', async (deployment) => {
  const { paths } = await documentOf(deployment);
  for (const item of Object.values(paths))
    for (const operation of Object.values(item))
      expect(operation).toMatchObject({
        operationId: expect.any(String),
        summary: expect.any(String),
        description: expect.any(String),
        security: expect.any(Array),
      });
});

test.each([
  ['an undocumented member', { extra: 1 }, /additional/],
  ['a value out of range', { progress: { percent: 101 }, status: 'PROCESSING' }, /progress/],
  ['an invalid time', { createdAt: 'yesterday' }, /createdAt/],
])('the checked inject rejects a response with %s', async (_, planted, message) => {
  const { app } = httpApp({ jobsChange: { get: async () => jobOf(planted as object) } });
  if ('extra' in planted)
    app.addHook('preSerialization', async (_request, _reply, payload) => ({ ...(payload as object), ...planted }));
  const request = { method: 'GET' as const, url: `/api/conversion/${JOB_ID}`, headers: BEARER };
  const inject = checkedInject(app, 'planted');
  await expect(inject(request)).rejects.toThrow(message);
});

test('the contract check rejects undocumented statuses, types and operations, and missing headers', async () => {
  const check = contractChecker(await documentOf());
  const good = {
    method: 'POST',
    url: '/api/conversion?dryRun=false',
    status: 202,
    headers: { 'content-type': 'application/json', location: '/x', 'x-request-id': '1' },
    body: JSON.stringify({ jobId: JOB_ID, status: 'PENDING', message: 'Queued.' }),
  };
  expect(() => check(good)).not.toThrow();
  expect(() => check({ ...good, status: 201 })).toThrow(/documented statuses are/);
  expect(() => check({ ...good, headers: { ...good.headers, 'content-type': 'text/html' } })).toThrow(/type/);
  expect(() => check({ ...good, headers: { 'content-type': 'application/json', 'x-request-id': '1' } })).toThrow(
    /Location/,
  );
  expect(() => check({ ...good, body: '{"jobId"' })).toThrow(/not JSON/);
  expect(() => check({ ...good, url: '/api/elsewhere' })).toThrow(/not documented/);
  expect(() => check({ ...good, method: 'DELETE', url: '/health', status: 200 })).toThrow(/not documented/);
});
