import { callQuota, fairSlots } from '@telecine/contract/domain/call-quota.ts';
import type { Scope } from '@telecine/contract/domain/client.ts';
import type { Failure } from '@telecine/contract/domain/failure.ts';
import type { MediaInfo } from '@telecine/contract/domain/media-info.ts';
import type { ProbePlan } from '@telecine/ffmpeg/probe/plan-probe.ts';
import { expect, onTestFinished, test, vi } from 'vitest';
import { mediaRoot } from '../../../../test/support/media-root.ts';
import type { PathStat } from './ports/media-store.ts';
import { checkProbe, type ProbeDeps, probeFile } from './probe.ts';
import { probeReads } from './probe-cache.ts';

const callerWith = (scopes: readonly Scope[]) => ({
  clientId: 'amy',
  root: { ...mediaRoot('/media'), urls: { check: () => undefined } },
  policy: {},
  scopes,
});

test('a token that only reads lets the service fetch nothing from a URL', async () => {
  const media = { statPaths: async () => [{ kind: 'url' }] } as unknown as ProbeDeps['media'];
  const input = 'https://example.org/a.mp4';
  const check = checkProbe(media, callerWith(['jobs:read', 'files:read']), { input });
  await expect(check).rejects.toMatchObject({
    code: 'INSUFFICIENT_SCOPE',
    scopes: ['jobs:read', 'files:read', 'jobs:write'],
  });
  for (const scope of ['jobs:write', 'admin'] as const)
    expect((await checkProbe(media, callerWith([scope]), { input })).plan.path).toBe(input);
});

test('a file that was fetched for a probe keeps its slot until it is removed', async () => {
  const steps: string[] = [];
  const probing = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const deps = {
    media: {
      statPaths: async () => [{ kind: 'url' }],
      stageFile: async () => Promise.reject(new Error('not reached')),
      stageUrl: async () => {
        steps.push('fetched');
        return {};
      },
      removeInput: async () => void steps.push('removed'),
    },
    prober: async () => {
      probing.resolve();
      await goOn.promise;
      return { ok: true, info: { streams: [] } };
    },
    probeSlots: fairSlots({ slots: 1 }),
    fetchSlots: fairSlots({ slots: 1 }),
    quotas: { ofFiles: (_: string, work: () => unknown) => work(), ofUrls: (_: string, work: () => unknown) => work() },
    probeSeconds: 1,
    reads: probeReads(1),
  } as unknown as ProbeDeps;
  const caller = callerWith(['jobs:write']);
  const probe = () => probeFile(deps, caller, { input: 'https://example.org/a.mp4' }, AbortSignal.timeout(10_000));
  const both = [probe(), probe()];
  await probing.promise;
  expect(steps).toEqual(['fetched']);
  goOn.resolve();
  await Promise.all(both);
  expect(steps).toEqual(['fetched', 'removed', 'fetched', 'removed']);
});

const version = (fingerprint: string): PathStat => ({ kind: 'file', fileId: '1:1', fingerprint });

/** Probes of files, whose version and right to be read the test sets. Files named `copied` are in an object store. */
function harness({ probeSeconds = 60, slots = 1, quota = 10 } = {}) {
  const now = { stat: version('1'), stagedAs: undefined as PathStat | undefined, staging: Promise.resolve() };
  const runs: {
    readonly end: (seconds: number) => void;
    readonly fail: (failure: Failure) => void;
    readonly tooLong: () => void;
    readonly mayBeLate: boolean;
    readonly signal: AbortSignal;
  }[] = [];
  const stagings: string[] = [];
  const reads = probeReads(60);
  const deps = {
    media: {
      statPaths: () => [now.stat],
      isCopied: (path: string) => path.startsWith('copied'),
      stageFile: async (_root: unknown, path: string) => {
        stagings.push(path);
        await now.staging;
        return { sizeBytes: 1, file: now.stagedAs ?? now.stat };
      },
      removeInput: async () => undefined,
    },
    prober: ({ signal, late }: Parameters<ProbeDeps['prober']>[0]) =>
      new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
        const end = (durationSeconds: number) =>
          resolve({ ok: true, info: { format: { names: [], tags: {}, durationSeconds }, streams: [], chapters: [] } });
        const fail = (failure: Failure) => resolve({ ok: false, failure });
        runs.push({ signal, end, fail, mayBeLate: late !== undefined, tooLong: () => late?.onLate() });
      }),
    ...{ reads, probeSeconds, probeSlots: fairSlots({ slots }), copySlots: fairSlots({ slots: 2, perClient: 1 }) },
    openSlots: fairSlots({ slots: 2, perClient: 1 }),
    quotas: { ofFiles: callQuota('probes', { perClient: quota, total: 100 }) },
  } as unknown as ProbeDeps;
  const probe = (clientId = 'amy', signal = AbortSignal.timeout(60_000), input = 'a.mp4') =>
    probeFile(deps, { ...callerWith(['files:read']), clientId }, { input }, signal);
  const nthRun = (count: number) =>
    vi.waitFor(() => {
      const run = runs[count - 1];
      if (run === undefined) throw new Error(`Run ${count} has not begun.`);
      return run;
    });
  return { now, runs, stagings, probe, nthRun, stop: reads.stop };
}

