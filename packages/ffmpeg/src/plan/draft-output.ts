import type { ClientLimits } from '@telecine/contract/domain/client-limits.ts';
import type { Join } from '@telecine/contract/domain/join.ts';
import { extension, type MediaPath } from '@telecine/contract/domain/media-path.ts';
import type { DraftedOutput, InputProbe, Warning } from '@telecine/contract/domain/plan.ts';
import { type FieldError, hasEnough, outputIsInput } from '@telecine/contract/domain/problem.ts';
import { movLanguage } from '../allowlist/stored-tags.ts';
import { type Catalogue, componentKey } from '../catalogue/catalogue.ts';
import type { ComponentName } from '../catalogue/component.ts';
import { componentOf } from '../catalogue/components.ts';
import { checkSearch, type Search } from '../sampling/plan/search.ts';
import { checkCodecsAndMaps, rejectFilteredCopies } from './checks/codecs-and-maps.ts';
import { rejectUnreadFonts } from './checks/filter-files.ts';
import { type CheckedFiltergraphs, checkFiltergraphs } from './checks/filtergraphs.ts';
import { checkInputValues, checkSourceEnds } from './checks/input-values.ts';
import type { OtherOutputs } from './checks/maps.ts';
import { checkOutputValues } from './checks/output-values.ts';
import { checkCommandSize, checkLimits } from './checks/resource-limits.ts';
import { resolveStreamEncoders, type StreamEncoders } from './encoders/stream-encoders.ts';
import { type Machine, usesSvtLevels } from './encoders/thread-count.ts';
import { numberVideoOptions } from './encoders/two-pass.ts';
import { CUT_OF_JOIN, checkCut } from './joining/cut-checks.ts';
import { checkClips } from './joining/join-checks.ts';
import { listInput } from './joining/plan-join.ts';
import { checkStabilization } from './measuring-passes.ts';
import { checkEncryption, checkHlsEncryption } from './outputs/encryption.ts';
import { folderAndManifest } from './outputs/output-target.ts';
import type { DraftFacts } from './plan-facts.ts';
import { type ArgvOption, hasKey, lastValue, readTrim, serviceOption } from './request/argv-option.ts';
import { canHave } from './request/file-features.ts';
import { hasCounter, isImageFile, type OutputFormat } from './request/format-names.ts';
import { type OutputRequest, sentValue } from './request/parse-request.ts';
import { type ArgvInput, isContainerInput, resolveInputs } from './request/resolve-inputs.ts';
import { resolveBitstreamFilters, resolveOptions } from './request/resolve-options.ts';
import { albumOptions, audioAlone, discardedOutput, isAudioOnly, selectFormat } from './request/select-muxer.ts';
import { readReplace, readTwoPass, withoutMisplaced } from './request/whole-run-options.ts';
import { requiredComponents } from './required-components.ts';
import { planSlideshow, type Slideshow } from './slideshow.ts';
import { decodeUntilStart, seeksOf, writtenVideos } from './source-filters.ts';
import { captionOptions, captionsInput, checkTranscription } from './transcript.ts';

/** One output of a request with its own options and inputs looked up. */
export interface ReadOutput {
  readonly context: PlanContext;
  /** The errors of `context`, to which the next steps append. */
  readonly errors: readonly FieldError[];
  readonly output: SelectedOutput;
  readonly options: ResolvedOptions;
}

/** One output of a request with all that is decided before its inputs are probed. */
export interface OutputDraft extends ReadOutput {
  /** The folder below `out/` for the files of this output: '' or, for example, `1/`. */
  readonly subfolder: string;
  /** undefined: `context.errors` has the reasons. */
  readonly checked?: CheckedOutput;
}

/** An output with a valid path and format, whose parts were compared with each other. */
interface CheckedOutput {
  readonly output: KnownOutput;
  readonly resolved: ResolvedRequest;
  readonly valueWarnings: readonly Warning[];
  /** Present if the request searches by samples. */
  readonly search?: Search;
  readonly arrangement: Arrangement;
}

