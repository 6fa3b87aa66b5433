import type { ProbedInput } from '@telecine/contract/domain/plan.ts';
import type { FieldError } from '@telecine/contract/domain/problem.ts';
import type { Transcription } from '@telecine/contract/domain/transcription.ts';
import { subtitleEncoder } from '../allowlist/container-codecs.ts';
import { holdsOnlySubtitles } from '../allowlist/containers.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { speechUnavailable } from '../catalogue/changed-catalogue.ts';
import { CAPTIONS, speechFilter } from '../filtergraph/speech.ts';
import { quoted } from '../values/value-error.ts';
import { NULL_OUTPUT } from './argv.ts';
import { type ArgvOption, hasKey, serviceOption } from './request/argv-option.ts';
import type { OutputRequest } from './request/parse-request.ts';
import type { ArgvInput } from './request/resolve-inputs.ts';
import { isEndlessInput } from './request/sources.ts';

/** The captions as the second input of ffmpeg. It names the format, which ffmpeg cannot detect in an empty file. */
export const captionsInput = (): ArgvInput => ({
  source: { logical: CAPTIONS, path: 'speech.srt' as ArgvInput['source']['path'], field: '/transcribe' },
  options: [],
  format: 'srt',
});

/** Muxers that can store captions as text: those of videos, and those of subtitle formats for which ffmpeg 5.1 to 9.0 has an encoder. */
const TAKES_CAPTIONS: readonly string[] = [
  ...['srt', 'webvtt', 'ass', 'lrc', 'ttml'],
  ...['mp4', 'mov', 'ipod', 'matroska', 'webm', 'hls'],
];

/** Muxers of videos for which ffmpeg chooses no codec for captions. */
const WITHOUT_DEFAULT: ReadonlySet<string> = new Set(['mp4', 'mov', 'ipod']);

/**
 * The options that add captions to an output: a map of all streams that the output can have, and a captions codec for the container. The
 * client's own `map` and `c:s` win.
 */
export function captionOptions(
  options: readonly ArgvOption[],
  muxer: string | undefined,
  { lists }: Pick<Catalogue, 'lists'>,
): readonly ArgvOption[] {
  const has = (...keys: readonly string[]): boolean => hasKey(options, ...keys);
  const isAlone = muxer !== undefined && holdsOnlySubtitles(muxer);
  const encoder = subtitleEncoder(muxer ?? '', lists);
  const needsCodec = encoder !== undefined && (has('c') || WITHOUT_DEFAULT.has(muxer ?? ''));
  return [
    ...(has('map') ? [] : [serviceOption('map', isAlone ? ['1:s:0'] : ['0:v?', '0:a?', '1:s:0'])]),
    ...(needsCodec && !has('c:s', 'c:s:0') ? [serviceOption('c:s', [encoder])] : []),
  ];
}

/** Checks a request for captions before its input is probed. Appends its errors. */
export function checkTranscription(
  { inputs, join, cut }: Pick<OutputRequest, 'inputs' | 'join' | 'cut'>,
  [input]: readonly ArgvInput[],
  { muxer, catalogue }: { readonly muxer: string; readonly catalogue: Pick<Catalogue, 'build' | 'lists' | 'speech'> },
  errors: FieldError[],
): void {
  const unavailable = speechUnavailable(catalogue);
  if (unavailable !== undefined) errors.push({ field: '/transcribe', ...unavailable });
  const other = join === undefined ? (cut === undefined ? undefined : 'cut') : 'join';
  if (other !== undefined) errors.push(exclusive(other));
  else if (inputs.length > 1) errors.push(SEVERAL_INPUTS);
  if (!TAKES_CAPTIONS.includes(muxer))
    errors.push({
      field: '/output',
      code: 'CODEC_NOT_HELD',
      message: `A file of the format ${muxer} cannot have captions. Possible formats: ${TAKES_CAPTIONS.join(', ')}.`,
    });
  if (input?.made !== undefined) errors.push(noAudio(input));
  else if (input !== undefined && isEndlessInput(input)) errors.push(endless(input));
}

/** Appends an error if a probe found no audio in the input. */
export function rejectSilentInput(
  input: ArgvInput | undefined,
  media: ProbedInput | undefined,
  errors: FieldError[],
): void {
  if (input !== undefined && media?.streams.every(({ type }) => type !== 'audio')) errors.push(noAudio(input));
}

const exclusive = (other: 'join' | 'cut'): FieldError => ({
  field: '/transcribe',
  code: 'EXCLUSIVE',
  message: `"transcribe" works on one whole input, but "${other}" makes another video of it. A second request with "after" can transcribe that video.`,
});

const SEVERAL_INPUTS: FieldError = {
  field: '/transcribe',
  code: 'EXCLUSIVE',
  message: '"transcribe" works on one input, but the request has several.',
};

const noAudio = ({ source }: ArgvInput): FieldError => ({
  field: source.field,
  code: 'NO_SOUND',
  message: `${quoted(source.path)} has no audio, so there is no speech to recognise.`,
});

/** The error for an input that never ends. An output `t` does not end speech recognition. */
const endless = ({ source }: ArgvInput): FieldError => ({
  field: source.field,
  code: 'NEEDS_DURATION',
  message: `${quoted(source.path)} never ends, but speech is recognised until the input ends. "t" in the parameters of the input ends it.`,
});

/** The output arguments of the run that writes the captions. */
export const speechOutput = (request: Transcription): readonly string[] => [
  ...['-map', '0:a:0', '-filter:a', speechFilter(request)],
  ...NULL_OUTPUT,
];
