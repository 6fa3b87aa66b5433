import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { runConversion } from '../../src/ffmpeg/run/run.ts';
import { conversion, planOf, probe, processesWith, scratch } from '../fixtures/conversion.ts';
import { NO_SANDBOX, SANDBOXES } from '../fixtures/sandboxes.ts';
import { needs } from '../support/needs.ts';

/** Reads at playback speed, so that it is still running when it is stopped. */
const slow = (mark: string) =>
  planOf('out/a.mkv', [['-re', '-i', 'in/0.mp4', '-c', 'copy', '-metadata', `comment=${mark}`, 'out/a.mkv']]);

/** Writes two seconds of video, then evaluates an endless expression that ignores SIGTERM. */
const hang = (mark: string) =>
  planOf('out/a.mkv', [
    [
      ...['-i', 'in/0.mp4', '-vf', "select='if(gte(n,48),while(1,1),1)'", '-an', '-c:v', 'mpeg4'],
      ...['-metadata', `comment=${mark}`, 'out/a.mkv'],
    ],
  ]);

describe.each(SANDBOXES)('$kind', ({ sandbox, test }) => {
  test('after a cancel ffmpeg closes its file, which plays', async () => {
    const dir = await scratch();
    const mark = randomUUID();
    const cancel = new AbortController();
    const outcome = await runConversion(
      conversion(sandbox, dir, slow(mark), { signal: cancel.signal, onProgress: () => cancel.abort() }),
    );
    expect(outcome).toMatchObject({
      ok: false,
      failure: { code: 'CANCELLED' },
      log: expect.stringContaining('Exiting normally, received signal 15.'),
    });
    expect(Number(probe(join(dir, 'out/a.mkv')).streams[0]?.nb_read_packets)).toBeGreaterThan(0);
    expect(processesWith(mark)).toEqual([]);
  });

  test('a cancel before the start prevents the start', async () => {
    let started = false;
    const outcome = await runConversion(
      conversion(sandbox, await scratch(), slow('x'), {
        signal: AbortSignal.abort('drain'),
        onStart: () => {
          started = true;
        },
      }),
    );
    expect(outcome).toMatchObject({ ok: false, failure: { code: 'CANCELLED' } });
    expect(started).toBe(false);
  });

  test('a cancel during the start leaves no process behind', async () => {
    const mark = randomUUID();
    const cancel = new AbortController();
    const outcome = await runConversion(
      conversion(sandbox, await scratch(), slow(mark), { signal: cancel.signal, onStart: () => cancel.abort() }),
    );
    expect(outcome).toMatchObject({ ok: false, failure: { code: 'CANCELLED' } });
    expect(processesWith(mark)).toEqual([]);
  });

  test('an endless expression that ignores SIGTERM is detected as a stall and killed', async () => {
    const mark = randomUUID();
    const outcome = await runConversion(
      conversion(sandbox, await scratch(), hang(mark), { stallSeconds: 1, graceSeconds: 0.3 }),
    );
    expect(outcome).toMatchObject({ ok: false, failure: { code: 'STALLED', fix: expect.any(String) } });
    expect(processesWith(mark)).toEqual([]);
  });

  test('an option that hangs before any output is killed at once', async () => {
    const mark = randomUUID();
    const argv = ['-i', 'in/0.mp4', '-c:v', 'mpeg4', '-g', 'while(1,1)', '-metadata', `comment=${mark}`, 'out/a.mp4'];
    const outcome = await runConversion(
      conversion(sandbox, await scratch(), planOf('out/a.mp4', [argv]), { stallSeconds: 1 }),
    );
    expect(outcome).toMatchObject({ ok: false, failure: { code: 'STALLED' } });
    expect(processesWith(mark)).toEqual([]);
  });

  test('a conversion that only reads for a long time is not a stall', async () => {
    const argv = ['-re', '-i', 'in/0.mp4', '-ss', '3', '-t', '0.1', '-an', '-c:v', 'mpeg4', 'out/a.mp4'];
    const outcome = await runConversion(
      conversion(sandbox, await scratch(), planOf('out/a.mp4', [argv]), { stallSeconds: 2 }),
    );
    expect(outcome).toMatchObject({ ok: true });
  });

  test('a conversion over its time limit ends with TIMEOUT', async () => {
    const mark = randomUUID();
    const outcome = await runConversion(conversion(sandbox, await scratch(), slow(mark), { timeoutSeconds: 1 }));
    expect(outcome).toMatchObject({ ok: false, failure: { code: 'TIMEOUT', fix: expect.any(String) } });
    expect(processesWith(mark)).toEqual([]);
  });
});

needs('ffmpeg')('the first cause wins', async () => {
  const mark = randomUUID();
  const cancel = new AbortController();
  const outcome = await runConversion(
    conversion(NO_SANDBOX, await scratch(), slow(mark), {
      timeoutSeconds: 1,
      graceSeconds: 2,
      signal: cancel.signal,
      onProgress: () => {
        // A stopped process ignores SIGTERM too, and uses no processor time.
        for (const pid of processesWith(mark)) process.kill(pid, 'SIGSTOP');
        setTimeout(() => cancel.abort(), 1500);
      },
    }),
  );
  expect(outcome).toMatchObject({ ok: false, failure: { code: 'TIMEOUT' } });
});
