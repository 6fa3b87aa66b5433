import { expect, test } from 'vitest';
import {
  type AuditRecord,
  actionText,
  actorOf,
  detailsText,
  nameOfTarget,
  namesOfTargets,
  watchOf,
} from './audit-texts.ts';

const record = (change: Partial<AuditRecord>): AuditRecord => ({
  auditId: '0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e12',
  at: '2026-01-31T10:00:00.000Z',
  action: 'job.submit',
  outcome: 'done',
  ...change,
});

test('a job is known by its output and a watch by its folder, which the details do not repeat', () => {
  const job = record({ target: 'j', details: { output: 'web/a.mp4', watchId: 'w' } });
  expect(nameOfTarget(job)).toBe('web/a.mp4');
  expect(watchOf(job)).toBe('w');
  expect(detailsText(job)).toBe('');
  const watch = record({ action: 'watch.create', target: 'w', via: 'rest', details: { folder: 'in/' } });
  expect(nameOfTarget(watch)).toBe('in/');
  expect(detailsText(watch)).toBe('');
  expect(namesOfTargets([job, record({ action: 'job.cancel', target: 'j' }), watch])).toEqual(
    new Map([
      ['j', 'web/a.mp4'],
      ['w', 'in/'],
    ]),
  );
});

test('details and the way of a record are in words', () => {
  expect(
    detailsText(
      record({ action: 'client.change', via: 'rest', address: '::1', details: { graceHours: 2, scopes: ['a', 'b'] } }),
    ),
  ).toBe('Grace hours: 2, scopes: a, b. From ::1');
  expect(detailsText(record({ via: 'mcp', address: '::1' }))).toBe('Via MCP from ::1');
});

test('a record without a client says who acted', () => {
  expect(actorOf(record({ client: 'shop', via: 'rest' }))).toBe('shop');
  expect(actorOf(record({ via: 'command line' }))).toBe('the command line');
  expect(actorOf(record({ via: 'service' }))).toBe('the service');
});

test('a way that is also who did it is said once', () => {
  expect(detailsText(record({ action: 'client.add', via: 'service' }))).toBe('');
  expect(detailsText(record({ action: 'client.add', client: 'shop', via: 'service' }))).toBe('Via the service');
});

test('a link that ends by itself says what it is for and when it ends, and is not a shared one', () => {
  const expiresAt = '2026-01-31T10:15:00.000Z';
  const played = record({ action: 'link.create', target: 'j', details: { expiresAt } });
  expect(actionText(played)).toBe('Output link created');
  expect(detailsText(played)).toMatch(/^Expires at: .*2026/);
  expect(actionText(record({ action: 'link.create', outcome: 'failed' }))).toBe('Temporary link created');
  expect(actionText(record({ action: 'share.create', target: 'j' }))).toBe('Shared link created');
});

test('a job that an administrator runs again says for whom, once', () => {
  const retried = record({
    action: 'job.retry',
    client: 'admin',
    target: 'j',
    details: { retryOf: 'f', client: 'shop' },
  });
  expect(actionText(retried)).toBe('Job run again for shop');
  expect(detailsText(retried)).toBe('Retry of: f');
  expect(actionText(record({ action: 'job.retry', details: { retryOf: 'f' } }))).toBe('Job run again');
});

test('the name of a request for a token is right for each outcome', () => {
  for (const outcome of ['done', 'refused', 'failed'] as const)
    expect(actionText(record({ action: 'token.issue', outcome }))).toBe('Token request');
});
