import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { ORDINARY } from '../../packages/contract/src/domain/lane.ts';
import { JOB_STATUSES } from '../../packages/contract/src/domain/states.ts';
import type { Watch } from '../../packages/contract/src/domain/watch.ts';
import { AT, mustClaim, submitMany, submitOne, take, type World } from '../contracts/engine.ts';
import { sqlite } from '../contracts/sqlite.ts';
import { at } from '../fixtures/media-plans.ts';

/**
 * Scans that are allowed: of an index with only running jobs, first tickets or unfinished deliveries, and of the few rows of a page. The cost
 * of all other scans, and of any sort, grows with the number of jobs.
 */
const BOUNDED =
  /^SCAN (CONSTANT ROW|\d+ CONSTANT ROWS|installation|\d+-ROW VALUES CLAUSE|page|pending|receivers|counted|clients|queues|tickets USING (COVERING )?INDEX tickets_out|jobs USING INDEX jobs_publishing|watches USING INDEX watches_running|webhook_deliveries USING (COVERING )?INDEX webhook_deliveries_(due|pending))$/;

const UPLOAD = {
  ...{ path: at('a.mov'), sizeBytes: 1, offsetBytes: 0 },
  ...{ metadata: '', precondition: '{}', data: '', isPublished: false },
};

const METADATA = { order: '7', shop: 'north' };

/** Runs `act` and returns those steps of its queries whose cost grows with the tables, each with its query. */
async function findGrowingSteps(act: (world: World) => Promise<unknown>): Promise<string[]> {
  const found = await stepsOf(TABLES, act);
  return found
    .filter(({ detail }) => /^(SCAN|USE TEMP)/.test(detail) && !BOUNDED.test(detail))
    .map(({ detail, text }) => `${detail}: ${text}`);
}

/** Tables of which each installation has more with every job. */
const TABLES =
  /"(jobs|deleted_jobs|job_logs|job_outputs|job_metadata|job_texts|job_dependencies|batches|tickets|idempotency_keys|webhook_\w+|storage_use|client_storage|pending_files|resumable_uploads|watch\w+)"/;

/** Runs `act` and returns the steps of its queries of these tables. */
async function stepsOf(
  tables: RegExp,
  act: (world: World) => Promise<unknown>,
): Promise<readonly { readonly detail: string; readonly text: string }[]> {
  const prepare = vi.spyOn(DatabaseSync.prototype, 'prepare');
  const world = await sqlite.open();
  await act(world);
  const texts = new Set(prepare.mock.calls.map(([text]) => text).filter((text) => text.includes(' "')));
  prepare.mockRestore();
  const found: { readonly detail: string; readonly text: string }[] = [];
  for (const text of texts) {
    if (!tables.test(text) || /^(create|alter)/.test(text)) continue;
    const { rows } = await sql
      .raw<{ detail: string }>(`explain query plan ${text.replaceAll('?', 'null')}`)
      .execute(world.store.database.reader);
    for (const { detail } of rows) found.push({ detail, text });
  }
  return found;
}

test('the links of a file, of a job and of a client are found by an index, however many links there are', async () => {
  const find = async (query: Partial<Parameters<World['store']['shares']['list']>[0]>): Promise<readonly string[]> =>
    (await stepsOf(/"shares"/, ({ store }) => store.shares.list({ hasEnded: true, limit: 5, ...query }))).map(
      ({ detail }) => detail,
    );
  const files = { clientId: 'amy', paths: ['a.mp4'] };
  const ofPath = 'SEARCH shares USING INDEX shares_of_path (client_id=? AND path=?)';
  const ofJob = 'SEARCH shares USING INDEX shares_of_job (job_id=?)';
  expect(await find({ clientId: 'amy' })).toEqual(['SEARCH shares USING INDEX shares_of_client (client_id=?)']);
  for (const page of [{}, { hasEnded: false }]) {
    expect(await find({ ...page, clientId: 'amy', of: { files } })).toEqual([ofPath]);
    expect(await find({ ...page, of: { jobId: 'j' } })).toEqual([ofJob]);
    expect(await find({ ...page, clientId: 'amy', of: { jobId: 'j', files } })).toEqual([ofJob, ofPath]);
  }
});

