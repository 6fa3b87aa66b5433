import type { AuditEvent, AuditRecord } from '@telecine/contract/domain/audit.ts';
import { expect, test } from 'vitest';
import { createAuditLog } from './audit-log.ts';

const SUBMITTED: AuditEvent = { action: 'job.submit', outcome: 'done', via: 'rest', target: 'j' };
const REFUSED: AuditEvent = { action: 'token.issue', outcome: 'refused', via: 'rest', address: '203.0.113.7' };

function logInMemory({ fails = false } = {}) {
  const batches: AuditRecord[][] = [];
  const lost: AuditRecord[] = [];
  const clock = { ms: 0 };
  const log = createAuditLog({
    store: {
      append: async (records) => {
        if (fails) throw new Error('The disk is full.');
        batches.push([...records]);
      },
    },
    onLost: (records) => lost.push(...records),
    monotonic: () => clock.ms,
  });
  return { log, batches, lost, clock, records: () => batches.flat() };
}

test('stores a record before its action is reported', async () => {
  const { log, records } = logInMemory();
  const before = Date.now();
  await log.record({ ...SUBMITTED, action: 'client.revoke', target: 'shop' });
  expect(records()).toMatchObject([{ action: 'client.revoke', target: 'shop' }]);
  expect(Date.parse(records()[0]?.at ?? '')).toBeGreaterThanOrEqual(before);
});

test('stores frequent records together, in their order, and the rest when it closes', async () => {
  const { log, batches, records } = logInMemory();
  for (let i = 0; i < 1200; i += 1) log.note({ ...SUBMITTED, target: String(i) });
  await log.close();
  expect(records().map(({ target }) => target)).toEqual(Array.from({ length: 1200 }, (_, i) => String(i)));
  expect(batches.map(({ length }) => length)).toEqual([500, 500, 200]);
  const ids = records().map(({ auditId }) => auditId);
  expect(ids).toEqual(ids.toSorted());
});

test('stores a record that comes while others are being stored', async () => {
  const { log, records } = logInMemory();
  await Promise.all([log.record(SUBMITTED), log.record(SUBMITTED).then(() => log.record(SUBMITTED))]);
  expect(records()).toHaveLength(3);
});

test('hands over the records that the store rejects, and goes on', async () => {
  const { log, lost } = logInMemory({ fails: true });
  await log.record(SUBMITTED);
  expect(lost).toMatchObject([SUBMITTED]);
});

test('records ten refusals of an address in a minute, then how many it left out', async () => {
  const { log, records, clock } = logInMemory();
  for (let i = 0; i < 25; i += 1) log.note(REFUSED);
  log.note({ ...REFUSED, address: '203.0.113.8' });
  await log.record(SUBMITTED);
  expect(records()).toHaveLength(12);
  clock.ms = 60_000;
  await log.record(REFUSED);
  expect(records().slice(12)).toMatchObject([{ action: 'audit.skip', details: { refusals: 15 } }, REFUSED]);
});

test('records two hundred refusals in a minute, from however many addresses', async () => {
  const { log, records } = logInMemory();
  for (let i = 0; i < 1000; i += 1) log.note({ ...REFUSED, address: `2001:db8::${i.toString(16)}` });
  await log.close();
  expect(records()).toHaveLength(200);
});

test('a record does not wait for those that come after it', async () => {
  const ends: (() => void)[] = [];
  const log = createAuditLog({
    store: { append: () => new Promise((resolve) => ends.push(resolve)) },
    onLost: () => {},
  });
  const recorded = log.record(SUBMITTED);
  // While a record is stored, there is always another one, as with many logins.
  log.note(SUBMITTED);
  ends[0]?.();
  await recorded;
  expect(ends).toHaveLength(2);
  ends[1]?.();
  await log.close();
});
