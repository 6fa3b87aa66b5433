import type { ConversionRequest, InputSpec, Parameters } from '../../../domain/conversion.ts';
import { extension, type MediaPath, parseMediaPath } from '../../../domain/media-path.ts';
import type { PlannedInput } from '../../../domain/plan.ts';
import { type FieldError, pointerToken } from '../../../domain/problem.ts';
import { deviceDecoderError } from '../../allowlist/device-codecs.ts';
import { INPUT_FORMAT_NAMES } from '../../allowlist/input-formats.ts';
import { resolveBitstreamFilters } from './bitstream-filters.ts';
import { hasCounter, isImageFile, isPictureExtension } from './format-names.ts';
import { HANDLED_ELSEWHERE, WHOLE_REQUEST_OPTIONS } from './overwrite-and-passes.ts';
import { type ArgvOption, type OptionContext, resolveOptions } from './resolve-options.ts';

/** An input with what stands before its `-i`. */
export interface ArgvInput {
  readonly source: PlannedInput;
  readonly options: readonly ArgvOption[];
  /** The demuxer that the caller chose. */
  readonly format?: string;
  /** Seconds that a still is shown, as the caller wrote them. */
  readonly duration?: string;
  /** Seconds in which a picture of a slideshow comes in across the one before it. */
  readonly crossfade?: { readonly seconds: number; readonly field: string };
}

interface Named {
  readonly text: string;
  readonly field: string;
  /** Where the element lies: `/inputs/2`; '' for the one `input`, which has no options of its own. */
  readonly at: string;
  readonly parameters?: Parameters;
  readonly duration?: string;
  readonly crossfade?: string;
}

/**
 * Reads the inputs. `shared` are the input options of the whole request, which go before every input that
 * does not say them itself.
 */
export function resolveInputs(
  request: ConversionRequest,
  root: string,
  shared: readonly ArgvOption[],
  context: OptionContext,
): ArgvInput[] {
  const inputs: ArgvInput[] = [];
  const all = namedInputs(request);
  const others = all.some(({ text }) => readsPictures(text))
    ? shared.filter(({ name }) => !OF_PICTURES.has(name.name))
    : shared;
  for (const [index, named] of all.entries()) {
    const input = readInput(named, index, root, readsPictures(named.text) ? shared : others, context);
    if (input !== undefined) inputs.push(input);
  }
  return inputs;
}

/** Options of the readers of pictures. Sound beside pictures is read by others, which would fail on them. */
const OF_PICTURES: ReadonlySet<string> = new Set([
  'framerate',
  'loop',
  'pattern_type',
  'start_number',
  'start_number_range',
]);

const readsPictures = (text: string): boolean => isImageFile(text.slice(text.lastIndexOf('.') + 1).toLowerCase());

function namedInputs(request: ConversionRequest): Named[] {
  if (request.input !== undefined) return [{ text: request.input, field: '/input', at: '' }];
  return (request.inputs ?? []).map((element: string | InputSpec, index): Named => {
    const at = `/inputs/${index}`;
    if (typeof element === 'string') return { text: element, field: at, at };
    const { input, ...rest } = element;
    return { text: input, field: `${at}/input`, at, ...rest };
  });
}

function readInput(
  named: Named,
  index: number,
  root: string,
  shared: readonly ArgvOption[],
  context: OptionContext,
): ArgvInput | undefined {
  const own = ownOptions(named, context);
  const format = inputFormat(named, context);
  const path = parseMediaPath(named.text, root);
  if (typeof path !== 'string') {
    context.errors.push({ field: named.field, ...path });
    return undefined;
  }
  const options = own.length === 0 ? shared : [...shared.filter((s) => !own.some((o) => o.key === s.key)), ...own];
  const duration = stillDuration(named, path, options, context.errors);
  const crossfade = readCrossfade(named, context.errors);
  const source = planInput(path, index, named.field, options);
  return {
    source,
    options: source.sequence === undefined ? options : options.filter(({ key }) => !FOR_STAGING.has(key)),
    ...(format === undefined ? {} : { format }),
    ...(duration === undefined ? {} : { duration }),
    ...(crossfade === undefined ? {} : { crossfade }),
  };
}

/** Frames are staged under numbers from 0 on, so what says which they are is not for ffmpeg. */
const FOR_STAGING: ReadonlySet<string> = new Set(['start_number', 'start_number_range', 'pattern_type']);

