import { parseDuration } from '@telecine/contract/domain/duration.ts';
import { extension, FONTS_FOLDER, isFontFile, type MediaPath } from '@telecine/contract/domain/media-path.ts';
import type { PlannedInput, Span } from '@telecine/contract/domain/plan.ts';
import { type FieldError, pointerToken } from '@telecine/contract/domain/problem.ts';
import { deviceDecoderError } from '../../allowlist/device-components.ts';
import { drawingDecoderError, drawingError, inputFormatNamed } from '../../allowlist/input-formats.ts';
import { type Catalogue, decoderNamed, encoderNamed } from '../../catalogue/catalogue.ts';
import { quoted, type ValueError } from '../../values/value-error.ts';
import { type ArgvOption, hasKey, readTrim, sentName } from './argv-option.ts';
import { badDuration, isDuration, twoDurations } from './duration-field.ts';
import { hasCounter, isImageExtension, isImageFile } from './format-names.ts';
import { type ParsedInput, sentValue } from './parse-request.ts';
import { type OptionContext, resolveBitstreamFilters, resolveOptions } from './resolve-options.ts';
import { type MadeMedia, type ResolvedSource, resolveSource } from './sources.ts';
import { WHOLE_REQUEST_OPTIONS } from './whole-run-options.ts';

/** An input with the options before its `-i`. */
export interface ArgvInput {
  readonly source: PlannedInput;
  readonly options: readonly ArgvOption[];
  /** The demuxer that the client chose. */
  readonly format?: string | undefined;
  /** Present if a filtergraph (`source`) generates the input. */
  readonly made?: MadeMedia;
  /** Present if the input is a list of clips that ffmpeg reads as one input. */
  readonly isList?: true;
  /** How many seconds an image is shown or a `source` lasts, as the client wrote it. */
  readonly duration?: string | undefined;
  /** How long an image of a slideshow, or an input of a join, fades in over the previous one. */
  readonly crossfade?: { readonly seconds: number; readonly field: string } | undefined;
}

/**
 * Resolves the inputs. `shared`: the input options of the whole request, which apply to every input that does not set the same option.
 * Inputs with an invalid path are missing in the result.
 */
export function resolveInputs(
  inputs: readonly ParsedInput[],
  shared: readonly ArgvOption[],
  context: OptionContext,
): ArgvInput[] {
  const resolved: ArgvInput[] = [];
  const withoutImageOptions = inputs.some(isImageInput)
    ? shared.filter(({ name }) => !IMAGE_DEMUXER_OPTIONS.has(name.name))
    : shared;
  for (const [index, input] of inputs.entries()) {
    const result = resolveInput(input, index, isImageInput(input) ? shared : withoutImageOptions, context);
    if (result !== undefined) resolved.push(result);
  }
  return resolved;
}

/** Options of image demuxers. Only images get them, because other demuxers reject them. */
const IMAGE_DEMUXER_OPTIONS: ReadonlySet<string> = new Set([
  'framerate',
  'loop',
  'pattern_type',
  'start_number',
  'start_number_range',
]);

/** Extensions of files that state their format. Options of raw and image demuxers have no effect on them. */
const CONTAINERS: ReadonlySet<string> = new Set(
  (
    'mp4 m4v m4a m4b mov mkv mka webm avi flv ts m2ts mts mpg mpeg vob wmv wma asf 3gp ogg ogv oga opus mp3 aac wav ' +
    'flac aif aiff caf mxf wtv'
  ).split(' '),
);

/** True if an input has the extension of a container, and the client chooses no other demuxer. */
export const isContainerInput = ({ text, options }: ParsedInput): boolean =>
  CONTAINERS.has(text.slice(text.lastIndexOf('.') + 1).toLowerCase()) && sentValue(options, 'f') === undefined;

const isImageInput = ({ text }: ParsedInput): boolean =>
  isImageFile(text.slice(text.lastIndexOf('.') + 1).toLowerCase());

