import { setImmediate } from 'node:timers/promises';
import { v7 as uuid } from 'uuid';
import { describe, expect, test } from 'vitest';
import type { AuditRecord } from '../../packages/contract/src/domain/audit.ts';
import { timeOfId } from '../../packages/contract/src/domain/id-order.ts';
import { insertJobs } from '../../packages/service/src/jobs/submit/insert-jobs.ts';
import { newJobId } from '../../packages/service/src/jobs/submit/new-job-id.ts';
import type { Store } from '../../packages/service/src/store/store.ts';
import { dbOf } from '../../packages/service/src/store/transaction/database.ts';
import { type Engine, jobToInsert, submitMany } from './engine.ts';

const HOUR_MS = 3_600_000;
const START = Date.parse('2026-11-20T10:00:00.000Z');

const recordAt = (msecs: number, change: Partial<AuditRecord> = {}): AuditRecord => {
  const auditId = uuid({ msecs });
  return { auditId, at: timeOfId(auditId), action: 'job.submit', outcome: 'done', via: 'rest', ...change };
};

/** One record an hour. */
const hourly = (count: number): readonly AuditRecord[] =>
  Array.from({ length: count }, (_, i) => recordAt(START + i * HOUR_MS, { target: String(i) }));

/** Ids of one millisecond have no order among several generators. */
async function nextMillisecond(): Promise<void> {
  for (const now = Date.now(); Date.now() === now; ) await setImmediate();
}

