import { expect } from 'vitest';
import { type ClientCredentials, login } from './api-client.ts';
import { waitUntil } from './wait.ts';

const CONVERSION = { input: 'in/a.mp3', output: 'out/{name}.mka' };

/**
 * Checks that limits of one client hold over the defaults of all clients, at once and at each service, and that each
 * problem says how an operator changes its limit. `urls`: of the services, which run no jobs. `set`: sets limits of the
 * client `own`, whose root has a file `in/a.mp3`. `other`: a client with the defaults.
 */
export async function checkClientLimits(
  urls: readonly string[],
  { own, other }: { readonly own: ClientCredentials; readonly other: ClientCredentials },
  set: (limits: readonly string[]) => Promise<unknown>,
): Promise<void> {
  const [here, there, stranger] = await Promise.all([
    login(urls[0] ?? '', own),
    login(urls.at(-1) ?? '', own),
    login(urls[0] ?? '', other),
  ]);
  const above = (status: number, code: string, limit: string) => ({
    status,
    body: { code, detail: expect.stringContaining(`telecine client set ${own.clientId} --limit ${limit}=`) },
  });
  const submit = (client = there) =>
    client.request('/api/conversion', { body: { ...CONVERSION, output: 'out/a.mka' } });
  const policyOf = async (client: typeof here) =>
    (await client.request('/api/conversion?dryRun=true', { body: CONVERSION })).headers.get('ratelimit-policy');

  await set(['pending=1', 'submissions=100', 'webhooks=1', 'watches=1', 'shares=0', 'event-streams=1']);
  for (const client of [here, there])
    await waitUntil('the new limit', async () => (await policyOf(client)) === '"submissions";q=100;w=60' || undefined);
  expect(await policyOf(stranger)).not.toContain('q=100');

  expect((await submit(here)).status).toBe(202);
  expect(await submit()).toMatchObject(above(429, 'TOO_MANY_PENDING', 'pending'));
  for (let i = 0; i < 2; i++) expect((await submit(stranger)).status).toBe(202);

  const webhook = () => there.request('/api/webhooks', { body: { url: 'https://example.org/hook' } });
  expect((await webhook()).status).toBe(201);
  expect(await webhook()).toMatchObject(above(409, 'TOO_MANY_WEBHOOKS', 'webhooks'));

  const watch = () => there.request('/api/watches', { body: { folder: 'in/', request: { output: 'out/{name}.mka' } } });
  expect((await watch()).status).toBe(201);
  expect(await watch()).toMatchObject(above(409, 'TOO_MANY_WATCHES', 'watches'));

  const share = () => there.request('/api/shares', { body: { path: 'in/a.mp3' } });
  expect(await share()).toMatchObject(above(409, 'TOO_MANY_SHARES', 'shares'));

  const closed = new AbortController();
  const headers = { authorization: `Bearer ${there.token}` };
  const stream = await fetch(`${urls.at(-1)}/api/events`, { headers, signal: closed.signal });
  expect(stream.status).toBe(200);
  expect(await there.request('/api/events')).toMatchObject(above(429, 'TOO_MANY_STREAMS', 'event-streams'));
  closed.abort();

  await set(['pending=default', 'webhooks=none', 'watches=2', 'shares=1']);
  await waitUntil('the limit of all clients', async () => (await submit()).status === 202 || undefined);
  for (const add of [webhook, watch, share]) expect((await add()).status).toBe(201);
}