function resolveInput(
  input: ParsedInput,
  index: number,
  shared: readonly ArgvOption[],
  context: OptionContext,
): ArgvInput | undefined {
  const own = resolveOwnOptions(input, context);
  if (input.source !== undefined)
    return sourceInput(input, own, resolveSource(input, input.source, own, context), context.errors);
  const format = selectDemuxer(input, context);
  const { path, field, url } = input;
  if (typeof path !== 'string') {
    context.errors.push({ field, ...path });
    return undefined;
  }
  const drawing = drawingError(extension(path));
  if (drawing !== undefined) {
    context.errors.push({ field, ...drawing });
    return undefined;
  }
  const options = withoutSeekToStart(
    own.length === 0 ? shared : [...shared.filter((option) => !own.some(({ key }) => key === option.key)), ...own],
  );
  const duration = readDuration(input, path, options, context.errors);
  const crossfade = readCrossfade(input, context.errors);
  const source =
    url === undefined ? nameInput(path, index, field, options) : { logical: plainName(path, index), path, url, field };
  const sequenceOption = options.find(({ key }) => STAGING_OPTIONS.has(key));
  if (url !== undefined && sequenceOption !== undefined) {
    context.errors.push({ field: sequenceOption.field, ...oneFileOnly(sequenceOption.key) });
    return undefined;
  }
  return {
    source,
    options: source.sequence === undefined ? options : options.filter(({ key }) => !STAGING_OPTIONS.has(key)),
    ...{ format, duration, crossfade },
  };
}

/**
 * Drops a seek to 0 s. It asks for what ffmpeg reads anyway, but inputs without an index, such as raw streams, AVI and FLV, lose their first
 * frames or all of them by it. With `seek_timestamp`, 0 may be another place than the start.
 */
const withoutSeekToStart = (options: readonly ArgvOption[]): readonly ArgvOption[] =>
  hasKey(options, 'seek_timestamp')
    ? options
    : options.filter(({ key, values }) => key !== 'ss' || parseDuration(values[0] ?? '') !== 0);

/** The input for a valid `source`. It gets no options of the whole request, which apply only to files. */
function sourceInput(
  input: ParsedInput,
  options: readonly ArgvOption[],
  resolved: ResolvedSource | undefined,
  errors: FieldError[],
): ArgvInput | undefined {
  const { path, field, duration } = input;
  const crossfade = readCrossfade(input, errors);
  return (
    resolved && {
      source: { logical: resolved.logical, path: path as MediaPath, field, isSource: true },
      options,
      format: resolved.demuxer,
      made: resolved.made,
      ...{ duration, crossfade },
    }
  );
}

/** Options that select the files of an image sequence. ffmpeg must not get these options, because staging renumbers the files. */
const STAGING_OPTIONS: ReadonlySet<string> = new Set(['start_number', 'start_number_range', 'pattern_type']);

/** Chooses the name of an input in the argv. Only its extension comes from the client. */
function nameInput(path: MediaPath, index: number, field: string, options: readonly ArgvOption[]): PlannedInput {
  const fileExtension = extension(path);
  const suffix = suffixOf(path);
  const glob = options.some(({ key, values }) => key === 'pattern_type' && values[0] === 'glob');
  const isSequence = hasCounter(path) && (isImageFile(fileExtension) || hasKey(options, 'framerate'));
  if (!isSequence && !glob) return { logical: plainName(path, index), path, field };
  const start = options.find(({ key }) => key === 'start_number')?.values[0];
  const startNumber = start === undefined ? Number.NaN : Number(start);
  return {
    logical: `in/${index}/%06d${suffix}`,
    path,
    field,
    sequence: glob ? { glob } : Number.isSafeInteger(startNumber) ? { startNumber } : {},
  };
}

const plainName = (path: MediaPath, index: number): string =>
  `${isFontFile(path) ? FONTS_FOLDER : 'in'}/${index}${suffixOf(path)}`;

/** The extension of an input in the argv, with its dot. Empty: the path has no extension, or it is not safe in an argv. */
export function suffixOf(path: MediaPath): string {
  const fileExtension = extension(path);
  return /^[a-z0-9]{1,10}$/.test(fileExtension) ? `.${fileExtension}` : '';
}

const oneFileOnly = (key: string): ValueError => ({
  code: 'NO_SEQUENCE',
  message: `"${key}" selects the files of an image sequence, but a URL is one file.`,
});

function resolveOwnOptions(input: ParsedInput, context: OptionContext): readonly ArgvOption[] {
  const { catalogue, errors } = context;
  for (const key of WHOLE_REQUEST_OPTIONS) {
    const value = sentValue(input.options, key);
    if (value !== undefined) errors.push(wrongSide(`${input.pointer}/parameters/${pointerToken(key)}`, key));
  }
  const own = { ...context, containersOnly: isContainerInput(input), isInput: true as const };
  return resolveBitstreamFilters(resolveOptions(input.options, own), catalogue, errors).filter((option) => {
    const { name, field, values, side } = option;
    const checkDecoder = (value: string): ValueError | undefined =>
      deviceDecoderError(value, catalogue.devices) ?? drawingDecoderError(value) ?? unknownDecoder(value, catalogue);
    const decoderError = name.name === 'c' ? values.map(checkDecoder).find(Boolean) : undefined;
    if (decoderError !== undefined) errors.push({ field, ...decoderError });
    if (side === 'input' || side === 'either') return true;
    errors.push(wrongSide(field, sentName(option)));
    return false;
  });
}