export function auditContract(engine: Engine): void {
  describe(`audit log on ${engine.name}`, () => {
    test('stores a record unchanged', async () => {
      const { audit } = await engine.openStore();
      const full = recordAt(START, {
        action: 'client.change',
        outcome: 'refused',
        clientId: 'amy',
        target: 'bob',
        address: '203.0.113.7',
        requestId: 'r-1',
        code: 'INSUFFICIENT_SCOPE',
        details: { scopes: ['jobs:read'] },
      });
      const bare = recordAt(START + 1);
      await audit.append([full, bare]);
      expect(await audit.list({ order: 'oldest', limit: 10 })).toEqual({ records: [full, bare] });
    });

    test('pages through the records in both orders', async () => {
      const { audit } = await engine.openStore();
      const all = hourly(7);
      await audit.append(all);
      for (const [order, expected] of [
        ['oldest', all],
        ['newest', all.toReversed()],
      ] as const) {
        const read: AuditRecord[] = [];
        let after: string | undefined;
        do {
          const page = await audit.list({ order, limit: 3, ...(after !== undefined && { after }) });
          read.push(...page.records);
          after = page.next;
        } while (after !== undefined);
        expect(read).toEqual(expected);
      }
    });

    test('finds records by client, action, target, outcome and time', async () => {
      const { audit } = await engine.openStore();
      const all = [
        recordAt(START, { clientId: 'amy', target: 'j1', action: 'job.delete' }),
        recordAt(START + HOUR_MS, { clientId: 'bob', target: 'j1', action: 'job.cancel' }),
        recordAt(START + 2 * HOUR_MS, { clientId: 'bob', outcome: 'refused' }),
      ];
      await audit.append(all);
      const find = async (query: object) =>
        (await audit.list({ order: 'oldest', limit: 10, ...query })).records.map((record) =>
          all.findIndex(({ auditId }) => auditId === record.auditId),
        );
      expect(await find({ clientId: 'bob' })).toEqual([1, 2]);
      expect(await find({ action: 'job.cancel' })).toEqual([1]);
      expect(await find({ target: 'j1', clientId: 'amy' })).toEqual([0]);
      expect(await find({ outcome: 'refused' })).toEqual([2]);
      expect(await find({ clientId: 'nobody' })).toEqual([]);
      const second = new Date(START + HOUR_MS).toISOString();
      expect(await find({ from: second })).toEqual([1, 2]);
      expect(await find({ to: second })).toEqual([0]);
    });

    test('a page looks at a bounded number of records, and says where the next one begins', async () => {
      const { audit } = await engine.openStore();
      const rare = recordAt(START, { clientId: 'rare' });
      await audit.append([rare]);
      for (let i = 0; i < 21; i += 1)
        await audit.append(Array.from({ length: 500 }, (_, k) => recordAt(START + HOUR_MS + i * 500 + k)));
      const first = await audit.list({ order: 'newest', limit: 10, clientId: 'rare' });
      expect(first.records).toEqual([]);
      const second = await audit.list({ order: 'newest', limit: 10, clientId: 'rare', after: first.next ?? '' });
      expect(second).toEqual({ records: [rare] });
    });

    test('shows submissions among the records, also of jobs that were deleted since', async () => {
      const world = await engine.open();
      const { audit, transactions } = world.store;
      const ids = await submitMany(world, 'amy', 3);
      await nextMillisecond();
      const cancelled = recordAt(Date.now(), { action: 'job.cancel', clientId: 'bob', target: ids[1] ?? '' });
      await audit.append([cancelled]);
      await nextMillisecond();
      const later = await submitMany(world, 'amy', 3);
      const read = async (query: object = {}) => {
        const shown: string[] = [];
        let after: string | undefined;
        do {
          const page = await audit.list({ order: 'oldest', limit: 2, ...query, ...(after !== undefined && { after }) });
          shown.push(...page.records.map(({ action, clientId, target }) => `${action} ${clientId} ${target}`));
          after = page.next;
        } while (after !== undefined);
        return shown;
      };
      const submissions = (of: readonly string[]) => of.map((id) => `job.submit amy ${id}`);
      const all = [...submissions(ids), `job.cancel bob ${ids[1]}`, ...submissions(later)];
      expect(await read()).toEqual(all);
      expect(await read({ order: 'newest' })).toEqual(all.toReversed());
      expect(await read({ target: ids[1] })).toEqual([`job.submit amy ${ids[1]}`, `job.cancel bob ${ids[1]}`]);
      expect(await read({ action: 'job.submit', clientId: 'amy' })).toEqual(submissions([...ids, ...later]));
      expect(await read({ clientId: 'bob' })).toEqual([`job.cancel bob ${ids[1]}`]);
      expect(await read({ outcome: 'refused' })).toEqual([]);
      // People know a job by its output. A deleted job has none any more.
      const output = (await world.store.jobs.get(ids[0] ?? ''))?.request.output;
      expect(output).toEqual(expect.any(String));
      const [first] = (await audit.list({ order: 'oldest', limit: 1, target: ids[0] ?? '' })).records;
      expect(first?.details).toEqual({ output });
      await transactions.run((tx) => dbOf(tx).deleteFrom('jobs').execute());
      expect(await read()).toEqual(all);
    });

    test('a job that another client runs again is of this client, and names the client of the job, also once it is deleted', async () => {
      const { store, queue } = await engine.open();
      const { audit, transactions } = store;
      const retryOf = newJobId();
      const [byOther, byItself] = [
        jobToInsert('amy', { retryOf, submittedBy: 'root' }),
        jobToInsert('amy', { retryOf }),
      ];
      const deps = { ...store, queue, now: () => new Date(START) };
      await transactions.run((tx) => insertJobs(deps, tx, [byOther, byItself]));
      const read = async (query: object = {}) =>
        (await audit.list({ order: 'oldest', limit: 10, ...query })).records.map(
          ({ action, clientId, target, details: { output: _, ...details } = {} }) => ({
            ...{ action, clientId, target, details },
          }),
        );
      const action = 'job.retry';
      const records = [
        { action, clientId: 'root', target: byOther.jobId, details: { retryOf, client: 'amy' } },
        { action, clientId: 'amy', target: byItself.jobId, details: { retryOf } },
      ];
      expect(await read()).toEqual(records);
      expect(await read({ clientId: 'root' })).toEqual(records.slice(0, 1));
      expect(await read({ clientId: 'amy' })).toEqual(records.slice(1));
      await transactions.run((tx) => dbOf(tx).deleteFrom('jobs').execute());
      expect(await read()).toEqual(records);
      expect(await read({ clientId: 'root' })).toEqual(records.slice(0, 1));
    });

    test('records can be neither changed nor deleted', async () => {
      const store = (await engine.openStore()) as Store;
      const all = hourly(2);
      await store.audit.append(all);
      await expect(
        store.transactions.run((tx) => dbOf(tx).updateTable('audit').set({ target: 'other' }).execute()),
      ).rejects.toThrow();
      await expect(store.transactions.run((tx) => dbOf(tx).deleteFrom('audit').execute())).rejects.toThrow();
      expect(await store.audit.list({ order: 'oldest', limit: 10 })).toEqual({ records: all });
    });

    test('forgets old records, and keeps the rest', async () => {
      const store = (await engine.openStore()) as Store;
      const all = hourly(5);
      await store.audit.append(all);
      expect(await store.audit.forgetBefore(new Date(START + 2 * HOUR_MS).toISOString())).toBe(2);
      expect((await store.audit.list({ order: 'oldest', limit: 10 })).records).toEqual(all.slice(2));
      expect(await store.audit.forgetBefore(new Date(START).toISOString()), 'the clock was set back').toBe(0);
      await expect(store.transactions.run((tx) => dbOf(tx).deleteFrom('audit').execute())).rejects.toThrow();
    });
  });
}
