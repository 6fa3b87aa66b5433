import { lstat, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Failure } from '@telecine/contract/domain/failure.ts';
import type { PreparedRun } from './conversion-run.ts';

/** How often the last pass runs again at most. Text and half still pictures at low bit rates need it twice, because the encoder misses the lower ones too. */
const MOST_TIMES_AGAIN = 3;

/** A pass that runs again aims at this share of the size, because encoders miss their bit rate by some percent. */
const AIM = 0.985;

/** A pass that removes less than this share of what it should is the last: the encoder is at its limit, such as "qmax". */
const LEAST_GAIN = 0.1;

/** The last pass, as planned. */
interface LastPass {
  readonly argv: readonly string[];
  readonly seconds: number;
  /** The seconds that the job has left. */
  readonly leftSeconds: number;
  /** The bytes of the video in the file. 0: unknown. */
  readonly videoBytes: number;
  /** The bytes of the files that were too large before this one. */
  readonly earlier: readonly number[];
}

/** The pass to run again, or why the job fails. undefined: the file is small enough. */
type NextPass =
  | { readonly argv: readonly string[]; readonly bytes: number; readonly note: string }
  | { readonly failure: Failure }
  | undefined;

/**
 * Finds out whether the file of a run fits into `maxBytes` of its plan. If not, removes it, and returns the last pass with fewer bits of video. With two
 * passes, what the first has found stays.
 */
export async function fitSize(
  { dir, plan: { maxBytes, outputs } }: Pick<PreparedRun, 'dir' | 'plan'>,
  last: LastPass,
): Promise<NextPass> {
  const [output] = outputs;
  if (maxBytes === undefined || output === undefined) return undefined;
  const file = join(dir, output.logical);
  // Whatever else is there, such as a folder, fails where outputs are published.
  const bytes = await lstat(file).then(
    (found) => (found.isFile() ? found.size : 0),
    () => 0,
  );
  if (bytes <= maxBytes) return undefined;
  // ffmpeg replaces no file.
  await rm(file, { force: true }).catch(() => undefined);
  return passFor(maxBytes, bytes, last);
}

/** The pass to run again after one whose file is too large, or why the job fails. */
export function passFor(maxBytes: number, bytes: number, last: LastPass): NonNullable<NextPass> {
  const { argv, seconds, leftSeconds, videoBytes, earlier } = last;
  const wanted = AIM * maxBytes;
  const share = shareFor(wanted, bytes, videoBytes);
  const before = earlier.at(-1);
  const isStuck = before !== undefined && before - bytes < LEAST_GAIN * (before - wanted);
  const hasTime = leftSeconds > seconds;
  const less = isStuck || !hasTime || earlier.length === MOST_TIMES_AGAIN ? undefined : withLessVideo(argv, share);
  const found = `The file has ${bytes} bytes, and may have ${maxBytes}`;
  if (less !== undefined)
    return { argv: less.argv, bytes, note: `${found}: encode again with ${less.kilobits} kb/s of video` };
  const [why, orElse] =
    share <= 0
      ? [`. Without its video, it has ${bytes - videoBytes}`, 'or encode the audio with a lower "b:a"']
      : [
          `${before === undefined ? '' : ', although it was encoded again with fewer bits'}${hasTime ? '' : ', and the job has no time left to encode it again'}`,
          'a smaller frame, or a shorter part',
        ];
  // The encoder has reached the size of this file, and may miss it by some percent.
  const size = Math.ceil((1.02 * bytes) / 10_000) / 100;
  return {
    failure: {
      code: 'UNSUPPORTED',
      message: `${found}${why}.`,
      about: { isTooLarge: true },
      fix: `Send "size": ${size}, ${orElse}.`,
    },
  };
}

/** The share of its video with which a file has the wanted size. What is not video stays. */
export function shareFor(wanted: number, bytes: number, videoBytes: number): number {
  const video = videoBytes > 0 ? Math.min(videoBytes, bytes) : bytes;
  return 1 - (bytes - wanted) / video;
}

/** The argv with a share of its bit rate of the video. undefined: nothing is left, or it has no bit rate in kilobits, as a pass that joins chunks. */
export function withLessVideo(
  argv: readonly string[],
  share: number,
): { readonly argv: readonly string[]; readonly kilobits: number } | undefined {
  const at = argv.indexOf('-b:v') + 1;
  const [, planned] = /^(\d+)k$/.exec((at > 0 && argv[at]) || '') ?? [];
  const kilobits = Math.floor(Number(planned) * share);
  return kilobits > 0 ? { argv: argv.with(at, `${kilobits}k`), kilobits } : undefined;
}