test('submitting, claiming, running and ending a job cost the same however many jobs there are', async () => {
  const found = await findGrowingSteps(async (world) => {
    const { store, queue } = world;
    await submitMany(world, 'amy', 3);
    await store.transactions.run((tx) =>
      store.idempotency.insert(tx, { clientId: 'amy', key: 'k', bodyHash: 'h', jobId: 'j', at: AT }, AT),
    );
    const [delivery] = await take(world, 1, 1);
    await take(world, 1, 1);
    if (delivery === undefined) throw new Error('Nothing was handed out.');
    const claim = await mustClaim(world, delivery.jobId);
    await store.jobs.progress(claim, { phase: 'CONVERTING', log: 'x' });
    await store.jobs.recordIntent(claim, { scratch: 's', outputs: [], engine: 'test', version: 1, data: {} });
    await queue.renewLease(delivery);
    await store.transactions.run((tx) => queue.requeue(tx, delivery, 0.001));
    const [again] = await take(world, 1, 1);
    if (again === undefined) throw new Error('It did not come back.');
    await store.transactions.run(async (tx) => {
      await queue.remove(tx, again);
      await store.jobs.end(tx, claim, { status: 'COMPLETED', outputs: [] }, AT, 'x');
    });
    await queue.releaseAll?.();
    const waiting = await submitOne(world);
    const ticket = await store.jobs.ticketOf(waiting);
    if (ticket === undefined) throw new Error('It has no ticket.');
    await store.transactions.run(async (tx) => queue.withdraw(tx, [ticket]));
  });
  expect(found).toEqual([]);
});

test('reading, listing, counting, cancelling and deleting jobs cost the same however many there are', async () => {
  const found = await findGrowingSteps(async (world) => {
    const { store } = world;
    const jobId = await submitOne(world, 'amy', ORDINARY, METADATA);
    await store.jobs.get(jobId);
    await store.jobs.getMany([jobId, 'other']);
    await store.jobs.log(jobId);
    await store.jobs.outputsNear(jobId, 'hls/1.ts');
    for (const status of [undefined, ...JOB_STATUSES]) {
      const page = { limit: 5, before: jobId, ...(status && { status }) };
      await store.jobs.list(page);
      await store.jobs.list({ ...page, clientId: 'amy' });
    }
    await store.jobs.search({ limit: 5, before: jobId, metadata: METADATA });
    await store.jobs.search({ limit: 5, clientId: 'amy', status: 'PENDING', metadata: METADATA });
    await store.jobs.search({ limit: 5, before: jobId, words: ['mov', 'amy'] });
    await store.jobs.search({ limit: 5, clientId: 'amy', status: 'PENDING', words: ['mov'], metadata: METADATA });
    await store.jobs.search({ limit: 5, clientId: 'amy', words: ['mov'] });
    await store.jobs.countPending('amy', 5);
    await store.jobs.countPending(undefined, 5);
    await store.jobs.liveScratch(false);
    await store.transactions.run(async (tx) => {
      await store.jobs.requestCancel(tx, [jobId], AT);
      await store.jobs.endPending(tx, [jobId], 'CANCELLED', { code: 'CANCELLED', message: '' }, AT);
      await store.jobs.remove(tx, jobId);
    });
    await store.idempotency.find('amy', 'k', AT);
    await store.idempotency.deleteBefore(AT);
    const ended = await submitOne(world);
    await store.transactions.run((tx) =>
      store.jobs.endPending(tx, [ended], 'CANCELLED', { code: 'CANCELLED', message: '' }, '2026-01-01T00:00:00.000Z'),
    );
    expect(await store.jobs.removeFinishedBefore(AT)).toBe(1);
  });
  expect(found).toEqual([]);
});

test('the queue is counted in the order of an index, so that nothing is sorted', async () => {
  const found = await findGrowingSteps(async ({ store }) => {
    await store.jobs.queueDepths();
    await store.jobs.queueDepthsOfClients();
  });
  expect(found).toEqual([]);
});