const lasts = async (info: Promise<MediaInfo>): Promise<number | undefined> => (await info).format.durationSeconds;

test('a file is read once while it stays as it is, by all clients that may read it', async () => {
  const { now, runs, probe, nthRun } = harness();
  const both = [probe(), probe()];
  (await nthRun(1)).end(7);
  expect(await Promise.all(both.map(lasts)), 'concurrent calls share a read').toEqual([7, 7]);
  expect(await lasts(probe())).toBe(7);
  expect(await lasts(probe('bob'))).toBe(7);
  expect(runs).toHaveLength(1);
  now.stat = { kind: 'outside' };
  await expect(probe(), 'the right is checked before the cache').rejects.toMatchObject({
    code: 'INVALID_REQUEST',
    errors: [{ code: 'OUTSIDE_ROOT' }],
  });
});

test('a file that was replaced is read again, also if it was replaced during the read', async () => {
  const { now, runs, probe, nthRun } = harness();
  const first = probe();
  (await nthRun(1)).end(7);
  await first;
  now.stat = version('2');
  // The path is stat before it is replaced, and the file is opened after that.
  now.stagedAs = version('3');
  const second = probe();
  (await nthRun(2)).end(8);
  expect(await lasts(second)).toBe(8);
  now.stat = version('3');
  expect(await lasts(probe()), 'the version that was read is known').toBe(8);
  now.stat = version('2');
  now.stagedAs = undefined;
  const third = probe();
  (await nthRun(3)).end(9);
  expect(await lasts(third), 'the version that was only stat is not').toBe(9);
  expect(runs).toHaveLength(3);
});

test('the same file is read once more under an extension with which ffprobe may read it as another format', async () => {
  const { probe, nthRun } = harness();
  const first = probe();
  (await nthRun(1)).end(7);
  await first;
  const other = probe('amy', AbortSignal.timeout(60_000), 'a.mov');
  (await nthRun(2)).end(8);
  expect(await lasts(other)).toBe(8);
});

test('a read that takes too long says when to try again, and the next try finds its result', async () => {
  const { runs, probe, nthRun } = harness();
  const first = probe();
  const run = await nthRun(1);
  run.tooLong();
  await expect(first).rejects.toMatchObject({
    code: 'TIMEOUT',
    retryAfterSeconds: 5,
    errors: [{ field: '/input', message: expect.stringMatching(/^"a\.mp4" is not read yet/) }],
  });
  const second = probe();
  run.end(7);
  expect(await lasts(second)).toBe(7);
  expect(await lasts(probe())).toBe(7);
  expect(runs).toHaveLength(1);
});

test('a read goes on when the request has no more time, and ends when its client hangs up', async () => {
  const { runs, probe, nthRun } = harness();
  const deadline = new AbortController();
  const first = probe('amy', deadline.signal);
  const run = await nthRun(1);
  deadline.abort(new DOMException('No time.', 'TimeoutError'));
  await expect(first).rejects.toMatchObject({ code: 'TIMEOUT', retryAfterSeconds: 5 });
  expect(run.signal.aborted).toBe(false);
  run.end(7);
  expect(await lasts(probe())).toBe(7);
  const gone = new AbortController();
  const other = probe('amy', gone.signal, 'a.mov');
  const abandoned = await nthRun(2);
  gone.abort(new Error('hung up'));
  await expect(other).rejects.toThrow('hung up');
  expect(abandoned.signal.aborted).toBe(true);
  expect(runs).toHaveLength(2);
});