/** Reads the options and inputs of one output. The errors are in `context.errors`. */
export function readOutput(request: OutputRequest, facts: DraftFacts): ReadOutput {
  const context = createContext(request, facts);
  const output = selectOutput(context);
  return { context, errors: context.errors, output, options: resolveRequestOptions(output, context) };
}

/**
 * Decides and checks all that does not depend on the content of the inputs. Appends to `context.errors`.
 *
 * @param others The other outputs of the same run of ffmpeg. undefined: there are none.
 */
export function draftOutput(read: ReadOutput, others?: OtherOutputs, subfolder = ''): OutputDraft {
  const { context, output, options } = read;
  const { errors } = context;
  const draft = { ...read, subfolder };
  if (hasEnough(errors)) return draft;
  const resolved = resolveStreams(output, options, others, context);
  if (hasEnough(errors)) return draft;
  const valueWarnings = checkRequest(output, resolved, context);
  const { muxer, imageEncoder: ofImage } = output.format ?? {};
  const isImage = ofImage !== undefined || IMAGES.has(muxer ?? '');
  const search = checkSearch({ ...context, ...resolved, muxer, isImage });
  if (!isKnown(output)) return draft;
  const arrangement = arrangeInputs(output, resolved, context);
  return { ...draft, checked: { output, resolved, valueWarnings, ...(search && { search }), arrangement } };
}

/** The path of an output, and its manifest. undefined: there are errors. */
export function draftedOutput({ context: { request }, options, checked }: OutputDraft): DraftedOutput | undefined {
  if (checked === undefined) return undefined;
  const { output, resolved } = checked;
  const names = folderAndManifest(output.path, output.format.muxer, resolved.options, request);
  return { field: '/output', path: output.path, replace: options.replace, ...names };
}

/** Muxers of images that can move. */
const IMAGES: ReadonlySet<string> = new Set(['gif', 'apng', 'webp', 'avif']);

export interface PlanContext {
  readonly request: OutputRequest;
  /** With only the required components. */
  readonly catalogue: Catalogue;
  readonly components: readonly ComponentName[];
  readonly policy: ClientLimits;
  readonly machine: Machine;
  readonly errors: FieldError[];
}

const createContext = (request: OutputRequest, { catalogue, policy = {}, cores = 0 }: DraftFacts): PlanContext => {
  const components = requiredComponents(catalogue)(request);
  return {
    request,
    catalogue: { ...catalogue, required: new Set(components.map(componentKey)) },
    components,
    policy,
    machine: { cores, svtLevels: usesSvtLevels(catalogue.build) },
    errors: [],
  };
};

/** The path and the format of an output. undefined: the request has no valid value. */
interface SelectedOutput {
  readonly path: MediaPath | undefined;
  readonly format: OutputFormat | undefined;
}

export type KnownOutput = { readonly [Field in keyof SelectedOutput]: NonNullable<SelectedOutput[Field]> };

const isKnown = (output: SelectedOutput): output is KnownOutput =>
  output.path !== undefined && output.format !== undefined;

function selectOutput({ request, catalogue, errors }: PlanContext): SelectedOutput {
  const { muxers } = catalogue.lists;
  if (typeof request.output === 'string') {
    const discarded = discardedOutput(request.output);
    if (discarded !== undefined) {
      errors.push({ field: '/output', ...discarded });
      // The name of a null device shows no format. So only a format that the client names is checked for it.
      const isNamed = request.format !== undefined || sentValue(request.options, 'f') !== undefined;
      return { path: undefined, format: isNamed ? selectFormat(request, '', muxers, errors) : undefined };
    }
    const format = selectFormat(request, extension(request.output), muxers, errors);
    return { path: request.output, format };
  }
  errors.push({ field: '/output', ...request.output });
  const format = request.format === undefined ? undefined : selectFormat(request, '', muxers, errors);
  return { path: undefined, format };
}

