import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { ClientLimits } from '../../packages/contract/src/domain/client-limits.ts';
import type { FailureCode } from '../../packages/contract/src/domain/failure.ts';
import { limitArgs } from '../../packages/ffmpeg/src/plan/checks/resource-limits.ts';
import { runConversion } from '../../packages/ffmpeg/src/run/run.ts';
import type { Sandbox } from '../../packages/ffmpeg/src/sandbox/sandbox.ts';
import { conversion, MOVIE, POLICY, planOf, scratch } from '../fixtures/conversion.ts';
import { SANDBOXES } from '../fixtures/sandboxes.ts';
import { tools } from '../support/tools.ts';

let huge: Buffer | undefined;

/** An image of 256 million pixels in 31 kB, one bit each, so that it is created quickly. Created once. */
function hugePicture(file: string): void {
  const words = ['-v', 'error', '-f', 'rawvideo', '-pix_fmt', 'monob', '-s', '16000x16000', '-i', '/dev/zero'];
  huge ??= execFileSync(tools().ffmpegPath, [...words, '-frames:v', '1', '-c:v', 'png', '-f', 'image2pipe', '-']);
  writeFileSync(file, huge);
}

/** A GIF of 26 bytes whose canvas is 65,535 pixels wide and high. */
function hugeCanvas(file: string): void {
  const canvas = Buffer.from('474946383961ffffffff000000', 'hex');
  writeFileSync(file, Buffer.concat([canvas, Buffer.from('2c0000000001000100000202440100', 'hex'), Buffer.from(';')]));
}

interface Case {
  readonly what: string;
  readonly policy?: ClientLimits;
  readonly argv: readonly string[];
  readonly input?: (file: string) => void;
  readonly code?: FailureCode;
  readonly message: RegExp;
  /** Which sandbox to use. Default: both with and without. */
  readonly only?: Sandbox['kind'];
  /** Another case meets the same limit, so only the long tests run this one. */
  readonly isLong?: true;
}