test('a read of an unknown version ends with its request, because no later one could find it', async () => {
  const { now, probe, nthRun } = harness();
  now.stat = { kind: 'missing' };
  const deadline = new AbortController();
  const read = probe('amy', deadline.signal);
  const run = await nthRun(1);
  expect(run.mayBeLate).toBe(false);
  deadline.abort(new DOMException('No time.', 'TimeoutError'));
  await expect(read).rejects.toThrow('No time.');
  expect(run.signal.aborted).toBe(true);
});

test('a late read gives its slot back, so that other files can be read', async () => {
  const { probe, nthRun } = harness({ probeSeconds: 0, slots: 1 });
  const slow = probe();
  const run = await nthRun(1);
  run.tooLong();
  await expect(slow).rejects.toMatchObject({ code: 'TIMEOUT' });
  const other = probe('bob', AbortSignal.timeout(60_000), 'b.mkv');
  (await nthRun(2)).end(8);
  expect(await lasts(other)).toBe(8);
  run.end(7);
});

test('files are read while objects are copied, and one client cannot hold all slots of copies', async () => {
  const { now, stagings, probe, nthRun } = harness({ slots: 1 });
  const copy = Promise.withResolvers<void>();
  now.staging = copy.promise;
  const [first, second] = ['copied-1.mp4', 'copied-2.mp4'].map((path) =>
    probe('amy', AbortSignal.timeout(60_000), path),
  );
  await vi.waitFor(() => expect(stagings).toEqual(['copied-1.mp4']));
  now.staging = Promise.resolve();
  for (const [before, path] of ['b.mkv', 'copied-3.mp4'].entries()) {
    const other = probe('bob', AbortSignal.timeout(60_000), path);
    (await nthRun(before + 1)).end(before + 1);
    expect(await lasts(other), path).toBe(before + 1);
  }
  expect(stagings).toEqual(['copied-1.mp4', 'b.mkv', 'copied-3.mp4']);
  copy.resolve();
  (await nthRun(3)).end(3);
  (await nthRun(4)).end(4);
  expect(await Promise.all([first, second].map((one) => one && lasts(one)))).toEqual([3, 4]);
});

test('a late copy keeps its own slot, and counts no longer in the quota of its client', async () => {
  const { now, stagings, probe, nthRun } = harness({ slots: 1, quota: 2 });
  const copy = Promise.withResolvers<void>();
  now.staging = copy.promise;
  const deadline = new AbortController();
  const slow = probe('amy', deadline.signal, 'copied.mov');
  await vi.waitFor(() => expect(stagings).toEqual(['copied.mov']));
  const queued = probe('amy', AbortSignal.timeout(60_000), 'copied.mkv');
  await expect(probe()).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  deadline.abort(new DOMException('No time.', 'TimeoutError'));
  await expect(slow).rejects.toMatchObject({ code: 'TIMEOUT', retryAfterSeconds: 5 });
  now.staging = Promise.resolve();
  const other = probe();
  (await nthRun(1)).end(8);
  expect(await lasts(other)).toBe(8);
  expect(stagings, 'the second copy waits for the first').toEqual(['copied.mov', 'a.mp4']);
  copy.resolve();
  (await nthRun(2)).end(7);
  (await nthRun(3)).end(9);
  expect(await lasts(queued)).toBe(9);
  expect(await lasts(probe('amy', AbortSignal.timeout(60_000), 'copied.mov'))).toBe(7);
});

