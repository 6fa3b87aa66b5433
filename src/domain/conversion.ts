import type { AnalysisSpec } from './analysis.ts';
import type { Cut } from './cut.ts';
import type { HlsEncryption } from './hls-encryption.ts';
import type { Join } from './join.ts';
import type { Preset } from './recipe.ts';
import type { ThumbnailTrack } from './thumbnail-track.ts';
import type { Transcription } from './transcription.ts';

/** The value of an option: a text, or a list of texts for an option that can be repeated. */
export type OptionValue = string | readonly string[];

/** ffmpeg options by their exact names, without the leading dash: `{"c:v": "libx264"}`. */
export type Parameters = Readonly<Record<string, OptionValue>>;

/** One input with its own options. Exactly one of `input` and `source` is set. */
export interface InputSpec {
  readonly input?: string;
  /** A filtergraph that makes a picture or a sound from nothing: `anullsrc=r=48000:cl=stereo`. */
  readonly source?: string;
  readonly parameters?: Parameters;
  /** How long a still picture is shown, or how long a source lasts, in seconds, as text ("2.5"). */
  readonly duration?: string;
  /** How long a picture of a slideshow fades in over the previous one, in seconds, as text. */
  readonly crossfade?: string;
}

/** One input that is a file, with its own options. */
export interface FileSpec extends InputSpec {
  readonly input: string;
}

/** The path of an input of a request, as the client sent it. undefined for a source. */
export const pathOfInput = (one: string | InputSpec): string | undefined => (typeof one === 'string' ? one : one.input);

/** What an input of a request is called in messages: its path, or the text of its source. */
export const nameOfInput = (one: string | InputSpec): string => pathOfInput(one) ?? (one as InputSpec).source ?? '';

/** One of several outputs, with its own options. */
export interface OutputSpec {
  readonly output: string;
  /** Default: `format` of the request. */
  readonly format?: string;
  /** They replace the options of the request with the same names. */
  readonly parameters?: Parameters;
  /** What replaces `parameters` if no hardware device can run the request: see `fallbackOf`. */
  readonly fallback?: Parameters;
}

/**
 * A conversion as the client requested it, after validation by the schema. It is stored unchanged, and shown without keys
 * and passwords (`hideSecrets`). Exactly one of `input` and `inputs` is set, and exactly one of `output`, `outputs`
 * and `analysis`.
 */
export interface ConversionRequest {
  readonly input?: string;
  readonly inputs?: readonly (string | InputSpec)[];
  /** Present if `inputs` are joined to one. */
  readonly join?: Join;
  /** Present if the output has only parts of the input. */
  readonly cut?: Cut;
  /** Present if the speech in the input becomes captions, which ffmpeg reads as one more input. */
  readonly transcribe?: Transcription;
  readonly output?: string;
  /** What one run of ffmpeg writes together. `format` and `parameters` of the request apply to each. */
  readonly outputs?: readonly OutputSpec[];
  readonly format?: string;
  readonly parameters?: Parameters;
  /** What replaces `parameters` if no hardware device can run the request: see `fallbackOf`. */
  readonly fallback?: Parameters;
  /** Present if the service writes a WebVTT file beside `output`, which is a sheet of pictures. */
  readonly thumbnailTrack?: ThumbnailTrack;
  /**
   * The recipe that the request uses. In the request of a job it says which one was applied; its options are in
   * `parameters` and `inputs` then.
   */
  readonly preset?: Preset;
  /** Encrypts the segments of outputs in HLS. */
  readonly encrypt?: HlsEncryption;
  /** Whether warnings are errors: those of the request reject it, and those of the run fail the job. */
  readonly strict?: boolean;
  /** Where the end of the job is reported. It can contain secrets: views show it without (`redactUrl`). */
  readonly callbackUrl?: string;
  /** Identifies the language model or agent behind the request, 1–200 characters. */
  readonly llmId?: string;
  /** Data of the client about the job, by its own names. The service shows and finds it, and does nothing else with it. */
  readonly metadata?: Metadata;
  /** How long after the end of the job its outputs are removed; see `OUTPUT_LIFETIME`. Default: they are kept. */
  readonly expiresAfterSeconds?: number;
  /** Moves the job forward in the queue, or back if negative; see `PRIORITY`. Default: 0. */
  readonly priority?: number;
  /** The ids of the jobs that must be complete before this one starts. */
  readonly after?: readonly string[];
  /** Present if the request measures `input` instead of converting it. It then has no output. */
  readonly analysis?: AnalysisSpec;
}

/** The outputs of a request, also if it has only one, each with the JSON Pointer to its path. */
export const requestedOutputs = ({
  output,
  outputs = [],
}: Pick<ConversionRequest, 'output' | 'outputs'>): readonly { readonly path: string; readonly field: string }[] =>
  output === undefined
    ? outputs.map((spec, index) => ({ path: spec.output, field: `/outputs/${index}/output` }))
    : [{ path: output, field: '/output' }];

/** Texts by names, at most `REQUEST_LIMITS.metadataBytes` together. */
export type Metadata = Readonly<Record<string, string>>;

/** The limits of one request. A request above them gets 400. */
export const REQUEST_LIMITS = {
  /** Bytes of a JSON body. A larger body gets 413. */
  bodyBytes: 1024 * 1024,
  inputs: 100,
  outputs: 20,
  /** Options of the whole request, including those of inputs and outputs, and the items of lists. */
  options: 100,
  optionNameLength: 100,
  /** Characters of one option value. This is enough for a long filtergraph. */
  optionValueLength: 16_384,
  formatLength: 64,
  llmIdLength: 200,
  /** Bytes of the metadata as compact JSON in UTF-8. */
  metadataBytes: 2048,
  metadataNameLength: 64,
  /** Requests in a batch. */
  batch: 100,
  batchNameLength: 64,
  /** Jobs in `after`. */
  after: 100,
  /** Jobs that wait for each other in a row. */
  waitingLevels: 100,
  /** Jobs that wait for one job. */
  dependents: 1000,
} as const;
