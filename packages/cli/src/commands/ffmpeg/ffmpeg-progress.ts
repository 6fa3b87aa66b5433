import type { JobView } from '@telecine/contract/wire/job.ts';
import { percentOfBytes } from '../../output/format.ts';
import type { ProgressDisplay, Screen } from '../../output/progress-display.ts';
import type { RunOptions } from './command-order.ts';

/** What is known of a running or finished conversion, in the terms of ffmpeg. */
interface Facts {
  readonly frame?: number | undefined;
  readonly fps?: number | undefined;
  readonly bytes?: number | undefined;
  readonly seconds: number;
  readonly speed?: number | undefined;
  readonly isEnd: boolean;
}

/** Shows progress as ffmpeg does: one line on standard error, and blocks for programs if the command has `-progress`. */
export function ffmpegProgress(
  { showsProgress, showsWarnings, progressTo }: RunOptions,
  { stdout, stderr }: { readonly stdout: Screen; readonly stderr: Screen },
): ProgressDisplay {
  let isOpen = false;
  let last: JobView | undefined;
  const line = (text: string, isLast = false): void => {
    if (!showsProgress) return;
    stderr.write(text + (isLast ? '\n' : '\r'));
    isOpen = !isLast;
  };
  const endLine = (): void => {
    if (isOpen) stderr.write('\n');
    isOpen = false;
  };
  return {
    bytes: (step, name, done, total) => {
      if (stderr.isTTY === true) line(`${step} ${name} ${Math.floor(percentOfBytes(done, total))}%   `);
    },
    job: (job) => {
      const facts = factsOf(job, last);
      last = job;
      if (facts === undefined) return;
      line(progressLine(facts), facts.isEnd);
      if (progressTo !== undefined) (progressTo === 'stdout' ? stdout : stderr).write(progressBlock(facts));
    },
    say: (text) => {
      if (!showsWarnings) return;
      endLine();
      stderr.write(`${text}\n`);
    },
    close: endLine,
  };
}

/** `before`: the view of the job before it ended, which has its speed. undefined: nothing is known yet. */
function factsOf({ status, progress, etaSeconds, speed, fps, outputs }: JobView, before?: JobView): Facts | undefined {
  const output = outputs?.[0];
  if (status === 'COMPLETED' && output !== undefined) {
    const { durationSeconds: seconds = 0, sizeBytes: bytes, streams = [] } = output;
    const rate = streams.find(({ type }) => type === 'video')?.fps;
    return {
      frame: rate && Math.round(rate * seconds),
      fps: before?.fps,
      bytes,
      seconds,
      speed: before?.speed,
      isEnd: true,
    };
  }
  if (status !== 'PROCESSING' || progress === undefined || progress >= 100 || !speed || etaSeconds === undefined)
    return undefined;
  // The service reports a share of the whole. What is left, and how fast it is done, tell how long the whole is.
  const seconds = (etaSeconds * speed * progress) / (100 - progress);
  return { frame: fps && Math.round((seconds * fps) / speed), fps, seconds, speed, isEnd: false };
}

const clock = (seconds: number): string => {
  const hundredths = Math.round(seconds * 100);
  const two = (number: number): string => String(Math.floor(number)).padStart(2, '0');
  return `${two(hundredths / 360_000)}:${two((hundredths / 6000) % 60)}:${two((hundredths / 100) % 60)}.${two(hundredths % 100)}`;
};

const bitRate = ({ bytes, seconds }: Facts, pad: number): string =>
  bytes === undefined || seconds === 0 ? 'N/A' : `${((bytes * 8) / seconds / 1000).toFixed(1).padStart(pad)}kbits/s`;

function progressLine(facts: Facts): string {
  const { frame, fps = 0, bytes, seconds, speed, isEnd } = facts;
  const size = bytes === undefined ? 'N/A' : `${String(Math.round(bytes / 1024)).padStart(8)}kB`;
  return [
    ...(frame === undefined
      ? []
      : [`frame=${String(frame).padStart(5)} fps=${fps.toFixed(fps < 10 ? 1 : 0).padStart(3)}`]),
    `${isEnd ? 'L' : ''}size=${size} time=${clock(seconds)} bitrate=${bitRate(facts, 6)}`,
    `speed=${speed === undefined ? 'N/A' : `${speed.toPrecision(3)}x`}    `,
  ].join(' ');
}

const progressBlock = (facts: Facts): string => {
  const { frame, fps = 0, bytes, seconds, speed, isEnd } = facts;
  return [
    ...(frame === undefined ? [] : [`frame=${frame}`, `fps=${fps.toFixed(2)}`]),
    `bitrate=${bitRate(facts, 6)}`,
    `total_size=${bytes ?? 'N/A'}`,
    `out_time_us=${Math.round(seconds * 1e6)}`,
    `out_time=${clock(seconds)}0000`,
    `speed=${speed === undefined ? 'N/A' : `${speed.toPrecision(3)}x`}`,
    `progress=${isEnd ? 'end' : 'continue'}\n`,
  ].join('\n');
};
