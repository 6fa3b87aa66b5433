import type { SizeBasis } from '@telecine/contract/domain/estimate.ts';
import { QUALITY_OPTIONS, QUALITY_PLACEHOLDERS } from '@telecine/contract/domain/quality.ts';
import { readNumber } from '../values/number.ts';
import { lastOf, ofStream } from './command.ts';
import { AUDIO_RATES, ENCODERS } from './encoders.ts';
import { isCover, type PredictedStream, type Prediction } from './predict.ts';
import { AUDIO_RATE, bitRateOf, detailOf, kindText, nameOf } from './work.ts';

/** What a stream takes in its file. */
export interface StreamSize {
  readonly bytes: number;
  /** The factor around `bytes` in which nine of ten real values are. */
  readonly factor: number;
  readonly basis: SizeBasis;
  /** Streams of one kind take about as many bytes for each of `bytes`. Absent: an option or the input tells the size. */
  readonly kind?: string;
  /** An option limits it. */
  readonly most?: number;
  /** Why it is unknown as long as no jobs of its kind were measured, as a sentence. */
  readonly unknown?: string;
}

/** Estimates the bytes of a stream. */
export function sizeOf(stream: PredictedStream, output: Prediction, passes: number): StreamSize {
  const { encoder, link, from } = stream;
  if (encoder !== 'copy') return link.kind === 'audio' ? audioSize(stream, output) : videoSize(stream, output, passes);
  const rate = from && bitRateOf(from);
  const isPart = link.kind === 'video' && link.seconds < 0.98 * (from?.input.media.format.durationSeconds ?? 0);
  return {
    ...{ bytes: ((rate ?? 0) * link.seconds) / 8, factor: isPart ? 1.5 : 1.02, basis: 'copy' },
    ...(rate === undefined && { unknown: 'The bit rate of a stream that is copied is unknown.' }),
  };
}

function audioSize(stream: PredictedStream, { options }: Prediction): StreamSize {
  const { encoder, link } = stream;
  const samples = link.sampleRate * link.channels;
  const bytesOf = (bitsPerSecond: number): number => (bitsPerSecond * link.seconds) / 8;
  if (encoder.startsWith('pcm_')) {
    const bits = Number(/^pcm_[suf](\d+)/.exec(encoder)?.[1] ?? 8);
    return { bytes: bytesOf(samples * bits), factor: 1.01, basis: 'format' };
  }
  // The first two have a bit rate of their own, whatever the number of channels is.
  const usual = (AUDIO_RATES[encoder] ?? 0) * (/^(?:libmp3lame|mp2)$/.test(encoder) ? 1 : link.channels / 2);
  const isLossless = /^(?:flac|alac|tta|wavpack)$/.test(encoder);
  const rate = isLossless ? samples * 8 : (readNumber(ofStream(options, 'b', stream) ?? '') ?? usual);
  const quality = ofStream(options, 'q', stream);
  const isVariable = isLossless || quality !== undefined || /^(?:libopus|libvorbis)$/.test(encoder) || rate === 0;
  if (!isVariable) return { bytes: bytesOf(rate), factor: 1.1, basis: 'bitRate' };
  return {
    ...{ bytes: bytesOf(rate || AUDIO_RATE), factor: 2.2, basis: 'defaults' },
    kind: kindText(['size', encoder, quality ?? rate]),
    ...(rate === 0 && { unknown: unknownSize(encoder) }),
  };
}

const unknownSize = (encoder: string): string =>
  `The sizes of "${encoder}" with these options are known after three jobs.`;

/** The options that set a quality. The first in this list wins. */
const QUALITIES = ['crf', 'cq', 'qp', 'q', 'global_quality', 'x264-params', 'x265-params', 'svtav1-params'];
/** What such parameters of libraries contain. Others, such as those of threads, say nothing of the size. */
const SETS_QUALITY = /(?:^|:)(?:crf|qp|bitrate|tbr)=/;

function videoSize(stream: PredictedStream, { options, muxer }: Prediction, passes: number): StreamSize {
  const { encoder, link } = stream;
  const option = (name: string): string | undefined => ofStream(options, name, stream);
  const numberOf = (name: string): number => readNumber(option(name) ?? '') ?? 0;
  const row = ENCODERS[encoder];
  const own = row?.quality ?? '';
  const isSent = (one: string): boolean =>
    one.endsWith('-params') ? SETS_QUALITY.test(option(one) ?? '') : option(one) !== undefined;
  const name = [own, ...QUALITIES].find(isSent);
  const target = numberOf('b');
  if (name === undefined && target > 0)
    return { bytes: (target * link.seconds) / 8, factor: passes > 1 ? 1.08 : 1.33, basis: 'bitRate' };
  const quality = name === undefined ? undefined : option(name);
  const isImage = muxer === 'image2' && lastOf(options, 'update') !== undefined;
  const frames = isImage ? 1 : link.fps * link.seconds;
  const isInTable = row?.bits !== undefined && (name === undefined ? row.isUsual === true : name === own);
  const { at = 1, step = 0, bits = 0.1 } = isInTable ? row : {};
  const value = Number(quality ?? at);
  const steps = step === 0 ? 0 : own === 'q' ? Math.log2(value / at) : value - at;
  const detail = isImage || isCover(stream) ? 1 : detailOf(link.source) ** 1.5;
  const limit = numberOf('maxrate') || (encoder.startsWith('libvpx') ? target : 0);
  const isByTarget = QUALITY_OPTIONS.some((one) => option(one) === QUALITY_PLACEHOLDERS.value);
  return {
    bytes: (link.width * link.height * frames * bits * 2 ** (steps * step) * detail) / 8 || 1,
    ...{ factor: 4, basis: 'defaults' },
    ...(limit > 0 && { most: (limit * 1.05 * link.seconds + numberOf('bufsize')) / 8 }),
    ...(!isInTable && { unknown: unknownSize(encoder) }),
    ...(isByTarget
      ? { unknown: 'The job finds out how large a video of the target quality is.' }
      : { kind: kindText(['size', nameOf(stream, options), name, quality]) }),
  };
}
