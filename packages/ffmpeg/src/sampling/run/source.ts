import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { JobFailed } from '@telecine/contract/domain/failure.ts';
import { PACKETS_FILE, type PlannedSamples } from '@telecine/contract/domain/sampling.ts';
import { readScratchLines } from '../../log/scratch-lines.ts';
import type { PreparedRun } from '../../run/conversion-run.ts';
import { explainEmptyOutput } from '../../run/explain-failure.ts';
import type { RunState } from '../../run/run-state.ts';
import { partsOf, type SampledSource, type SourcePacket, sumOf } from '../choosers/samples.ts';
import { videoOf } from './compare.ts';
import { orFailed, runStep, throwIfStopped } from './run-step.ts';

/** What the packets of an input show. */
interface SourcePackets {
  readonly video: readonly SourcePacket[];
  /** The end of the last packet of the video, in seconds. */
  readonly endSeconds: number;
}

/** Matches `#tb 0: 1/12800` and `0, 512, 1024, 512, 4711, 0x1234abcd, F=0x0` (framecrcenc.c, 5.1 to 8). Key frames have no flags, or 0x1. */
const TIME_BASE = /^#tb 0: (\d{1,9})\/(\d{1,12})$/;
const PACKET =
  /^0, *(-?\d{1,19}), *(-?\d{1,19}), *(-?\d{1,19}), *(\d{1,10}), *0x[0-9a-f]{8}(?:, *F=0x([0-9A-Fa-f]{1,8}))?/;
const KEY = 1;
/** What ffmpeg prints for a time that is not known (AV_NOPTS_VALUE). */
const NO_TIME = '-9223372036854775808';

/** Half a day at 60 frames per second. Later packets are left out. */
const MAX_PACKETS = 2_600_000;

/** Reads the list of packets of a video. Throws the abort reason if `signal` is aborted. */
export async function readPackets(path: string, signal: AbortSignal): Promise<SourcePackets> {
  const video: SourcePacket[] = [];
  let [unit, endSeconds] = [0, 0];
  const readLine = (line: string): void => {
    const [, numerator, denominator] = TIME_BASE.exec(line) ?? [];
    if (numerator !== undefined) unit = Number(numerator) / Number(denominator);
    const [, dts, pts, duration, bytes, flags] = PACKET.exec(line) ?? [];
    // Some packets of AVI have only a decoding time.
    const known = [pts, dts].find((text) => text !== NO_TIME);
    if (known === undefined) return;
    const time = Number(known) * unit;
    endSeconds = Math.max(endSeconds, time + Math.max(0, Number(duration) * unit));
    const key = flags === undefined || (Number.parseInt(flags, 16) & KEY) !== 0;
    if (video.length < MAX_PACKETS) video.push({ time, bytes: Number(bytes), key });
  };
  for await (const _ of readScratchLines(path, readLine, signal));
  return { video, endSeconds };
}

/** The assumed length in seconds of an input without a list of packets, such as a source that never ends. */
const UNKNOWN_SECONDS = 10;

/** Reads the first frame and the packets of the input. If they cannot be listed, samples are chosen by time alone. Throws `JobFailed`. */
export async function readSource(
  c: PreparedRun,
  { inspect, packets: argv, range }: PlannedSamples,
  state: RunState,
): Promise<SampledSource> {
  const pass = await runStep(c, inspect, state);
  const { width, height } = videoOf(pass) ?? {};
  if (width === undefined || height === undefined || pass.lastBlock?.frame === 0)
    throw new JobFailed(await explainEmptyOutput(c, pass.firstOutput, state.stopper), pass.lastLines);
  const file = join(c.dir, PACKETS_FILE);
  const isListed = argv !== undefined && (await orFailed(runStep(c, argv, state))).ok;
  const packets = isListed ? await readPackets(file, c.signal).catch(() => undefined) : undefined;
  await rm(file, { force: true });
  throwIfStopped(state);
  const { video, endSeconds } = packets ?? { video: [], endSeconds: 0 };
  const available = endSeconds > range.start ? endSeconds - range.start : Number.POSITIVE_INFINITY;
  const known = Math.min(range.seconds ?? Number.POSITIVE_INFINITY, available);
  const isKnown = Number.isFinite(known);
  const seconds = isKnown ? known : UNKNOWN_SECONDS;
  return {
    ...{ seconds, isKnown, size: { width, height } },
    bitsPerPixel: (8 * sumOf(video.map(({ bytes }) => bytes))) / (width * height * video.length || 1),
    parts: partsOf(video, { start: range.start, seconds }),
    audioStreams: pass.report.inputs.map(({ streams }) => streams.filter(({ type }) => type === 'audio').length),
  };
}
