import { parseRequestPath } from '@telecine/contract/domain/bucket-path.ts';
import {
  type ConversionRequest,
  type InputSpec,
  type OptionText,
  type OptionValue,
  type OutputSpec,
  optionText,
  type Parameters,
  REQUEST_LIMITS,
} from '@telecine/contract/domain/conversion.ts';
import type { Cut } from '@telecine/contract/domain/cut.ts';
import { formatOfOptions, nameInFolder } from '@telecine/contract/domain/folder-output.ts';
import type { RequestedFrameSize } from '@telecine/contract/domain/frame-size.ts';
import { keyUriError } from '@telecine/contract/domain/hls-encryption.ts';
import type { Join } from '@telecine/contract/domain/join.ts';
import type { LadderTarget } from '@telecine/contract/domain/ladder.ts';
import { fileInFolder, type MediaPath, type PathError } from '@telecine/contract/domain/media-path.ts';
import type { PathScope } from '@telecine/contract/domain/media-root.ts';
import { originsOf } from '@telecine/contract/domain/origins.ts';
import type { OutputElement } from '@telecine/contract/domain/output-findings.ts';
import { type FieldError, pointerToken } from '@telecine/contract/domain/problem.ts';
import type { QualityTarget } from '@telecine/contract/domain/quality.ts';
import type { ThumbnailTrack } from '@telecine/contract/domain/thumbnail-track.ts';
import type { Transcription } from '@telecine/contract/domain/transcription.ts';
import { parseInputPath } from '@telecine/contract/domain/url-input.ts';
import { type BsfList, parseBsfs } from '../../bsf/check-bsfs.ts';
import type { Graph, GraphError } from '../../filtergraph/graph.ts';
import { parseGraph } from '../../filtergraph/parse.ts';
import type { ValueError } from '../../values/value-error.ts';
import { isNameError, type OptionName, parseOptionName, printOptionName } from './option-name.ts';

/** An option of a request with its name parsed. */
export interface ParsedOption {
  /** The JSON Pointer to the option. */
  readonly field: string;
  /** The name as the client sent it: `vcodec`. */
  readonly sentName: string;
  readonly name: OptionName;
  /** The name in the argv, without the dash: `c:v`. */
  readonly key: string;
  readonly value: OptionText;
  /** Present if the client sent a boolean. `value` is then its text. */
  readonly isBoolean?: true;
  /** The parsed filtergraphs of `filter` and `filter_complex`, one per text in `value`. */
  readonly graphs?: readonly (Graph | GraphError)[];
  /** The parsed value of `bsf`. Absent if the value is a list. */
  readonly bitstreamFilters?: BsfList;
}

/** An option whose name cannot be parsed. */
export interface MisnamedOption {
  readonly field: string;
  readonly error: ValueError;
}

/** In the client's order. */
export type ParsedOptions = readonly (ParsedOption | MisnamedOption)[];

export interface ParsedInput {
  /** The path as the client sent it, or the part of a URL without secrets. */
  readonly text: string;
  readonly path: MediaPath | PathError;
  /** The whole URL. Absent if the input is not at a URL. */
  readonly url?: string;
  /** The JSON Pointer to the path: `/input`, `/inputs/2`, `/inputs/2/input`. */
  readonly field: string;
  /** The JSON Pointer to the element: `/inputs/2`. Empty for the single `input`. */
  readonly pointer: string;
  readonly options: ParsedOptions;
  /** The filtergraph that generates the input. Absent if the input is a file. `text` is then the graph as sent. */
  readonly source?: Graph | GraphError;
  readonly duration?: string;
  readonly crossfade?: string;
}