test('waiting for jobs, and their ends, cost the same however many jobs there are', async () => {
  const found = await findGrowingSteps(async (world) => {
    const { dependencies, transactions } = world.store;
    const [parent = '', other = '', child = ''] = await submitMany(world, 'amy', 3);
    await transactions.run(async (tx) => {
      await dependencies.lockParents(tx, [parent, other]);
      await dependencies.countDependents(tx, [parent, other]);
      await dependencies.add(tx, [
        { jobId: child, parentId: parent },
        { jobId: child, parentId: other },
        { jobId: other, parentId: parent },
      ]);
      await dependencies.removeParent(tx, parent, 1);
      await dependencies.release(tx, child, AT);
      await dependencies.removeJobs(tx, [child]);
    });
    await dependencies.dependentsOf([parent], 5);
    await dependencies.parents(parent, 5);
  });
  expect(found).toEqual([]);
});

test('sending webhooks costs the same however many deliveries there are', async () => {
  const found = await findGrowingSteps(async ({ store }) => {
    const { webhookEndpoints, webhookOutbox: outbox, transactions } = store;
    const endpoint = { webhookId: 'w', clientId: 'amy', url: 'https://example.org', createdAt: AT };
    await webhookEndpoints.add(endpoint, 'whsec_b25l', 20);
    const message = { messageId: 'm', clientId: 'amy', event: 'job.failed', payload: '{}', createdAt: AT } as const;
    const delivery = { deliveryId: 'd', createdAt: AT, receiver: { webhookId: 'w' } };
    await transactions.run(async (tx) => {
      await outbox.endedJob(tx, { jobId: 'j', clientId: 'amy' });
      await outbox.endedBatch(tx, 'b', false);
      await outbox.endedBatch(tx, 'b', true);
      await outbox.insert(tx, message, [delivery]);
      const ofBob = { ...message, messageId: 'n', clientId: 'bob' };
      await outbox.insert(tx, ofBob, [{ ...delivery, deliveryId: 'f' }], { unfinished: 0, unsent: 5 });
    });
    const [receiver] = await outbox.receiversAfter('', 5);
    const [claimed] = await outbox.claim(receiver?.name ?? '', 5, 60);
    if (claimed === undefined) throw new Error('Nothing was claimed.');
    const attempt = { at: AT, seconds: 1, status: 503 };
    await outbox.storeOutcome(claimed, { state: 'PENDING', attempt, afterSeconds: 0 }, 9);
    await outbox.makeDue('d');
    await outbox.releaseAll();
    await outbox.ofJob('j', { limit: 5 });
    await outbox.ofBatch('b', { limit: 5, before: 'd', state: 'FAILED' });
    await outbox.ofEndpoint('w', { limit: 5 });
    await webhookEndpoints.change('amy', 'w', { isEnabled: false }, AT);
    await outbox.replay('d', { deliveryId: 'e', createdAt: AT });
    await outbox.backlog();
    await outbox.removeEndedBefore(AT);
    await webhookEndpoints.remove('amy', 'w');
  });
  expect(found).toEqual([]);
});

