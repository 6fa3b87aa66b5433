import { decodeError, type ProbedFile, runFfprobe } from '../lib/probe.ts';
import type { Tools } from '../setup/tools.ts';
import type { Expected } from './conversions.ts';

/**
 * How much the duration may differ. Containers round to whole frames and audio packets, and encoders add a little
 * silence.
 */
const TOLERANCE_SECONDS = 0.5;

export interface Verdict {
  /** The probe of the file; undefined if ffprobe cannot read it. */
  readonly probe?: ProbedFile;
  /** The differences from the expected result. Empty if there are none. */
  readonly errors: readonly string[];
}

/** Probes a result, compares it with the expected one, and decodes it to its end. */
export async function verify(tools: Tools, file: string, expected: Expected): Promise<Verdict> {
  try {
    const [it, error] = await Promise.all([runFfprobe(tools.ffprobePath, file), decodeError(tools.ffmpegPath, file)]);
    return {
      probe: it,
      errors: [...differences(it, expected), ...(error === undefined ? [] : [`decoding: ${error}`])],
    };
  } catch (error) {
    return { errors: [error instanceof Error ? error.message : String(error)] };
  }
}

/** Describes how a probed file differs from the expected result. */
export function differences(it: ProbedFile, expected: Expected): readonly string[] {
  const errors: string[] = [];
  const must = (what: string, is: unknown, should: unknown): void => {
    if (is !== should) errors.push(`${what} is ${is ?? 'missing'}, expected ${should ?? 'none'}`);
  };
  if (!it.formats.includes(expected.format)) must('container', it.formats.join(','), expected.format);
  const video = it.streams.find((s) => s.codec_type === 'video');
  const audio = it.streams.find((s) => s.codec_type === 'audio');
  must('video codec', video?.codec_name, expected.video?.codec);
  must('width', video?.width, expected.video?.width);
  must('height', video?.height, expected.video?.height);
  must('audio codec', audio?.codec_name, expected.audio?.codec);
  if (expected.seconds !== undefined) {
    const off = Math.abs((it.durationSeconds ?? 0) - expected.seconds);
    if (!(off <= TOLERANCE_SECONDS)) must('duration', `${it.durationSeconds} s`, `${expected.seconds} s`);
  }
  return errors;
}
