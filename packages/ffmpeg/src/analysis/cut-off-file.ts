import type { PlannedAnalysis, PlannedInput, Warning } from '@telecine/contract/domain/plan.ts';
import type { InputReport } from '../log/report.ts';
import { secondsText } from '../rules/facts/media-facts.ts';

/** Demuxers that read the duration from the header of a file. Other demuxers estimate it, or find it at the end of the file. */
const WITH_HEADER: ReadonlySet<string> = new Set('mov matroska avi wav w64 flac asf flv'.split(' '));

/**
 * How much earlier than its duration a file may end: this share or these seconds, whichever is more. The last frame of a stream starts
 * before the end, and one stream may end before the others.
 */
const TOLERANCE = 0.05;
const TOLERANCE_SECONDS = 0.5;

/** The duration that the header of a file states, in seconds. undefined: the format has no such header, or the duration is unknown. */
export const statedSeconds = ({
  demuxer,
  durationSeconds,
}: Pick<InputReport, 'demuxer' | 'durationSeconds'>): number | undefined =>
  WITH_HEADER.has(demuxer.split(',')[0] ?? '') && durationSeconds !== undefined && durationSeconds > 0
    ? durationSeconds
    : undefined;

/** The part of a file that an analysis measures, in seconds from the start of the file. `to` may be Infinity. */
export interface MeasuredPart {
  readonly from: number;
  readonly to: number;
}

export const measuredPart = ({ ss = '0', t = 'Infinity' }: PlannedAnalysis): MeasuredPart => ({
  from: Number(ss),
  to: Number(ss) + Number(t),
});

/**
 * True if the data of a file ends before the measured part does. `readSeconds`: where the data ends. `stated`: the duration in the header.
 */
export const endsEarly = (readSeconds: number, stated: number, { from, to }: MeasuredPart): boolean => {
  const wanted = Math.min(stated, to);
  return wanted - readSeconds > Math.max(TOLERANCE_SECONDS, (wanted - from) * TOLERANCE);
};

/** The warning for a file whose data ends earlier than its header says. */
export const shortInput = ({ path, field }: PlannedInput, readSeconds: number, stated: number): Warning => ({
  field,
  code: 'SHORT_INPUT',
  message: `The data of "${path}" ends at ${secondsText(readSeconds)}, although its header says ${secondsText(stated)}: the file is cut off, and only this part was measured.`,
  fix: 'Send the complete file again: it was probably copied or downloaded in part.',
});