/** The options and inputs of an output, each looked up and checked alone. */
interface ResolvedOptions {
  /** All options of the request, in the client's order. */
  readonly sharedOptions: readonly ArgvOption[];
  readonly inputs: readonly ArgvInput[];
  /** The options of `sharedOptions` that apply to the output or to ffmpeg as a whole. */
  readonly outputOptions: readonly ArgvOption[];
  readonly audioOnly: boolean;
  readonly replace: boolean;
  readonly twoPass: boolean;
  readonly dropped: readonly Warning[];
}

/** A request with its options and inputs as the argv has them. */
export interface ResolvedRequest extends ResolvedOptions {
  /** If inputs are joined, `opened` has one input for all of them, because ffmpeg and the client count them as one. */
  readonly graphs: CheckedFiltergraphs;
  /** The inputs that are joined. Empty: no inputs are joined. */
  readonly clips: readonly ArgvInput[];
  /** The options of the output, and the global options. */
  readonly options: readonly ArgvOption[];
  readonly encoders: StreamEncoders;
}

function resolveRequestOptions({ format }: SelectedOutput, context: PlanContext): ResolvedOptions {
  const { request, catalogue, components, errors } = context;
  const dropped: Warning[] = [];
  const audioOnly = isAudioOnly(request, format);
  const optionContext = {
    catalogue,
    muxer: format?.muxer,
    errors,
    warnings: dropped,
    audioOnly,
    containersOnly: request.inputs.every(isContainerInput),
    components,
    inputs: request.inputs,
  };
  const sharedOptions = withoutMisplaced(resolveOptions(request.options, optionContext), request, errors);
  const replace = readReplace(request, errors);
  const twoPass = readTwoPass(request.options, errors);
  const inputOptions = sharedOptions.filter(({ side }) => side === 'input');
  const inputs = resolveInputs(request.inputs, inputOptions, optionContext);
  checkInputValues(inputs, catalogue, errors);
  const outputOptions =
    inputOptions.length === 0 ? sharedOptions : sharedOptions.filter(({ side }) => side !== 'input');
  return { sharedOptions, inputs, outputOptions, audioOnly, replace, twoPass, dropped };
}

function resolveStreams(
  { path, format }: SelectedOutput,
  draft: ResolvedOptions,
  others: OtherOutputs | undefined,
  { request, catalogue, errors }: PlanContext,
): ResolvedRequest {
  const { inputs, outputOptions, audioOnly, twoPass } = draft;
  const facts = { catalogue, scope: request.scope, audioOnly, muxer: format?.muxer, others };
  const checked = checkFiltergraphs(outputOptions, inputs, facts, errors);
  const clips = request.join === undefined ? [] : checked.opened;
  const isTranscript = request.transcribe !== undefined && clips.length === 0;
  const opened =
    clips.length > 0 ? [listInput(clips)] : [...checked.opened, ...(isTranscript ? [captionsInput()] : [])];
  const graphs = { ...checked, opened };
  checkStabilization(graphs.options, twoPass, errors);
  const canonical = resolveBitstreamFilters(graphs.options, catalogue, errors).map((option) =>
    format?.muxer === 'mov' && option.key.startsWith('metadata:s')
      ? { ...option, values: option.values.map(movLanguage) }
      : option,
  );
  const complete = [
    ...canonical,
    ...audioAlone(request, canonical),
    ...albumOptions(request, canonical, format),
    ...(isTranscript ? captionOptions(canonical, format?.muxer, catalogue) : []),
    ...(path === undefined || format === undefined ? [] : imageDefaults(opened, canonical, path, format)),
  ];
  const options = twoPass ? numberVideoOptions(complete, catalogue, errors) : complete;
  const container = format && componentOf(catalogue, 'muxer', format.muxer);
  const encoders = resolveStreamEncoders(options, container, format?.imageEncoder, catalogue);
  return { ...draft, graphs, clips, options, encoders };
}

