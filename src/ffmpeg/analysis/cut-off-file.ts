import type { PlannedInput, Warning } from '../../domain/plan.ts';
import { secondsText } from '../rules/facts/media-facts.ts';

/** Demuxers that read the duration of a file from its header. Others estimate it, or find it at the end of the file. */
const WITH_HEADER: ReadonlySet<string> = new Set('mov matroska avi wav w64 flac asf flv'.split(' '));

/** The last frame of a stream may begin this much before the end, and one stream may end before the others. */
const TOLERANCE = 0.05;
const TOLERANCE_SECONDS = 0.5;

/** What ffmpeg or ffprobe says about a file. */
interface StatedFile {
  /** With all aliases: `mov,mp4,m4a,3gp,3g2,mj2`. */
  readonly demuxer: string;
  readonly durationSeconds?: number;
}

/** The duration in the header of a file, in seconds. undefined if the format has none, or if it is unknown. */
export const statedSeconds = ({ demuxer, durationSeconds }: StatedFile): number | undefined =>
  WITH_HEADER.has(demuxer.split(',')[0] ?? '') && durationSeconds !== undefined && durationSeconds > 0
    ? durationSeconds
    : undefined;

/** The part of a file that an analysis measures, in seconds from its start. */
interface MeasuredPart {
  readonly from: number;
  readonly to: number;
}

/** Whether what was read ends before the measured part does, by the duration in the header. */
export const endsEarly = (readSeconds: number, stated: number, { from, to }: MeasuredPart): boolean => {
  const wanted = Math.min(stated, to);
  return wanted - readSeconds > Math.max(TOLERANCE_SECONDS, (wanted - from) * TOLERANCE);
};

/** The data of a file ends before its header says, so that only a part of it was measured. */
export const shortInput = ({ path, field }: PlannedInput, readSeconds: number, stated: number): Warning => ({
  field,
  code: 'SHORT_INPUT',
  message: `The data of "${path}" ends at ${secondsText(readSeconds)}, although its header says ${secondsText(stated)}: the file is cut off, and only this part was measured.`,
  fix: 'Send the complete file again: it was probably copied or downloaded in part.',
});