test('a mount that hangs keeps no slot of ffprobe and no read after its end, and is not opened once more for each read', async () => {
  const { now, stagings, probe, nthRun, stop } = harness({ slots: 1, probeSeconds: 0 });
  const hangs = Promise.withResolvers<void>();
  now.staging = hangs.promise;
  const deadline = new AbortController();
  const hanging = probe('amy', deadline.signal);
  await vi.waitFor(() => expect(stagings).toEqual(['a.mp4']));
  now.staging = Promise.resolve();
  const other = probe('bob');
  (await nthRun(1)).end(8);
  expect(await lasts(other)).toBe(8);
  deadline.abort(new Error('hung up'));
  await expect(hanging).rejects.toThrow('hung up');
  now.staging = hangs.promise;
  const noTime = new AbortController();
  const late = probe('bob', noTime.signal, 'b.mov');
  await vi.waitFor(() => expect(stagings).toHaveLength(3));
  noTime.abort(new DOMException('No time.', 'TimeoutError'));
  await expect(late).rejects.toMatchObject({ code: 'TIMEOUT', retryAfterSeconds: 5 });
  for (const clientId of ['amy', 'bob', 'carl'])
    await expect(probe(clientId, AbortSignal.timeout(60_000), 'c.mp3'), clientId).rejects.toMatchObject({
      ...{ code: 'UNAVAILABLE', retryAfterSeconds: 5 },
    });
  expect(stagings, 'two calls hang').toHaveLength(3);
  await stop();
  now.staging = Promise.resolve();
  hangs.resolve();
  const next = probe('carl', AbortSignal.timeout(60_000), 'c.mp3');
  (await nthRun(2)).end(9);
  expect(await lasts(next)).toBe(9);
});

test('a file that keeps ffprobe busy is told to the next tries, and read again after a minute', async () => {
  const { now, runs, probe, nthRun } = harness();
  const first = probe();
  const run = await nthRun(1);
  run.tooLong();
  await expect(first).rejects.toMatchObject({ code: 'TIMEOUT', retryAfterSeconds: 5 });
  run.fail({ code: 'TIMEOUT', message: 'ffprobe was busy for 30 s.' });
  for (const _ of [1, 2])
    await expect(probe()).rejects.toMatchObject({
      ...{ code: 'TIMEOUT', message: 'ffprobe was busy for 30 s.', retryAfterSeconds: undefined },
    });
  expect(runs).toHaveLength(1);
  now.stat = version('2');
  const replaced = probe();
  (await nthRun(2)).end(7);
  expect(await lasts(replaced), 'another version is read').toBe(7);
  now.stat = version('1');
  const clock = performance.now.bind(performance);
  const spy = vi.spyOn(performance, 'now').mockImplementation(() => clock() + 61_000);
  onTestFinished(() => spy.mockRestore());
  const later = probe();
  (await nthRun(3)).end(8);
  expect(await lasts(later)).toBe(8);
});

test('a late read that failed because of the machine is tried again at once', async () => {
  const { probe, nthRun } = harness();
  const first = probe();
  const run = await nthRun(1);
  run.tooLong();
  await expect(first).rejects.toMatchObject({ code: 'TIMEOUT' });
  run.fail({ code: 'STORAGE_FAULT', message: 'The storage failed.' });
  await expect(probe()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  const again = probe();
  (await nthRun(2)).end(7);
  expect(await lasts(again)).toBe(7);
});

test('the cache has at most 16 MiB, with the hashes of clips and with long arguments', () => {
  const info: MediaInfo = { format: { names: [], tags: {} }, streams: [], chapters: [] };
  const headers = new Map(Array.from({ length: 200 }, (_, index) => [index, `MD5:${'0'.repeat(500)}`] as const));
  const ofArguments = 'x'.repeat(100_000);
  for (const [answer, argument] of [
    [{ ok: true, info, clip: { packets: [], headers } }, ''],
    [{ ok: true, info }, ofArguments],
  ] as const) {
    const { cache } = probeReads(60);
    const plan = { argv: [argument] } as unknown as ProbePlan;
    const files = Array.from({ length: 200 }, (_, at) => ({ fileId: `1:${at}`, fingerprint: '1' }));
    for (const file of files) cache.keep(file, plan, answer);
    const kept = files.filter((file) => cache.find(file, plan) !== undefined).length;
    expect(kept).toBeGreaterThan(100);
    expect(kept * 100_000).toBeLessThan(16 * 2 ** 20);
  }
});

test('the same file under two paths is read by each, because a symlink may change during the read', async () => {
  const { runs, probe, nthRun } = harness({ slots: 2 });
  const both = [probe(), probe('amy', AbortSignal.timeout(60_000), 'link.mp4')];
  (await nthRun(1)).end(7);
  (await nthRun(2)).end(8);
  expect(await Promise.all(both.map(lasts))).toEqual([7, 8]);
  expect(runs).toHaveLength(2);
});