/** The checks that depend on several parts of the request. Returns the warnings about values. */
function checkRequest(
  { path, format }: SelectedOutput,
  resolved: ResolvedRequest,
  context: PlanContext,
): readonly Warning[] {
  const { request, catalogue, policy, machine, errors } = context;
  const { sharedOptions, inputs, graphs, clips, options, encoders } = resolved;
  // Also count inputs with an invalid path: they are not in `inputs`, but the client's maps count them.
  const inputCount = clips.length > 0 ? 1 : request.inputs.length - inputs.length + graphs.opened.length;
  const output = { options, encoders, muxer: format?.muxer, catalogue, errors };
  checkCodecsAndMaps(output, inputCount);
  const warnings = [...checkOutputValues(output)];
  // If the encoder does not exist, the warnings about its options come from the same mistake. Report them together, as errors.
  if (errors.some(({ code }) => code === 'NEEDS_DEVICE' || code === 'UNKNOWN_ENCODER'))
    errors.push(...warnings.map((warning) => ({ field: '', ...warning })));
  warnings.push(...checkHlsEncryption(request, format, options, errors));
  warnings.push(...checkEncryption(options, format?.muxer, catalogue, errors));
  checkLimits([...sharedOptions, ...inputs.flatMap((input) => input.options)], policy, machine, errors);
  checkCommandSize(request, inputs, options, errors);
  rejectUnreadFonts(
    (clips.length > 0 ? clips : graphs.opened).filter(({ made }) => made === undefined),
    errors,
  );
  checkSourceEnds(inputs, options, errors);
  for (const { source } of inputs) if (source.path === path) errors.push(outputIsInput(source.field));
  return warnings;
}

/** How the inputs become the output, as far as the request alone decides it. */
interface Arrangement {
  /** `streams`: ffmpeg reads and selects the streams as in the request. */
  readonly kind: 'captions' | 'join' | 'cut' | 'slideshow' | 'streams';
  readonly inputs: readonly ArgvInput[];
  readonly options: readonly ArgvOption[];
  /** Present for a slideshow. */
  readonly slideshow?: Slideshow;
  /** Whether streams are copied or encoded. Present for a join or a cut without errors. */
  readonly mode?: Join;
  readonly probes: readonly InputProbe[];
}

function arrangeInputs(
  { format: { muxer } }: KnownOutput,
  { graphs, clips, inputs, options, encoders, audioOnly }: ResolvedRequest,
  context: PlanContext,
): Arrangement {
  const { request, catalogue, errors } = context;
  const { join, cut, transcribe } = request;
  const { opened } = graphs;
  const checked = { options, errors, muxer, audioOnly, catalogue };
  const indexOf = indexIn(request);
  const probeOf = (input: ArgvInput, needsLength: boolean): readonly InputProbe[] =>
    input.made === undefined
      ? [{ input: indexOf(input), start: startOf(input), needsLength, needsHeaders: true, ...namedFormat(input) }]
      : [];
  const asSent = { inputs: withOnePalette(opened, options), options };
  if (join !== undefined && cut !== undefined) errors.push(CUT_OF_JOIN);
  const arranged = ((): Arrangement => {
    if (transcribe !== undefined) {
      checkTranscription(request, inputs, { muxer, catalogue }, errors);
      const probes = inputs.slice(0, 1).flatMap((input) => probeOf(input, false));
      return { kind: 'captions', ...asSent, probes: probes.map((one) => ({ ...one, start: 0 })) };
    }
    if (join !== undefined && clips.length > 0) {
      const isFit = checkClips(join, clips, checked);
      const probes = clips.flatMap((input) => probeOf(input, join === 'encode'));
      return { kind: 'join', inputs: clips, options, ...(isFit && { mode: join }), probes };
    }
    if (cut !== undefined) {
      const mode = checkCut(cut, opened, checked);
      return {
        kind: 'cut',
        ...asSent,
        ...(mode && { mode }),
        probes: opened.slice(0, 1).flatMap((input) => probeOf(input, true)),
      };
    }
    const slideshow = planSlideshow(opened, checked);
    if (slideshow !== undefined) return { kind: 'slideshow', ...asSent, slideshow, probes: [] };
    const { inputs: decoded, options: moved } = decodeUntilStart(opened, options);
    const ofInputs = withOnePalette(decoded, options);
    const output = { options, encoders, muxer, catalogue, written: writtenVideos(options, encoders) };
    return { kind: 'streams', inputs: ofInputs, options: moved, probes: seeksOf(ofInputs, output, indexOf) };
  })();
  rejectFilteredCopies({ options, encoders, catalogue, errors });
  return arranged;
}

