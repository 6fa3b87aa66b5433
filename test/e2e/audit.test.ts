import { readFile } from 'node:fs/promises';
import { expect } from 'vitest';
import type { AuditListView, AuditRecordView } from '../../packages/contract/src/wire/audit.ts';
import { adminFile } from '../../scripts/lib/api.ts';
import { adminClient, type ClientCredentials, sendRequest } from '../support/api-client.ts';
import { needs } from '../support/needs.ts';
import { addClient, runCli } from '../support/run-cli.ts';
import { startServer } from '../support/server.ts';
import { waitUntil } from '../support/wait.ts';

const test = needs('ffmpeg');

test('telecine audit export tells who did what, also of a deleted job and by the command line, and no secret', async () => {
  const server = await startServer();
  const shop = await addClient(server, 'shop');
  const admin = await adminClient(server);
  const jobId = await admin.accept({ input: 'missing.mp4', output: 'out.mkv' });
  await admin.wait(jobId);
  const removed = await admin.request(`/api/conversion/${jobId}`, { method: 'DELETE' });
  expect(removed.status).toBe(204);
  const body = { clientId: 'shop', clientSecret: `${shop.clientSecret}x` };
  expect(await sendRequest(server.url, '/api/auth/token', { method: 'POST', body })).toMatchObject({ status: 401 });
  // Records are written a little later.
  await waitUntil('the record of the refused token', async () => {
    const { body: log } = await admin.request<AuditListView>('/api/audit?action=token.issue&client=shop');
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
  const found = (action: AuditRecordView['action'], client?: string) =>
    records.find((record) => record.action === action && (client === undefined || record.client === client));
  expect(records[0]).toMatchObject({ action: 'client.add', via: 'service', target: 'admin' });
  expect(records[1]).toMatchObject({ action: 'client.add', via: 'command line', target: 'shop' });
  expect(found('job.submit')).toMatchObject({ client: 'admin', target: jobId, outcome: 'done' });
  expect(found('job.delete')).toMatchObject({
    client: 'admin',
    target: jobId,
    address: '127.0.0.1',
    requestId: removed.headers.get('x-request-id'),
  });
  expect(found('token.issue', 'shop')).toMatchObject({ outcome: 'refused', code: 'INVALID_CLIENT' });
  expect(all.stdout).not.toContain(shop.clientSecret);
  expect(all.stdout).not.toContain(clientSecret);
  const some = await runCli(['audit', 'export', '--target', jobId, '--action', 'job.delete'], settings);
  expect(
    some.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual([found('job.delete')]);
  const none = await runCli(['audit', 'export', '--to', '2026-01-01'], settings);
  expect(none.stdout).toBe('');
});
