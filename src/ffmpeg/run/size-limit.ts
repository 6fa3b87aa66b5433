import { type Edits, leaveOut, sendMembers } from '../../domain/edit.ts';
import { readPlainNumber } from '../values/number.ts';
import type { FinishedPass, RunWarning } from './finished-pass.ts';
import { argumentOf, type MediaFacts, secondsText, sentNameOf, withField } from './media-facts.ts';

/** The share of a file that its streams fill. The container and the deviation of encoders take the rest. */
const STREAMS = 0.9;
/** The usual bit rate of sound, in kb/s, and its largest share. */
const SOUND = 128;
const SOUND_SHARE = 0.2;
/** Lower bit rates, in kb/s, give nothing that is worth to see or hear. */
const MIN_VIDEO = 20;
const MIN_AUDIO = 16;

const LOSSY: Readonly<Record<string, ReadonlySet<string>>> = {
  video: new Set(['h264', 'hevc', 'vp8', 'vp9', 'av1', 'mpeg4']),
  audio: new Set(['aac', 'mp3', 'opus', 'vorbis', 'ac3', 'eac3']),
};
/** Codecs whose encoders have two passes here. */
const TWO_PASSES: ReadonlySet<string> = new Set(['h264', 'hevc', 'vp8', 'vp9', 'mpeg4']);

/** A file this many times as large as `fs` is clearly larger. Tables at its end make it a little larger. */
const CLEARLY = 1.2;
/** A file that was cut off is a little larger too: ffmpeg still writes what its encoders have buffered. */
const CLEARLY_IF_CUT = 2;

/**
 * A whole output that is larger than `fs` asks: ffmpeg compares the size of the file only after it wrote a part. Matroska and
 * WebM have parts of 5 seconds. `seconds`: the duration of the output.
 */
export function largeOutput(
  facts: MediaFacts,
  pass: Pick<FinishedPass, 'outputStreams' | 'used' | 'lastBlock'>,
  seconds: number,
): readonly RunWarning[] {
  const { value, limit } = sizeLimit(facts);
  const size = pass.lastBlock?.totalBytes ?? 0;
  if (limit <= 0 || size <= limit * CLEARLY) return [];
  return [
    withField(facts, 'fs', {
      code: 'LARGE_OUTPUT',
      message: `The output has ${size} bytes, although "fs" asks for ${value}: ffmpeg wrote all of it before it compared the size.`,
      fix: fittingRates(facts, pass, limit / seconds),
    }),
  ];
}

/** `fs` in bytes, and as a message shows it: as it was sent, unless that says another number than ffmpeg reads (`1MB`). */
function sizeLimit(facts: MediaFacts): { readonly value: string; readonly limit: number } {
  const value = argumentOf(facts, 'fs') ?? '';
  const limit = readPlainNumber(value) ?? 0;
  return { value: value.endsWith('B') ? String(limit) : value, limit };
}

/** `fs` stops ffmpeg when the file has this size, and the rest of the input is missing. `wanted`: all of it, in seconds. */
export function cutBySize(
  facts: MediaFacts,
  pass: Pick<FinishedPass, 'outputStreams' | 'used' | 'lastBlock'>,
  written: number,
  wanted: number,
): RunWarning {
  const { value, limit } = sizeLimit(facts);
  const size = pass.lastBlock?.totalBytes ?? 0;
  const where = size > limit * CLEARLY_IF_CUT ? `only at ${size} bytes, not at ${value}` : `at ${value} bytes`;
  return withField(facts, 'fs', {
    code: 'SHORT_OUTPUT',
    message: `"fs" stopped the output ${where}: it has ${secondsText(written)} of ${secondsText(wanted)}, and the last ${secondsText(wanted - written)} are missing.`,
    fix: fittingRates(facts, pass, limit / wanted),
  });
}

/** The fix with bit rates that fit the size. */
function fittingRates(
  facts: MediaFacts,
  { outputStreams, used }: Pick<FinishedPass, 'outputStreams' | 'used'>,
  bytesPerSecond: number,
): Edits {
  const withoutLimit = leaveOut('fs', 'then the output has the whole input');
  const isEncoded = outputStreams.every(
    ({ index, type, codec }) =>
      LOSSY[type]?.has(codec) === true && !used.some(({ output, copied }) => output === index && copied),
  );
  const [video, ...videos] = outputStreams.filter(({ type }) => type === 'video');
  const [audio, ...audios] = outputStreams.filter(({ type }) => type === 'audio');
  if (!isEncoded || videos.length + audios.length > 0) return withoutLimit;
  const total = Math.floor((bytesPerSecond * 8 * STREAMS) / 1000);
  const sound =
    audio === undefined ? 0 : Math.min(SOUND, Math.floor(video === undefined ? total : total * SOUND_SHARE));
  const picture = video === undefined ? 0 : total - sound;
  if ((video !== undefined && picture < MIN_VIDEO) || (audio !== undefined && sound < MIN_AUDIO)) return withoutLimit;
  const { edits: rates } = sendMembers({
    ...(video !== undefined && { 'b:v': `${picture}k` }),
    ...(audio !== undefined && { 'b:a': `${sound}k` }),
    ...(video !== undefined && TWO_PASSES.has(video.codec) && { pass: '2' }),
  });
  const others = ['crf', 'qp', 'q:v', 'q:a'].filter((name) => facts.argv.includes(`-${name}`));
  const left = ['fs', ...others].map((name) => ({ do: 'remove', name: sentNameOf(facts, name) }) as const);
  return { edits: [...rates, ...left], why: 'the whole input then has this size' };
}
