import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type FrameSize, PACKETS_FILE, type PlannedSamples } from '@telecine/contract/domain/sampling.ts';
import type { PreparedRun } from '../../run/conversion-run.ts';
import { explainEmptyOutput } from '../../run/explain-failure.ts';
import type { Pass } from '../../run/pass.ts';
import type { Failed } from '../../run/run-pass.ts';
import type { RunState } from '../../run/run-state.ts';
import { partsOf, type SourcePart } from '../choosers/samples.ts';
import { videoOf } from './compare.ts';
import { bitsPerPixel, readPackets } from './packet-list.ts';
import { readScratch, runStep, stopped } from './run-step.ts';

/** The part of the input that becomes the output. */
export interface SampledSource {
  readonly start: number;
  readonly seconds: number;
  /** false: `seconds` is only assumed. */
  readonly isKnown: boolean;
  readonly parts: readonly SourcePart[];
  /** The bits that H.264 would need for each of its pixels. undefined: unknown. */
  readonly bitsPerPixel: number | undefined;
}

/** The assumed length in seconds of an input without a list of packets, such as a source that never ends. */
const UNKNOWN_SECONDS = 10;

/** Lists the packets of the input. If ffmpeg cannot list them, samples are chosen by time alone, and the first fails as the conversion would. */
export async function readSource(
  c: PreparedRun,
  { packets: argv, range }: Pick<PlannedSamples, 'packets' | 'range'>,
  state: RunState,
): Promise<SampledSource | Failed> {
  const listing = argv && (await runStep(c, argv, state));
  const end = stopped(state);
  if (end !== undefined) return end;
  const file = join(c.dir, PACKETS_FILE);
  const packets = listing?.ok === true ? await readScratch(c, () => readPackets(file, c.signal)) : undefined;
  if (packets !== undefined && 'ok' in packets) return packets;
  await rm(file, { force: true });
  const available = (packets?.endSeconds ?? 0) - range.start;
  const lengths = [range.seconds, available > 0 ? available : undefined].filter((one) => one !== undefined);
  const source = { start: range.start, seconds: lengths.length > 0 ? Math.min(...lengths) : UNKNOWN_SECONDS };
  return {
    ...{ ...source, isKnown: lengths.length > 0 },
    bitsPerPixel: packets && listing?.ok === true ? bitsPerPixel(packets.video, videoOf(listing.pass)) : undefined,
    parts: partsOf(packets?.video ?? [], source),
  };
}

/** Finds the size of what the encoder gets, by its first frame. */
export async function inspectFrame(
  c: PreparedRun,
  { inspect }: Pick<PlannedSamples, 'inspect'>,
  state: RunState,
): Promise<{ readonly ok: true; readonly pass: Pass; readonly size: FrameSize } | Failed> {
  const step = await runStep(c, inspect, state);
  if (!step.ok) return step;
  const { pass } = step;
  const { width, height } = videoOf(pass) ?? {};
  if (width !== undefined && height !== undefined && pass.lastBlock?.frame !== 0)
    return { ok: true, pass, size: { width, height } };
  const failure = await explainEmptyOutput(c, pass.firstOutput, state.stopper);
  return { ok: false, failure, raw: pass.lastLines };
}