/** What a request says about one output, with every path, option name, filtergraph and list of bitstream filters parsed. */
export interface OutputRequest {
  /** Determines what the client's paths mean. */
  readonly scope: PathScope;
  readonly output: MediaPath | PathError;
  readonly inputs: readonly ParsedInput[];
  /** Present if the inputs are joined into one. */
  readonly join?: Join;
  /** Present if the output has only parts of the input. */
  readonly cut?: Cut;
  /** Present if the captions of the speech become a further input. */
  readonly transcribe?: Transcription;
  /** Present if the quality of the encoder is searched for. */
  readonly quality?: QualityTarget;
  /** Present if the rungs of an HLS output are searched for. */
  readonly ladder?: LadderTarget;
  /** Present if the job chooses the frame size. */
  readonly frameSize?: RequestedFrameSize;
  /** Present if the recipe asks for `frameSize`, and the client does not. What does not go with it is then no error. */
  readonly isFrameSizeOfRecipe?: true;
  /** See `Preset`. */
  readonly maxBytes?: number;
  readonly format?: string;
  readonly thumbnailTrack?: ThumbnailTrack;
  /** The options that apply to the output: first the options of the request, then its own. */
  readonly options: ParsedOptions;
  /** Present if HLS outputs are encrypted. `errors`: what is wrong with `encrypt`. */
  readonly encrypt?: { readonly errors: readonly FieldError[] };
  /** Absent if the request has a single `output`. */
  readonly element?: Omit<OutputElement, 'path'>;
}

/** A parsed request. It has at least one output. */
export interface ParsedRequest {
  readonly outputs: readonly OutputRequest[];
}

/** Parses what does not depend on the build of ffmpeg. Errors are in the result. */
export function parseRequest(request: ConversionRequest, scope: PathScope): ParsedRequest {
  const {
    output,
    outputs = [],
    format,
    join,
    cut,
    transcribe,
    quality,
    ladder,
    frameSize,
    thumbnailTrack,
    encrypt,
  } = request;
  const keyError = encrypt && keyUriError(encrypt.keyUri);
  const inputs = parseInputs(request, scope);
  const options = withCopies(join, parseOptions(request.parameters, '/parameters'));
  const shared = {
    ...{ scope, inputs, options },
    ...(join && { join }),
    ...(cut && { cut }),
    ...(transcribe && { transcribe }),
    ...(quality && { quality }),
    ...(ladder && { ladder }),
    ...(frameSize && { frameSize }),
    ...(originsOf(request)['/frameSize'] && { isFrameSizeOfRecipe: true as const }),
    ...(request.preset?.maxBytes !== undefined && { maxBytes: request.preset.maxBytes }),
    ...(encrypt && { encrypt: { errors: keyError === undefined ? [] : [{ field: '/encrypt/keyUri', ...keyError }] } }),
    ...(format !== undefined && { format }),
  };
  if (output === undefined)
    return { outputs: outputs.map((spec, index) => parseOutput(spec, `/outputs/${index}`, shared)) };
  const path = parseOutputPath(output, formatSent(format, options), inputs, scope);
  return { outputs: [{ ...shared, output: path, ...(thumbnailTrack && { thumbnailTrack }) }] };
}

/** If inputs are joined as copies, adds `"c": "copy"`, unless the client sends `c` without a stream specifier. */
const withCopies = (join: Join | undefined, options: ParsedOptions): ParsedOptions =>
  join !== 'copy' || options.some((option) => keyOf(option) === 'c')
    ? options
    : [parseOption('c', 'copy', '/join'), ...options];

/** Parses an element of `outputs`. Its options replace those of the request with the same name in the argv. */
function parseOutput(spec: OutputSpec, pointer: string, shared: Omit<OutputRequest, 'output'>): OutputRequest {
  const { format: sharedFormat, ...others } = shared;
  const own = parseOptions(spec.parameters, `${pointer}/parameters`);
  const namesFormat = spec.format !== undefined || sentValue(own, 'f') !== undefined;
  const format = spec.format ?? (namesFormat ? undefined : sharedFormat);
  const replaced = new Set(own.map(keyOf));
  if (namesFormat) replaced.add('f');
  return {
    ...others,
    output: parseOutputPath(spec.output, formatSent(format, own), shared.inputs, shared.scope),
    ...(format !== undefined && { format }),
    options: [...shared.options.filter((option) => !replaced.has(keyOf(option))), ...own],
    element: { pointer, names: new Set(Object.keys(spec.parameters ?? {})), hasFormat: spec.format !== undefined },
  };
}

/** The format that a request names, or that its options imply. */
const formatSent = (format: string | undefined, options: ParsedOptions): OptionText | undefined =>
  format ?? sentValue(options, 'f') ?? formatOfOptions(namedOptions(options).map(({ key }) => key));

