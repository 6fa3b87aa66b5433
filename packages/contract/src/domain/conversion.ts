import type { conversionFields, inputSpec, outputSpec, parameters } from '../wire/conversion.ts';
import type { metadata } from '../wire/metadata.ts';
import type { Shape } from '../wire/shape.ts';
import type { AnalysisSpec } from './analysis.ts';
import type { Origins } from './origins.ts';
import type { Preset, RecipeDefinition } from './recipe.ts';

/** The value of an option. After validation, numbers are texts. A list is for an option that can be repeated. */
export type OptionValue = Parameters[string];

/** The value of an option as ffmpeg takes it. A boolean is `"true"` or `"false"`. */
export type OptionText = string | readonly string[];

export const optionText = (value: OptionValue): OptionText =>
  typeof value === 'object' ? value.map(String) : String(value);

/** Whether an option of ffmpeg that takes no value is set. */
export const isFlagSet = (value: OptionValue | undefined): boolean =>
  value !== undefined && optionText(value) !== 'false';

/** ffmpeg options. The keys are the exact names without the leading dash: `{"c:v": "libx264"}`. */
export type Parameters = Shape<typeof parameters>;

/** One input with its own options. It has either `input` (a file) or `source` (a filtergraph). */
export interface InputSpec extends Shape<typeof inputSpec> {}

/** One input that is a file, with its own options. */
export interface FileSpec extends InputSpec {
  readonly input: string;
}

/** The path of an input in a request, as the client sent it. undefined: the input is a source (a filtergraph). */
export const pathOfInput = (one: string | InputSpec): string | undefined => (typeof one === 'string' ? one : one.input);

/** The name of an input in messages: its path, or the text of its source. */
export const nameOfInput = (one: string | InputSpec): string => pathOfInput(one) ?? (one as InputSpec).source ?? '';

/** One of several outputs. Its options replace options of the request. `fallbackOf` uses its `fallback`. */
export interface OutputSpec extends Shape<typeof outputSpec> {}

/**
 * A conversion as the client requested it, after validation by the schema. The service stores it unchanged; replies hide keys and passwords
 * (`hideSecrets`, and `redactUrl` for `callbackUrl`). A request has either `input` or `inputs`, and one of `output`, `outputs` and
 * `analysis`.
 */
export interface ConversionRequest extends Omit<Shape<typeof conversionFields>, 'preset'> {
  readonly preset?: Preset;
  /** Present if the request measures `input` instead of converting it. Such a request has no output. */
  readonly analysis?: AnalysisSpec;
  /** The recipe of a job, as it was when the job was accepted. The worker applies it. Clients cannot send it. */
  readonly recipe?: RecipeDefinition;
  /** Present if the job runs its fallback, because no worker had the device when it was accepted. Clients cannot send it. */
  readonly usesFallback?: true;
  /** In a request that runs: what the client sent for its parts. It is not stored. Clients cannot send it. */
  readonly origins?: Origins;
  /**
   * What the client sent for `REPLACED_MEMBERS`. Present in the request of a job that runs or has run, if its recipe was applied or its fallback
   * chosen (`requestAsSent`). Clients cannot send it.
   */
  readonly sent?: Readonly<Partial<Pick<ConversionRequest, (typeof REPLACED_MEMBERS)[number]>>>;
}

/** The members of a request that a recipe or a fallback replaces. */
export const REPLACED_MEMBERS = [
  ...(['input', 'inputs', 'output', 'outputs', 'format', 'parameters', 'fallback', 'preset', 'join', 'cut'] as const),
  ...(['transcribe', 'quality', 'ladder', 'frameSize', 'thumbnailTrack'] as const),
] as const satisfies readonly (keyof ConversionRequest)[];

/** Lists the outputs of a request: the elements of `outputs`, or the one `output`. `field`: the JSON Pointer to the path. */
export const requestedOutputs = ({
  output,
  outputs = [],
}: Pick<ConversionRequest, 'output' | 'outputs'>): readonly { readonly path: string; readonly field: string }[] =>
  output === undefined
    ? outputs.map((spec, index) => ({ path: spec.output, field: `/outputs/${index}/output` }))
    : [{ path: output, field: '/output' }];

/**
 * The master playlist of an output of HLS, by the name in `master_pl_name`. As ffmpeg does, in the folder of the playlists or, if `%v` is in
 * the name of this folder, in the folder above it. `checkMasterFolder` rejects `%v` in other folders, which ffmpeg does not expand then.
 */
export function masterPath(path: string, name: string): string {
  const folders = path.split('/').slice(0, -1);
  if (folders.at(-1)?.includes('%v')) folders.pop();
  return [...folders, name].join('/');
}

/**
 * The file of an output that one plays, by which people know it: the master playlist of HLS, and not the pattern of the other playlists.
 * `parameters`: all options of the output.
 */
export function playedPath(path: string, parameters: Parameters = {}): string {
  const master = parameters['master_pl_name'];
  return path.includes('%v') && typeof master === 'string' ? masterPath(path, master) : path;
}

/** The client's own data about a job: texts by their names, at most `REQUEST_LIMITS.metadataBytes` bytes together. */
export type Metadata = Shape<typeof metadata>;

/** The limits of one request. A request above a limit gets status 400. */
export const REQUEST_LIMITS = {
  /** Bytes of a JSON body. A larger body gets status 413. */
  bodyBytes: 1024 * 1024,
  inputs: 100,
  outputs: 20,
  /** Options of a request together with the options of its inputs and outputs. Each item of a list counts. */
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
  /** The length of a chain of jobs in which each job waits for the one before. */
  waitingLevels: 100,
  /** Jobs that wait for the same job. */
  dependents: 1000,
} as const;
