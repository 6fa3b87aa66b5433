/** A value as the client sends it: text, or a list of texts where ffmpeg lets the option be repeated. */
export type OptionValue = string | readonly string[];

/** ffmpeg options by their exact names, without the leading dash: `{"c:v": "libx264"}`. */
export type Parameters = Readonly<Record<string, OptionValue>>;

/** One input with options that belong to it alone. */
export interface InputSpec {
  readonly input: string;
  readonly parameters?: Parameters;
  /** Seconds that a still picture is shown, as text ("2.5"). */
  readonly duration?: string;
  /** Seconds, as text, in which a picture of a slideshow comes in across the one before it. */
  readonly crossfade?: string;
}

/**
 * What a client asked for, word for word after the shape was checked. It is stored and shown as it came;
 * exactly one of `input` and `inputs` is there.
 */
export interface ConversionRequest {
  readonly input?: string;
  readonly inputs?: readonly (string | InputSpec)[];
  readonly output: string;
  readonly format?: string;
  readonly parameters?: Parameters;
  /** Who asked on behalf of a language model, 1–200 characters. */
  readonly llmId?: string;
}

/** What one request may hold. Over any of them: 400. */
export const REQUEST_LIMITS = {
  /** Bytes of a JSON body. Over: 413. */
  bodyBytes: 1024 * 1024,
  inputs: 100,
  /** Options of the whole request, those of its inputs and the members of lists included. */
  options: 100,
  optionNameLength: 100,
  /** Characters of one option value; a long filtergraph fits. */
  optionValueLength: 16_384,
  formatLength: 64,
  llmIdLength: 200,
} as const;
