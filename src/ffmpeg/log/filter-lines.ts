import type { LogLine } from './log-line.ts';

/** A filter as ffmpeg names it in its log: `Parsed_unsharp_0`. */
const FILTER = /^Parsed_([a-z]\w*?)_\d+$/;

/** Filters whose errors may contain text of a file, a font or the media. */
const QUOTING_FILTERS: ReadonlySet<string> = new Set(
  `ass subtitles drawtext metadata ametadata movie amovie sendcmd asendcmd zmq azmq ocr signature libvmaf arnndn
   sofalizer lut1d lut3d curves vidstabdetect vidstabtransform find_rect cover_rect frei0r frei0r_src ladspa lv2
   dnn_classify dnn_detect dnn_processing derain sr removelogo fieldhint nnedi selectivecolor showcqt cellauto life
   flite`.split(/\s+/),
);

/** Words, numbers and signs: enough for a cause, too little for a path. */
const CAUSE = /^[\w .,:;%()[\]+=<>|*'"-]{5,200}$/;
/** Lines that say only that something failed. */
const NO_CAUSE = /^(?:Failed to |Error |Cannot open lib)|failed\.?$/;

/** Whether an error line can be the cause of a failure and contains nothing but ffmpeg's own words and option values. */
const isPlainCause = ({ level, isColored, text }: LogLine): boolean =>
  level === 'error' && isColored && CAUSE.test(text) && !NO_CAUSE.test(text);

/** Whether a filter states in a line why it failed, in ffmpeg's own words. */
export function isFilterCause(line: LogLine): boolean {
  const filter = FILTER.exec(line.component ?? '')?.[1];
  return filter !== undefined && !QUOTING_FILTERS.has(filter) && isPlainCause(line);
}

/** Whether one of these encoders states in a line why it failed. */
export const isEncoderCause = (line: LogLine, encoders: ReadonlySet<string>): boolean =>
  line.component !== undefined && encoders.has(line.component) && isPlainCause(line);