/** Conversions that the planner's checks would reject; this tests the limits behind those checks. */
const CASES: readonly Case[] = [
  {
    what: 'pictures out of nothing, without end',
    policy: { duration: 600 },
    argv: ['-f', 'lavfi', '-i', 'color=s=16x16:r=1', '-c:v', 'mpeg4', 'out/a.mp4'],
    message: /longer than the 10 minutes .*"duration"/,
  },
  {
    what: 'silence without end',
    isLong: true,
    policy: { duration: 60 },
    argv: ['-f', 'lavfi', '-i', 'anullsrc', 'out/a.wav'],
    message: /longer than the 60 seconds/,
  },
  {
    what: 'an input that is read again and again',
    isLong: true,
    policy: { duration: 60 },
    argv: ['-stream_loop', '-1', '-i', 'in/0.mp4', '-c', 'copy', 'out/a.mkv'],
    only: 'bubblewrap',
    message: /"duration"/,
  },
  {
    what: 'a picture that is shown for ever',
    isLong: true,
    policy: { duration: 60 },
    argv: ['-i', 'in/0.mp4', '-an', '-vf', 'scale=16:16,loop=loop=-1:size=1', '-c:v', 'mpeg4', 'out/a.mp4'],
    only: 'bubblewrap',
    message: /"duration"/,
  },
  {
    what: 'sound that is made longer for ever',
    isLong: true,
    policy: { duration: 60 },
    argv: ['-i', 'in/0.mp4', '-vn', '-af', 'apad', 'out/a.wav'],
    only: 'bubblewrap',
    message: /"duration"/,
  },
  {
    what: 'an output that is too long and done before anyone looks',
    policy: { duration: 20 },
    argv: ['-i', 'in/0.mp4', '-c', 'copy', 'out/a.mkv'],
    message: /"duration"/,
  },
  {
    what: 'a file that grows for ever',
    policy: { output: 2_000_000 },
    argv: ['-stream_loop', '-1', '-i', 'in/0.mp4', '-c', 'copy', 'out/a.mkv'],
    message: /"output": 2 MB/,
  },
  {
    what: 'a reader that waits',
    policy: { time: 1 },
    argv: ['-re', '-i', 'in/0.mp4', '-c', 'copy', 'out/a.mkv'],
    code: 'TIMEOUT',
    message: /1 second .*"time"/,
  },
  {
    what: 'work that takes too much processor time',
    only: 'bubblewrap',
    policy: { cpu: 1, duration: 1e6 },
    argv: ['-f', 'lavfi', '-i', 'color=s=256x256', '-c:v', 'mpeg4', 'out/a.mp4'],
    code: 'TIMEOUT',
    message: /"cpu": 1 second/,
  },
  {
    what: 'an expression that never ends',
    // ffmpeg ignores the signal that arrives every second, and exits at the fourth.
    only: 'none',
    policy: { cpu: 1 },
    argv: ['-i', 'in/0.mp4', '-vf', "scale=w='while(1,1)':h=16", 'out/a.mp4'],
    code: 'TIMEOUT',
    message: /"cpu": 1 second/,
  },
  {
    what: 'a decompression bomb',
    input: hugePicture,
    argv: ['-i', 'in/0.png', 'out/a.jpg'],
    message: /16000x16000; at most 134217728 pixels/,
  },
  {
    what: 'a canvas that only says that it is huge',
    input: hugeCanvas,
    argv: ['-i', 'in/0.gif', 'out/a.png'],
    message: /65535x65535/,
  },
  {
    what: 'a picture blown up before it is encoded',
    policy: { pixels: 1_000_000 },
    argv: ['-i', 'in/0.mp4', '-frames:v', '1', '-vf', 'scale=2000:2000', 'out/a.png'],
    message: /2000x2000/,
  },
  {
    what: 'a picture blown up on the way',
    policy: { pixels: 1_000_000 },
    argv: ['-i', 'in/0.mp4', '-vf', 'scale=14000:14000,scale=64:64', 'out/a.mp4'],
    message: /more memory or threads .*"pixels": 1000000/,
  },
  {
    what: 'pictures that are all kept',
    policy: { memory: 3 * 2 ** 27 },
    argv: ['-f', 'lavfi', '-i', 'color=s=2000x2000', '-vf', 'reverse', 'out/a.mp4'],
    message: /"memory": 403 MB \(384 MiB\)/,
  },
  {
    what: 'two thousand threads at once',
    argv: ['-threads', '2000', '-i', 'in/0.mp4', '-c:v', 'mpeg4', 'out/a.mp4'],
    message: /memory or threads/,
  },
  {
    what: 'few threads by themselves, but more than the job may have',
    policy: { processes: 60 },
    argv: ['-threads', '90', '-stream_loop', '-1', '-i', 'in/0.mp4', '-c:v', 'mpeg4', 'out/a.mp4'],
    message: /more threads than the 60 .*"processes"/,
  },
  {
    what: 'more streams than a file may have',
    policy: { streams: 8 },
    argv: ['-i', 'in/0.mp4', ...Array.from({ length: 9 }, () => ['-map', '0:a']).flat(), '-c', 'copy', 'out/a.mkv'],
    message: /9 streams; at most 8 .*"streams"/,
  },
];

/** Adds the limits to an argv as the planner does. */
function limited(argv: readonly string[], policy: ClientLimits): readonly string[] {
  const { head, input, output } = limitArgs(policy, { cores: 2, svtLevels: false });
  const before = (word: string, i: number) => (word === '-i' ? input : i === argv.length - 1 ? output : []);
  return [...head, ...argv.flatMap((word, i) => [...before(word, i), word])];
}

for (const { kind, sandbox, tags, test } of SANDBOXES)
  describe(kind, { tags }, () => {
    const cases = CASES.filter(({ only = kind }) => only === kind);
    for (const { what, policy, argv, input, code = 'LIMIT_EXCEEDED', message, isLong } of cases)
      test(what, { tags: isLong ? ['long'] : [] }, async () => {
        const dir = await scratch();
        const logical = argv.find((word) => word.startsWith('in/')) ?? 'in/0.mp4';
        const own = { ...POLICY, time: 60, ...policy };
        input?.(join(dir, logical));
        const job = conversion(sandbox, dir, planOf('out/a', [limited(argv, own)]), {
          mounts: [{ logical, hostPath: input === undefined ? MOVIE : join(dir, logical) }],
          policy: own,
          timeoutSeconds: own.time,
        });
        expect(await runConversion(job)).toMatchObject({
          ok: false,
          failure: { code, message: expect.stringMatching(message), fix: expect.any(String) },
        });
      });
  });
