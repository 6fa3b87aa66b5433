/** The value of an option: a text, or a list of texts for an option that can be repeated. */
export type OptionValue = string | readonly string[];

/** ffmpeg options by their exact names, without the leading dash: `{"c:v": "libx264"}`. */
export type Parameters = Readonly<Record<string, OptionValue>>;

/** One input with its own options. */
export interface InputSpec {
  readonly input: string;
  readonly parameters?: Parameters;
  /** Seconds that a still picture is shown, as text ("2.5"). */
  readonly duration?: string;
  /** Seconds, as text, for fading a picture of a slideshow in over the previous one. */
  readonly crossfade?: string;
}

/**
 * A conversion as the client requested it, after a check of its shape. It is stored and shown unchanged. Exactly one of
 * `input` and `inputs` is set.
 */
export interface ConversionRequest {
  readonly input?: string;
  readonly inputs?: readonly (string | InputSpec)[];
  readonly output: string;
  readonly format?: string;
  readonly parameters?: Parameters;
  /** Identifies the language model or agent behind the request, 1–200 characters. */
  readonly llmId?: string;
}

/** Limits of one request. A request above them gets 400. */
export const REQUEST_LIMITS = {
  /** Bytes of a JSON body. A larger body gets 413. */
  bodyBytes: 1024 * 1024,
  inputs: 100,
  /** Options of the whole request, including those of inputs and the items of lists. */
  options: 100,
  optionNameLength: 100,
  /** Characters of one option value; a long filtergraph fits. */
  optionValueLength: 16_384,
  formatLength: 64,
  llmIdLength: 200,
} as const;