function unknownDecoder(value: string, catalogue: Catalogue): ValueError | undefined {
  if (decoderNamed(catalogue, value) !== undefined) return undefined;
  return value !== 'copy' && encoderNamed(catalogue, value) === undefined
    ? { code: 'UNKNOWN_DECODER', message: `The installed ffmpeg has no decoder ${quoted(value)}.` }
    : {
        code: 'WRONG_SIDE',
        message: `The codec of an input is its decoder. The encoder ${quoted(value)} belongs in the "parameters" of the request.`,
      };
}

const wrongSide = (field: string, key: string): FieldError => ({
  field,
  code: 'WRONG_SIDE',
  message: `"${key}" is not an input option. It belongs in the "parameters" of the request.`,
});

/** Where the content of input formats belongs that people use on a command line. */
const OTHER_FIELDS: ReadonlyMap<unknown, string> = new Map([
  ['lavfi', ' A filtergraph is an input as {"source": "color=c=black:s=1280x720"}.'],
  ['concat', ' The files of a list are "inputs", which "join" joins.'],
]);

/** The demuxer that the client chose. Raw audio and video have no header, so they need it. */
function selectDemuxer(input: ParsedInput, { catalogue, errors }: OptionContext): string | undefined {
  const { pointer, options } = input;
  const f = sentValue(options, 'f');
  if (f === undefined) return undefined;
  const named = typeof f === 'string' ? inputFormatNamed(f) : undefined;
  if (named !== undefined && catalogue.lists.demuxers.has(named)) return named;
  errors.push({
    field: `${pointer}/parameters/f`,
    code: 'UNKNOWN_FORMAT',
    message:
      typeof f === 'string'
        ? `Unsupported input format ${quoted(f)}.${OTHER_FIELDS.get(f) ?? ''}`
        : 'The input format is a list.',
  });
  return undefined;
}

function readCrossfade({ pointer, crossfade }: ParsedInput, errors: FieldError[]): ArgvInput['crossfade'] {
  if (crossfade === undefined) return undefined;
  const field = `${pointer}/crossfade`;
  if (isDuration(crossfade)) return { seconds: Number(crossfade), field };
  errors.push({ field, ...badDuration('crossfade') });
  return undefined;
}

function readDuration(
  input: ParsedInput,
  path: MediaPath,
  options: readonly ArgvOption[],
  errors: FieldError[],
): string | undefined {
  const { pointer, duration, url } = input;
  if (duration === undefined) return undefined;
  const error = checkDuration(duration, path, url, options);
  if (error === undefined) return duration;
  errors.push({ field: `${pointer}/duration`, ...error });
  return undefined;
}

function checkDuration(
  duration: string,
  path: MediaPath,
  url: string | undefined,
  options: readonly ArgvOption[],
): ValueError | undefined {
  if (!isDuration(duration)) return badDuration('duration');
  if (!isImageExtension(extension(path)) || (url === undefined && hasCounter(path)))
    return {
      code: 'NOT_A_STILL',
      message:
        'Only a single image (jpg, png, webp, …) can have a "duration". For a part of a video or audio file, "t" belongs in the "parameters" of this input.',
    };
  const conflict = options.find(({ key }) => DURATION_OPTIONS.has(key));
  return conflict && twoDurations(conflict.key, 'the image is shown');
}

const DURATION_OPTIONS: ReadonlySet<string> = new Set(['t', 'to', 'loop', 'stream_loop']);

/** The part of the inputs that reaches the output, by `ss`, `t`, `to`, `duration` and `stream_loop`. */
export function computeSpan(inputs: readonly ArgvInput[], output: readonly ArgvOption[]): Span {
  return {
    inputs: inputs.map(({ options, duration }) => ({
      ...readTrim(options),
      ...(duration === undefined ? {} : { duration: Number(duration) }),
      ...readLoops(options),
    })),
    output: readTrim(output),
    shortest: hasKey(output, 'shortest'),
  };
}

/** Reads `stream_loop` of an input. Empty if the input is read once. */
function readLoops(options: readonly ArgvOption[]): { readonly loops?: number } {
  const loops = Number(options.findLast(({ key }) => key === 'stream_loop')?.values[0] ?? 0);
  return Number.isInteger(loops) && loops !== 0 ? { loops } : {};
}