/** Reads the path of an output. If it is a folder, the fix is a file in this folder with a name for the format. */
function parseOutputPath(
  text: string,
  format: OptionText | undefined,
  [input]: readonly ParsedInput[],
  scope: PathScope,
): OutputRequest['output'] {
  const path = parseRequestPath(text, scope, 'write');
  if (typeof path === 'string' || path.code !== 'IS_DIRECTORY') return path;
  const name = nameInFolder(format === undefined ? undefined : String(format), input?.text);
  const file = parseRequestPath(`${text}/${name}`, scope, 'write');
  if (typeof file !== 'string') return path;
  return { ...path, fix: fileInFolder(file.slice(0, -name.length - 1), name) };
}

/** The name of an option in the argv: `c:v`. */
export const keyOf = (option: ParsedOption | MisnamedOption): string =>
  isMisnamed(option) ? option.field : option.key;

function parseInputs({ input, inputs = [] }: ConversionRequest, scope: PathScope): readonly ParsedInput[] {
  if (input !== undefined) return [parseInput({ input }, '', '/input', scope)];
  return inputs.map((element: string | InputSpec, index) => {
    const pointer = `/inputs/${index}`;
    if (typeof element === 'string') return parseInput({ input: element }, pointer, pointer, scope);
    const { source } = element;
    return source === undefined
      ? parseInput(element, pointer, `${pointer}/input`, scope)
      : parseSource(element, source, pointer);
  });
}

/** Parses an input that a filtergraph generates. Messages quote the text of the graph instead of the path of a file. */
const parseSource = (spec: InputSpec, text: string, pointer: string): ParsedInput => ({
  text,
  path: text as MediaPath,
  field: `${pointer}/source`,
  source: parseGraph(text),
  ...besidesFile(spec, pointer),
});

function parseInput(spec: InputSpec, pointer: string, field: string, scope: PathScope): ParsedInput {
  const { input = '' } = spec;
  const { path, url } = parseInputPath(input, scope);
  return {
    text: url !== undefined && typeof path === 'string' ? path : input,
    path,
    ...(url === undefined ? {} : { url }),
    field,
    ...besidesFile(spec, pointer),
  };
}

/** What an element of `inputs` may have besides `input` or `source`. */
const besidesFile = ({ parameters, duration, crossfade }: InputSpec, pointer: string) => ({
  pointer,
  options: parseOptions(parameters, `${pointer}/parameters`),
  ...(duration !== undefined && { duration }),
  ...(crossfade !== undefined && { crossfade }),
});

function parseOptions(parameters: Parameters | undefined, pointer: string): ParsedOptions {
  if (parameters === undefined) return [];
  const options: (ParsedOption | MisnamedOption)[] = [];
  for (const sentName of Object.keys(parameters)) {
    const value = parameters[sentName];
    if (value !== undefined) options.push(parseOption(sentName, value, `${pointer}/${pointerToken(sentName)}`));
  }
  return options;
}

/** `field`: the JSON Pointer to the option. */
export function parseOption(sentName: string, sent: OptionValue, field: string): ParsedOption | MisnamedOption {
  if (sentName.length > REQUEST_LIMITS.optionNameLength) return { field, error: NAME_TOO_LONG };
  const name = parseOptionName(sentName);
  if (isNameError(name)) return { field, error: name };
  const value = optionText(sent);
  const key = printOptionName(name);
  const option = { field, sentName, name, key, value, ...(typeof sent === 'boolean' && { isBoolean: true as const }) };
  switch (name.name) {
    case 'filter':
    case 'filter_complex':
      return { ...option, graphs: (typeof value === 'string' ? [value] : value).map((text) => parseGraph(text)) };
    case 'bsf':
      return typeof value === 'string' ? { ...option, bitstreamFilters: parseBsfs(value) } : option;
    default:
      return option;
  }
}

const NAME_TOO_LONG: ValueError = {
  code: 'TOO_LONG',
  message: `An option name is longer than ${REQUEST_LIMITS.optionNameLength} characters.`,
};

export const isMisnamed = (option: ParsedOption | MisnamedOption): option is MisnamedOption => 'error' in option;

/** The options whose names can be parsed. */
export const namedOptions = (options: ParsedOptions): readonly ParsedOption[] =>
  options.filter((option): option is ParsedOption => !isMisnamed(option));

/** The value that the client sent under exactly this option name, as a text. */
export const sentValue = (options: ParsedOptions, sentName: string): OptionText | undefined =>
  options.find((option): option is ParsedOption => !isMisnamed(option) && option.sentName === sentName)?.value;