const startOf = ({ options }: ArgvInput): number => readTrim(options).start ?? 0;

/** Returns a function that finds the index of an input in its request. */
export function indexIn({ inputs }: OutputRequest): (input: ArgvInput) => number {
  const indexes = new Map(inputs.map(({ field }, index) => [field, index]));
  return ({ source }) => indexes.get(source.field) ?? -1;
}

/** The options for a probe of an input whose demuxer the client chose. */
const namedFormat = ({ format, options }: ArgvInput): Pick<InputProbe, 'parameters'> =>
  format === undefined
    ? {}
    : {
        parameters: {
          ...Object.fromEntries(options.map(({ key, values: [value = ''] }) => [key, value])),
          f: format,
        },
      };

/**
 * Lets frames of another size go on through the same filters. By default, ffmpeg starts the filters anew, and a palette that looks at all
 * frames loses those before.
 */
const withOnePalette = (inputs: readonly ArgvInput[], options: readonly ArgvOption[]): readonly ArgvInput[] =>
  options.some(({ key, values: [text = ''] }) => key === 'filter:v' && text.includes('paletteuse'))
    ? inputs.map((input) => ({ ...input, options: [serviceOption('reinit_filter', ['0']), ...input.options] }))
    : inputs;

/** Filters by which a client chooses frames. */
const SEVERAL_IMAGES = /\b(?:fps|select|framestep|mpdecimate)\b/;
/**
 * The options that people mean for an image, and ffmpeg does not: an image of an animation is its first frame, not the last one, a WebP of
 * an animation repeats for ever, and a WebP of one image is not an animation, which ffmpeg itself and many viewers cannot read.
 */
function imageDefaults(
  inputs: readonly ArgvInput[],
  options: readonly ArgvOption[],
  path: MediaPath,
  { muxer }: OutputFormat,
): readonly ArgvOption[] {
  const [input, ...others] = inputs;
  if (input === undefined || others.length > 0 || input.made !== undefined || input.source.sequence !== undefined)
    return [];
  const name = extension(input.source.path);
  if (muxer === 'webp') {
    const isAnimation = name === 'gif' || name === 'apng';
    const isOne = lastValue('frames:v', options) === '1' || (isImageFile(name) && !isAnimation);
    if (isOne) return hasKey(options, 'c', 'c:v') ? [] : [serviceOption('c:v', ['libwebp'])];
    return isAnimation && !hasKey(options, 'loop') ? [serviceOption('loop', ['0'])] : [];
  }
  const isOneImage = muxer === 'image2' && !hasCounter(path) && canHave('frames', name);
  const isChosen = options.some(
    ({ name: { name: own }, values: [text = ''] }) =>
      ['frames', 'update', 'strftime', 'c', 'r'].includes(own) || (own === 'filter' && SEVERAL_IMAGES.test(text)),
  );
  return isOneImage && !isChosen ? [serviceOption('frames:v', ['1'])] : [];
}
