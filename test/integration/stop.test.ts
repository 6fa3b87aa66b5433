import { randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect } from 'vitest';
import { runConversion } from '../../packages/ffmpeg/src/run/run.ts';
import { conversion, planOf, probePackets, processesWith, scratch } from '../fixtures/conversion.ts';
import { BUBBLEWRAP, NO_SANDBOX, SANDBOXES } from '../fixtures/sandboxes.ts';
import { needs } from '../support/needs.ts';
import { waitUntil } from '../support/wait.ts';

/** Reads at playback speed, so that it is still running when it is stopped. */
const slow = (mark: string) =>
  planOf('out/a.mkv', [['-re', '-i', 'in/0.mp4', '-c', 'copy', '-metadata', `comment=${mark}`, 'out/a.mkv']]);

/** Since release 7, ffmpeg reports progress before it has an output that it could close. */
const hasBegunOutput = (log: string): boolean => log.includes('Output #0');

const isFfmpeg = (pid: number): boolean => readlinkSync(`/proc/${pid}/exe`).endsWith('/ffmpeg');

needs('ffmpeg', 'bubblewrap')(
  'a conversion has not started while it waits for its turn, which its time limit does not count',
  async () => {
    const timeoutSeconds = 3;
    let isItsTurn = false;
    const starts: boolean[] = [];
    const plan = planOf('out/a.mkv', [['-i', 'in/0.mp4', '-t', '1', '-c', 'copy', 'out/a.mkv']]);
    const outcome = await runConversion(
      conversion(BUBBLEWRAP, await scratch(), plan, {
        timeoutSeconds,
        waitForTurn: async () => {
          await sleep(timeoutSeconds * 1000 + 100);
          isItsTurn = true;
        },
        onStart: () => starts.push(isItsTurn),
      }),
    );
    expect(outcome).toMatchObject({ ok: true });
    expect(starts).toEqual([true]);
  },
);

for (const { kind, sandbox, tags, test } of SANDBOXES)
  describe(kind, { tags }, () => {
    test('after a cancel ffmpeg closes its file, which plays', async () => {
      const dir = await scratch();
      const mark = randomUUID();
      const cancel = new AbortController();
      const outcome = await runConversion(
        conversion(sandbox, dir, slow(mark), {
          signal: cancel.signal,
          onProgress: (_progress, log) => {
            if (hasBegunOutput(log)) cancel.abort();
          },
        }),
      );
      expect(outcome).toMatchObject({
        ok: false,
        failure: { code: 'CANCELLED' },
        log: expect.stringContaining('Exiting normally, received signal 15.'),
      });
      expect(Number(probePackets(join(dir, 'out/a.mkv')).streams[0]?.nb_read_packets)).toBeGreaterThan(0);
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

    test('a conversion that stops working and does not react to SIGTERM stalls, and is killed', async () => {
      const mark = randomUUID();
      // A stopped process reads nothing, writes nothing and does not react to SIGTERM, as one in an endless expression.
      const stop = () => {
        for (const pid of processesWith(mark).filter(isFfmpeg)) process.kill(pid, 'SIGSTOP');
      };
      const outcome = await runConversion(
        conversion(sandbox, await scratch(), slow(mark), { stallSeconds: 1, graceSeconds: 0.3, onProgress: stop }),
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

    test('a conversion that only reads for a long time is not a stall', { tags: 'long' }, async () => {
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

/** Whether the process was sent a SIGTERM that it has not handled yet. */
function hasPendingSigterm(pid: number): boolean {
  const pending = /^ShdPnd:\s*(\w+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '0';
  return (BigInt(`0x${pending}`) & (1n << BigInt(constants.signals.SIGTERM - 1))) !== 0n;
}

needs('ffmpeg', 'linux')('the first cause wins: a cancel after a stall changes nothing', { tags: 'long' }, async () => {
  const mark = randomUUID();
  const cancel = new AbortController();
  const outcome = await runConversion(
    conversion(NO_SANDBOX, await scratch(), slow(mark), {
      stallSeconds: 2,
      graceSeconds: 2,
      signal: cancel.signal,
      onProgress: (_progress, log) => {
        if (!hasBegunOutput(log)) return;
        // A stopped ffmpeg stalls, and does not react to the SIGTERM that follows; it stays pending. Cancel then.
        const pids = processesWith(mark);
        for (const pid of pids) process.kill(pid, 'SIGSTOP');
        void waitUntil('SIGTERM', async () => pids.some(hasPendingSigterm) || undefined, 10).then(
          () => cancel.abort(),
          () => undefined,
        );
      },
    }),
  );
  expect(cancel.signal.aborted).toBe(true);
  expect(outcome).toMatchObject({ ok: false, failure: { code: 'STALLED' } });
});
