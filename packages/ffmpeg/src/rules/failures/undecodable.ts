import { leaveOut, orElse, sendIn } from '@telecine/contract/domain/edit.ts';
import type { LogLine } from '../../log/log-line.ts';
import type { UsedStream } from '../../log/report.ts';
import type { MediaFacts } from '../facts/media-facts.ts';
import { ffmpegFailure, invalidInput, type MediaFailure } from './media-failure.ts';

/** The exit code of ffmpeg if too many packets fail to decode (`max_error_rate`; ffmpeg.c, 5.1 to 8). */
const DECODING_FAILED = 69;

/** Matches `Error while decoding stream #0:1: …`, which ffmpeg up to 6 logs. */
const OF_STREAM = /^Error while decoding stream #(\d+):(\d+): /;
/** Matches decoding errors of ffmpeg 7 and later. Their component names the decoder: `dec:aac`. */
const OF_DECODER = /^(?:Error submitting (?:a )?packet to (?:the )?decoder|Decoding error|Decode error rate)\b/;

/** Matches lines about a stream whose format, such as its sample rate, ffmpeg never learned. */
const FORMAT_UNKNOWN = /^(?:Cannot determine format of input |Sample rate (?:0 invalid|not set)$)/;
/** Matches input options that choose the decoder or the demuxer. */
const CHOICE = /^-(?:c|codec|[vas]codec|f)(?::|$)/;

type LoggedLine = Pick<LogLine, 'text' | 'component'>;
type Decoded = Pick<UsedStream, 'input' | 'stream'>;

/**
 * Explains a pass that failed because most of a video or audio stream cannot be decoded: the stream is damaged, and the fix leaves it out.
 * undefined: subtitles, or a format or decoder that the client chose wrongly, which other rules explain.
 *
 * @param lines Without text from media files, which could imitate lines of ffmpeg.
 */
export function undecodableStream(facts: MediaFacts, code: number | null, lines: readonly LoggedLine[]) {
  if (code !== DECODING_FAILED) return undefined;
  const found = lines.flatMap((line) => streamOf(facts, line) ?? []);
  const count = ({ input, stream }: Decoded): number =>
    found.filter((one) => one.input === input && one.stream === stream).length;
  const [worst] = found.toSorted((a, b) => count(b) - count(a));
  const stream = worst && facts.inputStream(worst.input, worst.stream);
  if (worst === undefined || (stream?.type !== 'audio' && stream?.type !== 'video')) return undefined;
  const isChosen = facts.inputArgs(worst.input).some((word) => CHOICE.test(word));
  if (isChosen && lines.some(({ text }) => FORMAT_UNKNOWN.test(text))) return undefined;
  const isAudio = stream.type === 'audio';
  const hasOther = facts.usedOf(isAudio ? 'video' : 'audio').length > 0;
  const without = isAudio ? '"an": "" to leave the audio out' : '"vn": "" with an output for audio, such as .m4a';
  return invalidInput(
    `The ${stream.type} of ${facts.pathOf(worst.input)} (${worst.input}:${worst.stream}, ${stream.codec}) cannot be decoded: it is damaged, or in a form that this ffmpeg cannot decode.`,
    hasOther ? `Send ${without}, or the file again, undamaged.` : 'Send the file again, complete and undamaged.',
  );
}

function streamOf(facts: MediaFacts, { text, component = '' }: LoggedLine): Decoded | undefined {
  const [, input, stream] = OF_STREAM.exec(text) ?? [];
  if (stream !== undefined) return { input: Number(input), stream: Number(stream) };
  const codec = /^dec:(\w+)/.exec(component)?.[1];
  if (codec === undefined || !OF_DECODER.test(text)) return undefined;
  const [only, ...others] = facts.used.filter((used) => facts.inputStream(used.input, used.stream)?.codec === codec);
  return only === undefined || others.length > 0 ? undefined : { input: only.input, stream: only.stream };
}

export const isAvi = ({ inputs }: MediaFacts): boolean => inputs.length === 1 && inputs[0]?.demuxer === 'avi';

export function noTimestamps(facts: MediaFacts): MediaFailure | undefined {
  const at = [...facts.inputs.keys()].find((input) => facts.inputs[input]?.demuxer === 'avi') ?? 0;
  return ffmpegFailure(
    `The format ${facts.plan.output.muxer} needs a time for each frame, and ${facts.pathOf(at)} has none, so its streams cannot be copied as they are.`,
    orElse(sendIn('request', 'inputs', facts.inputsWith(at, { fflags: '+genpts' })), {
      ...leaveOut('c'),
      why: 'then the streams are encoded',
    }),
  );
}

/** Explains an input without a header, which ffmpeg reads as a raw image because of its extension. */
export function rawInput(facts: MediaFacts): MediaFailure | undefined {
  const at = facts.inputs.findIndex(
    ({ demuxer, streams }) =>
      /^(?:image2|rawvideo)$/.test(demuxer) && streams.some(({ codec, width }) => codec === 'rawvideo' && !width),
  );
  const logical = facts.plan.inputs[at]?.logical;
  // `explainInput` later adds what the file really contains.
  return logical === undefined
    ? undefined
    : invalidInput(`The input ${logical} has no header that tells its format.`, 'Send its format with it.');
}