function planInput(path: MediaPath, index: number, field: string, options: readonly ArgvOption[]): PlannedInput {
  const kind = extension(path);
  // Names are the service's: what the caller's name holds can mean nothing to ffmpeg.
  const suffix = /^[a-z0-9]{1,10}$/.test(kind) ? `.${kind}` : '';
  const glob = options.some(({ key, values }) => key === 'pattern_type' && values[0] === 'glob');
  const counts = hasCounter(path) && (isImageFile(kind) || options.some(({ key }) => key === 'framerate'));
  if (!counts && !glob) return { logical: `in/${index}${suffix}`, path, field };
  const start = options.find(({ key }) => key === 'start_number')?.values[0];
  const startNumber = start === undefined ? Number.NaN : Number(start);
  return {
    logical: `in/${index}/%06d${suffix}`,
    path,
    field,
    sequence: glob ? { glob } : Number.isSafeInteger(startNumber) ? { startNumber } : {},
  };
}

function ownOptions(named: Named, context: OptionContext): ArgvOption[] {
  const at = `${named.at}/parameters`;
  for (const key of WHOLE_REQUEST_OPTIONS) {
    if (named.parameters !== undefined && Object.hasOwn(named.parameters, key))
      context.errors.push(wrongSide(`${at}/${pointerToken(key)}`, key));
  }
  const read = resolveOptions(named.parameters, at, HANDLED_ELSEWHERE, context);
  const options = resolveBitstreamFilters(read, context.catalogue, context.errors);
  return options.filter((option) => {
    const decoder = option.name.name === 'c' ? option.values.map(deviceDecoderError).find(Boolean) : undefined;
    if (decoder !== undefined) context.errors.push({ field: option.field, ...decoder });
    if (option.side === 'input' || option.side === 'either') return true;
    context.errors.push(wrongSide(option.field, option.key));
    return false;
  });
}

const wrongSide = (field: string, key: string): FieldError => ({
  field,
  code: 'WRONG_SIDE',
  message: `"${key}" is no option of an input.`,
  fix: `Send "${key}" in the "parameters" of the request.`,
});

/** What does the same as the formats that experts miss. */
const INSTEAD: ReadonlyMap<string, string> = new Map([
  ['lavfi', 'Send the source in "filter_complex", "anullsrc=r=48000[a]" for example, and "map": ["0:v", "[a]"].'],
  [
    'concat',
    'Send the files in "inputs", "filter_complex": "[0:v][0:a][1:v][1:a]concat=n=2:v=1:a=1[v][a]" and "map": ["[v]", "[a]"].',
  ],
]);

/** Raw audio and video has no header, so its demuxer has to be named. */
function inputFormat({ at, parameters }: Named, { catalogue, errors }: OptionContext): string | undefined {
  if (parameters === undefined || !Object.hasOwn(parameters, 'f')) return undefined;
  const f = parameters['f'];
  if (typeof f === 'string' && INPUT_FORMAT_NAMES.has(f) && catalogue.lists.demuxers.has(f)) return f;
  errors.push({
    field: `${at}/parameters/f`,
    code: 'UNKNOWN_FORMAT',
    message: 'This is no input format that is offered.',
    fix:
      (typeof f === 'string' ? INSTEAD.get(f) : undefined) ??
      'Leave it out: ffmpeg finds the format by itself, except that of raw audio ("s16le") and video ("rawvideo").',
  });
  return undefined;
}

const SECONDS = /^\d{1,6}(?:\.\d{1,6})?$/;

function readCrossfade({ at, crossfade }: Named, errors: FieldError[]): ArgvInput['crossfade'] {
  if (crossfade === undefined) return undefined;
  const field = `${at}/crossfade`;
  if (SECONDS.test(crossfade) && Number(crossfade) > 0) return { seconds: Number(crossfade), field };
  errors.push({
    field,
    code: 'BAD_DURATION',
    message: 'The crossfade is a positive number of seconds.',
    fix: 'Send it as a string, such as "0.5".',
  });
  return undefined;
}

function stillDuration(
  { at, duration }: Named,
  path: MediaPath,
  options: readonly ArgvOption[],
  errors: FieldError[],
): string | undefined {
  if (duration === undefined) return undefined;
  const field = `${at}/duration`;
  if (!SECONDS.test(duration) || Number(duration) === 0) {
    errors.push({
      field,
      code: 'BAD_DURATION',
      message: 'The duration is a positive number of seconds.',
      fix: 'Send it as a string, such as "2.5".',
    });
    return undefined;
  }
  if (!isPictureExtension(extension(path)) || hasCounter(path)) {
    errors.push({
      field,
      code: 'NOT_A_STILL',
      message: 'Only a single picture (jpg, png, webp, …) has a duration to be said.',
      fix: 'To use a part of a video or of sound, send "t" in the parameters of this input.',
    });
    return undefined;
  }
  const clash = options.find(({ key }) => key === 't' || key === 'to' || key === 'loop' || key === 'stream_loop');
  if (clash === undefined) return duration;
  errors.push({
    field,
    code: 'DUPLICATE_OPTION',
    message: `"duration" and "${clash.key}" both say how long the picture is shown.`,
    fix: `Leave out "${clash.key}".`,
  });
  return undefined;
}
