import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ORDINARY } from '../../packages/contract/src/domain/lane.ts';
import { parseMediaPath } from '../../packages/contract/src/domain/media-path.ts';
import { jobInsertion } from '../../packages/service/src/jobs/submit/insert-jobs.ts';
import { type SubmitDeps, submitJob } from '../../packages/service/src/jobs/submit/submit.ts';
import { ticketQueue } from '../../packages/service/src/queue/tickets.ts';
import { openSqlite } from '../../packages/service/src/store/sqlite/open.ts';
import type { Store } from '../../packages/service/src/store/store.ts';
import { mediaRoot } from '../support/media-root.ts';

const caller = { clientId: 'c', scopes: [], root: mediaRoot('/media'), policy: {} } as const;
const request = { input: 'a.mp4', output: 'b.mp4' };
const idempotency = { key: 'k', bodyHash: 'h' };
const START = Date.parse('2026-01-01T00:00:00Z');

let folder: string;
let store: Store;
let now: number;
let deps: SubmitDeps;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'telecine-idempotency-'));
  store = await openSqlite(join(folder, 'telecine.db'));
  now = START;
  const output = parseMediaPath(request.output, caller.root.pathPrefix);
  if (typeof output !== 'string') throw new Error(output.message);
  deps = {
    ...jobInsertion({ ...store, queue: ticketQueue(store.database), now: () => new Date(now) }),
    idempotency: store.idempotency,
    usage: store.usage,
    stored: store.storedFiles,
    jobs: store.jobs,
    planner: async () => ({
      ok: true,
      plan: {
        inputs: [],
        outputs: [{ field: '/output', path: output, replace: false }],
        warnings: [],
        requirements: ORDINARY,
      },
    }),
    media: { statPaths: async () => [] },
    now: () => new Date(now),
    changes: { publish: () => {} },
  };
});

afterEach(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

const at = (seconds: number) => {
  now = START + seconds * 1000;
  return submitJob(deps, caller, request, { idempotency });
};

test('a key returns its job for 24 hours, and starts a new job after that', async () => {
  const { jobId } = await at(0);
  expect((await at(24 * 3600 - 1)).jobId).toBe(jobId);
  const later = await at(24 * 3600 + 1);
  expect(later.jobId).not.toBe(jobId);
  expect((await at(48 * 3600)).jobId).toBe(later.jobId);
});

test('a key of another request is a conflict for 24 hours, and not after that', async () => {
  await at(0);
  now = START + 23 * 3600 * 1000;
  const other = { key: 'k', bodyHash: 'other' };
  await expect(submitJob(deps, caller, request, { idempotency: other })).rejects.toMatchObject({
    code: 'IDEMPOTENCY_CONFLICT',
  });
  now = START + 25 * 3600 * 1000;
  await submitJob(deps, caller, request, { idempotency: other });
});
