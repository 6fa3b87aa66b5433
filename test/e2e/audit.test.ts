import { readFile } from 'node:fs/promises';
import { expect } from 'vitest';
import type { AuditListView, AuditRecordView } from '../../packages/contract/src/wire/audit.ts';
import { adminFile } from '../../scripts/lib/api.ts';
import { type ClientCredentials, login, sendRequest } from '../support/api-client.ts';
import { clientName, insertClient } from '../support/insert-client.ts';
import { needs } from '../support/needs.ts';
import { addClient, runCli } from '../support/run-cli.ts';
import { sharedServer } from '../support/shared-server.ts';
import { tusRequests } from '../support/tus.ts';
import { waitUntil } from '../support/wait.ts';

// A service of its own: at most ten refusals a minute are recorded, and the tests before may have caused as many.
const start = sharedServer();
const test = needs('ffmpeg');

test('telecine audit export tells who did what, also of a deleted job and by the command line, and no secret', async () => {
  const { server, admin } = await start();
  const name = clientName(server, 'shop');
  const shop = await addClient(server, name);
  const jobId = await admin.accept({ input: 'missing.mp4', output: 'out.mkv' });
  await admin.wait(jobId);
  const removed = await admin.request(`/api/conversion/${jobId}`, { method: 'DELETE' });
  expect(removed.status).toBe(204);
  const body = { clientId: name, clientSecret: `${shop.clientSecret}x` };
  expect(await sendRequest(server.url, '/api/auth/token', { method: 'POST', body })).toMatchObject({ status: 401 });
  // Records are written a little later.
  await waitUntil('the record of the refused token', async () => {
    const { body: log } = await admin.request<AuditListView>(`/api/audit?action=token.issue&client=${name}`);
    return log.records.length > 0 || undefined;
  });
  const text = await readFile(adminFile(server.dataDir), 'utf8');
  const { clientId, clientSecret } = JSON.parse(text) as ClientCredentials;
  const settings = { TELECINE_URL: server.url, TELECINE_CLIENT_ID: clientId, TELECINE_CLIENT_SECRET: clientSecret };
  const all = await runCli(['audit', 'export'], settings);
  const records = all.stdout
    .trim()
    .split('\n')
    .map((line): AuditRecordView => JSON.parse(line));
  expect(records).toEqual(records.toSorted((a, b) => (a.auditId < b.auditId ? -1 : 1)));
  expect(records[0]).toMatchObject({ action: 'client.add', via: 'service', target: 'admin' });
  const of = (target: string) => records.filter((record) => record.target === target);
  expect(of(name)).toMatchObject([{ action: 'client.add', via: 'command line' }]);
  const [submitted, deleted] = of(jobId);
  expect(submitted).toMatchObject({ action: 'job.submit', client: 'admin', outcome: 'done' });
  expect(deleted).toMatchObject({
    action: 'job.delete',
    client: 'admin',
    address: '127.0.0.1',
    requestId: removed.headers.get('x-request-id'),
  });
  expect(records.find(({ action, client }) => action === 'token.issue' && client === name)).toMatchObject({
    outcome: 'refused',
    code: 'INVALID_CLIENT',
  });
  expect(all.stdout).not.toContain(shop.clientSecret);
  expect(all.stdout).not.toContain(clientSecret);
  const some = await runCli(['audit', 'export', '--target', jobId, '--action', 'job.delete'], settings);
  expect(
    some.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual([deleted]);
  const none = await runCli(['audit', 'export', '--to', '2026-01-01'], settings);
  expect(none.stdout).toBe('');
});

test('the audit log has an upload that was rejected for its scope', async () => {
  const { server, admin } = await start();
  const credentials = await insertClient(server, 'tus-reader', { scopes: ['files:read'] });
  const { token } = await login(server.url, credentials);
  expect((await tusRequests(server.url, token).create('a.bin', 4)).status).toBe(403);
  const record = await waitUntil('the record of the rejected upload', async () => {
    const { body: log } = await admin.request<AuditListView>(
      `/api/audit?action=file.write&client=${credentials.clientId}`,
    );
    return log.records[0];
  });
  expect(record).toMatchObject({ outcome: 'refused', code: 'INSUFFICIENT_SCOPE' });
});