test('the ledger of watches costs the same however many files and watches there are', async () => {
  const found = await findGrowingSteps(async (world) => {
    const { watches, watchLedger: ledger, transactions, jobs } = world.store;
    const file = { path: at('in/a.mov'), version: 'v', bytes: 1, fileKey: 'k', state: 'READY' } as const;
    const row = { watchId: 'w', ...file };
    const watch: Watch = {
      ...{ watchId: 'w', clientId: 'amy', state: 'ACTIVE', createdAt: AT, changedAt: AT },
      ...{ folder: 'in/', subfolders: true, request: { output: 'out/{name}.mp4' }, source: 'keep', changed: 'ignore' },
      ...{ existing: 'convert', settleSeconds: 1, maxUnfinished: 9 },
    };
    await watches.add(watch, 5);
    await watches.get('w');
    await watches.list({ isRunning: true });
    await watches.list({ clientId: 'amy' });
    await watches.update('w', (one) => ({ ...one, name: 'Other', waitingFor: 'slots' }), false);
    const ofUnknown = { watchId: 'w', path: at('in/c.mov'), version: 'u', state: 'READY' } as const;
    const changed = [{ row: ofUnknown, change: { path: at('in/d.mov'), version: 'v' } }];
    await ledger.record('w', { added: [file], changed }, AT);
    await ledger.list('w', { limit: 5 });
    await ledger.list('w', { limit: 5, after: 'in/', state: 'READY' });
    await ledger.find('w', [file.path]);
    await ledger.findByKey('w', ['k']);
    await ledger.madeFiles('amy', [file]);
    await ledger.due('w', AT, 5);
    await ledger.count('w', 'SUBMITTED');
    await ledger.sourcesToSettle({ watchId: 'w' }, AT, 5);
    await ledger.sourcesToSettle({ watchId: 'w', sourceSince: AT }, AT, 5);
    const jobId = await submitOne(world);
    await transactions.run(async (tx) => {
      await ledger.submit(tx, 'amy', { ...row, jobId, outputs: ['out/a.mp4'], origins: ['w'] }, AT);
      await ledger.jobEnded(tx, { jobId, clientId: 'amy', status: 'COMPLETED', at: AT, outputs: [] }, () => ({
        state: 'CONVERTED',
      }));
    });
    await ledger.fileOf('w', jobId, file.path);
    await ledger.update(row, { state: 'SKIPPED', skipReason: 'GONE', dueAt: null });
    await ledger.retry('w', undefined, AT);
    await ledger.retry('w', [file.path], AT);
    await ledger.removeUnseen('w', AT);
    await jobs.list({ limit: 5, watchId: 'w' });
    await jobs.list({ limit: 5, watchId: 'w', status: 'FAILED', before: jobId });
    await watches.remove('w');
  });
  expect(found).toEqual([]);
});

test('reading and forgetting batches cost the same however many there are', async () => {
  const found = await findGrowingSteps(async ({ store: { batches } }) => {
    await batches.list({ limit: 5 });
    await batches.list({ clientId: 'amy', limit: 5, before: 'c' });
    await batches.get('b');
    await batches.statesOf('b');
    await batches.membersOf('b');
    await batches.removeEmptyBefore(AT);
  });
  expect(found).toEqual([]);
});

test('reading and forgetting changes cost the same however many jobs there are', async () => {
  const found = await findGrowingSteps(async ({ store: { changeLog } }) => {
    await changeLog.after({ number: 1, jobId: 'a' }, 5);
    await changeLog.unread({ number: 2, jobId: 'a', open: [{ number: 1, jobId: 'a' }] }, 5);
    await changeLog.last();
    await changeLog.isKnownSince(1);
    await changeLog.of('a');
    await changeLog.ofAll(['a', 'b']);
    await changeLog.forgetDeletedBefore(AT);
  });
  expect(found).toEqual([]);
});

test('counting files and resumable uploads costs the same however many there are', async () => {
  const found = await findGrowingSteps(async ({ store: { storedFiles, resumableUploads: uploads } }) => {
    await storedFiles.add('amy', { files: 1 });
    await storedFiles.used('amy');
    await storedFiles.reserve('amy', 'c', 1, 99);
    await storedFiles.settle('amy', 'c', 1);
    const limits = { maxOpen: 5, maxPublished: 2, maxStoredBytes: 99 };
    await uploads.add({ ...UPLOAD, uploadId: 'u', clientId: 'amy' }, 'hers', 60, limits);
    await uploads.find('amy', 'u');
    await uploads.claim('amy', 'u', 'hers', 60);
    await uploads.grow('amy', 'u', 1, 99);
    await uploads.save('u', 'hers', { offsetBytes: 1 }, 60);
    await uploads.publish('amy', 'u', 'hers', { precondition: '{}', change: { files: 1 } }, 60);
    await uploads.removePublished(5);
    await uploads.expired(5);
    await uploads.recorded(['u']);
    await uploads.remove('u');
  });
  expect(found).toEqual([]);
});
