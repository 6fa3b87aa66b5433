import { inspect } from 'node:util';
import type { ClientLimits } from '@telecine/contract/domain/client-limits.ts';
import { extension, type MediaPath } from '@telecine/contract/domain/media-path.ts';
import type {
  InspectedInputs,
  MeasuringPass,
  OutputFiles,
  OutputPlan,
  PlannedSeek,
  PlannedTranscript,
  Warning,
} from '@telecine/contract/domain/plan.ts';
import { type FieldError, hasEnough, outputIsInput } from '@telecine/contract/domain/problem.ts';
import { movLanguage } from '../allowlist/stored-tags.ts';
import { type Catalogue, componentKey } from '../catalogue/catalogue.ts';
import type { ComponentName } from '../catalogue/component.ts';
import { componentOf } from '../catalogue/components.ts';
import type { EncodedOutput } from '../chunks/splittable.ts';
import { requestWarnings } from '../rules/find-warnings.ts';
import { losesRotation } from '../rules/result/pictures.ts';
import { faultGuard } from '../rules/rule.ts';
import { type PlannedSearch, planSearch, searchOptions } from '../sampling/plan/plan-search.ts';
import { checkSearch, type Search, slideshowWith } from '../sampling/plan/search.ts';
import { type ArgvParts, decodingArgv, measuringArgvs, openingArgv, singlePassArgv, twoPassArgvs } from './argv.ts';
import { checkCodecsAndMaps, rejectFilteredCopies } from './checks/codecs-and-maps.ts';
import { rejectUnreadFonts } from './checks/filter-files.ts';
import { type CheckedFiltergraphs, checkFiltergraphs } from './checks/filtergraphs.ts';
import { checkInputValues, checkSourceEnds } from './checks/input-values.ts';
import type { OtherOutputs } from './checks/maps.ts';
import { checkOutputValues } from './checks/output-values.ts';
import { addThreadLimit, checkCommandSize, checkLimits, limitArgs } from './checks/resource-limits.ts';
import { arrangeDeviceFrames, type UsedDevice, usedDevice } from './device-options.ts';
import { addLimitedRange } from './encoders/colour-range.ts';
import { encoderNames, resolveStreamEncoders, type StreamEncoders } from './encoders/stream-encoders.ts';
import { type Machine, usesSvtLevels } from './encoders/thread-count.ts';
import { numberVideoOptions, twoPassOptions } from './encoders/two-pass.ts';
import { CUT_OF_JOIN } from './joining/cut-checks.ts';
import { type CutStreams, planCut } from './joining/plan-cut.ts';
import { type JoinedStreams, listInput, namedFormats, planJoin } from './joining/plan-join.ts';
import {
  checkStabilization,
  encoderGainOf,
  hasVideoBitRate,
  measuringOptions,
  withoutEncoding,
} from './measuring-passes.ts';
import { checkEncryption, checkHlsEncryption, encryptionOption } from './outputs/encryption.ts';
import {
  checkThumbnailTrack,
  type OutputTarget,
  resolveOutputTarget,
  withThumbnailTrack,
} from './outputs/output-target.ts';
import type { PlanFacts } from './plan-facts.ts';
import { type ArgvOption, hasKey, lastValue, sentName, serviceOption } from './request/argv-option.ts';
import { canHave } from './request/file-features.ts';
import { hasCounter, isImageFile, type OutputFormat } from './request/format-names.ts';
import { type OutputRequest, sentValue } from './request/parse-request.ts';
import { type ArgvInput, computeSpan, isContainerInput, resolveInputs } from './request/resolve-inputs.ts';
import { resolveBitstreamFilters, resolveOptions } from './request/resolve-options.ts';
import {
  albumOptions,
  audioAlone,
  discardedOutput,
  imageEncoder,
  isAudioOnly,
  selectFormat,
} from './request/select-muxer.ts';
import { readReplace, readTwoPass, withoutMisplaced } from './request/whole-run-options.ts';
import { requiredComponents } from './required-components.ts';
import { planSlideshow, type Slideshow } from './slideshow.ts';
import { decodeUntilStart, filterSources, seeksOf, withRate, writtenVideos } from './source-filters.ts';
import { captionOptions, captionsInput, planTranscript, speechOutput } from './transcript.ts';

/**
 * One output of a request with its own options and inputs resolved. The argv and the files of its plan also depend on the other outputs.
 */
export interface OutputDraft {
  readonly context: PlanContext;
  readonly output: SelectedOutput;
  readonly resolved: ResolvedOptions;
}

export interface PlannedPart {
  readonly plan: OutputPlan;
  readonly parts: ArgvParts;
  /** True if the inputs become a slideshow. The options then have the slideshow's graph. */
  readonly isSlideshow: boolean;
  /** True if a graph joins the inputs. The options then have this graph. */
  readonly isJoined: boolean;
  /** What decides whether the output can be encoded in chunks. */
  readonly encoded: EncodedOutput;
}

/** Reads what a request says about one output. The errors are in `context.errors`. */
export function draftOutput(request: OutputRequest, facts: PlanFacts): OutputDraft {
  const context = createContext(request, facts);
  const output = selectOutput(context);
  return { context, output, resolved: resolveRequestOptions(output, context) };
}

/**
 * Plans one output as if it were the only one. undefined: `context.errors` has the reason.
 *
 * @param others The other outputs of the same run of ffmpeg. undefined: there are none.
 * @param subfolder The folder below `out/` for the files of this output: '' or, for example, `1/`.
 */
export function planOutput(
  { context, output, resolved: draft }: OutputDraft,
  others?: OtherOutputs,
  subfolder = '',
): PlannedPart | undefined {
  const { request, errors } = context;
  if (hasEnough(errors)) return undefined;
  const resolved = resolveStreams(output, draft, others, context);
  if (hasEnough(errors)) return undefined;
  const valueWarnings = checkRequest(output, resolved, context);
  const { muxer, imageEncoder: ofImage } = output.format ?? {};
  const isImage = ofImage !== undefined || IMAGES.has(muxer ?? '');
  const measured = { ...context, ...resolved, muxer, isImage };
  const wanted = checkSearch(measured);
  if (!isKnown(output)) return undefined;

  const { streams: arranged, ...arrangement } = arrangeStreams(output, resolved, context);
  const search = arrangement.isSlideshow ? undefined : wanted;
  if (wanted !== undefined && search === undefined && request.isFrameSizeOfRecipe !== true)
    errors.push(slideshowWith(wanted.member));
  const options = search ? searchOptions(arranged.options, search, output.path, context) : arranged.options;
  const streams = { ...arranged, options };
  const folders = { root: request.scope.pathPrefix, subfolder };
  const written = resolveOutputTarget(output.path, output.format.muxer, streams.options, folders, errors);
  const { thumbnailTrack } = request;
  const isSeries = hasCounter(output.path) || written.dated;
  if (thumbnailTrack !== undefined)
    checkThumbnailTrack(thumbnailTrack, { path: output.path, muxer: output.format.muxer, isSeries }, errors);
  if (errors.length > 0) return undefined;
  const target = thumbnailTrack === undefined ? written : withThumbnailTrack(written, thumbnailTrack);

  const { parts, ...passes } = planPasses(output, resolved, streams, target, { ...context, search }, arranged.options);
  if (errors.length > 0) return undefined;
  const plan = buildPlan(output, resolved, streams, { ...target, subfolder }, passes, valueWarnings, context);
  const { encoders } = resolved;
  const encoded: EncodedOutput = {
    options: target.options,
    encoders,
    muxer: parts.muxer,
    passes: passes.passes.length,
    usesDevice: parts.device !== undefined,
    isEncrypted: request.encrypt !== undefined,
    ladder: passes.ladder,
    hasLimitedQuality: passes.quality?.maxBitrate !== undefined || passes.quality?.maxSize !== undefined,
  };
  return { plan, parts, ...arrangement, encoded };
}

/** Muxers of images that can move. */
const IMAGES: ReadonlySet<string> = new Set(['gif', 'apng', 'webp', 'avif']);

interface PlanContext {
  readonly request: OutputRequest;
  /** With only the required components. */
  readonly catalogue: Catalogue;
  readonly components: readonly ComponentName[];
  readonly policy: ClientLimits;
  readonly machine: Machine;
  readonly media: NonNullable<PlanFacts['media']>;
  readonly errors: FieldError[];
}

const createContext = (
  request: OutputRequest,
  { catalogue, policy = {}, cores = 0, media = [] }: PlanFacts,
): PlanContext => {
  const components = requiredComponents(catalogue)(request);
  return {
    request,
    catalogue: { ...catalogue, required: new Set(components.map(componentKey)) },
    components,
    policy,
    machine: { cores, svtLevels: usesSvtLevels(catalogue.build) },
    media,
    errors: [],
  };
};

/** The path and the format of an output. undefined: the request has no valid value. */
interface SelectedOutput {
  readonly path: MediaPath | undefined;
  readonly format: OutputFormat | undefined;
}

type KnownOutput = { readonly [Field in keyof SelectedOutput]: NonNullable<SelectedOutput[Field]> };

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
interface ResolvedRequest extends ResolvedOptions {
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

/** The inputs and options with which ffmpeg runs, with what a join, a cut or captions add to the plan. */
type ArrangedStreams = Slideshow &
  Partial<JoinedStreams> &
  Partial<CutStreams> & {
    readonly transcript?: InspectedInputs | undefined;
    readonly seeks?: readonly PlannedSeek[];
  };

/** The inputs and options with which ffmpeg runs: as the request has them, or as a slideshow, a join or a cut. */
function arrangeStreams(
  { format }: KnownOutput,
  resolved: ResolvedRequest,
  context: PlanContext,
): Pick<PlannedPart, 'isSlideshow' | 'isJoined'> & { readonly streams: ArrangedStreams } {
  const { catalogue, errors, request, media, policy } = context;
  const { graphs, options, encoders, clips, audioOnly } = resolved;
  const indexes = new Map(request.inputs.map(({ field }, index) => [field, index]));
  const indexOf = ({ source: { field } }: ArgvInput): number => indexes.get(field) ?? -1;
  const mediaOf = (input: ArgvInput) => media[indexOf(input)];
  const { muxer } = format;
  const joining = { options, errors, muxer, audioOnly, catalogue, mediaOf, indexOf, memory: policy.memory };
  if (request.join !== undefined && request.cut !== undefined) errors.push(CUT_OF_JOIN);
  const isTranscript = request.transcribe !== undefined;
  const isOfClips = !isTranscript && request.join !== undefined && clips.length > 0;
  const arranged = ((): Partial<ArrangedStreams> | undefined => {
    if (request.transcribe !== undefined) {
      const speech = { muxer, media: media[0], catalogue };
      const inspectedInput = planTranscript(request, resolved.inputs, speech, errors);
      return { transcript: inspectedInput && { ...inspectedInput, ...namedFormats(resolved.inputs) } };
    }
    if (request.join !== undefined && isOfClips) return planJoin(request.join, clips, joining);
    if (request.cut !== undefined) return planCut(request.cut, graphs.opened, joining);
    return planSlideshow(graphs.opened, joining);
  })();
  rejectFilteredCopies({ options, encoders, catalogue, errors });
  const sent = isOfClips ? clips : graphs.opened;
  const { inputs: read, options: moved } =
    arranged === undefined ? decodeUntilStart(sent, options) : { inputs: sent, options };
  const inputs = withOnePalette(read, options);
  const output = { options, encoders, muxer, catalogue, written: writtenVideos(options, encoders) };
  const filtered = arranged ?? filterSources(inputs, { ...output, options: moved }, mediaOf);
  const rated = arranged === undefined ? { options: withRate({ ...output, options: filtered.options ?? moved }) } : {};
  return {
    isSlideshow: arranged !== undefined && !isTranscript && !isOfClips && request.cut === undefined,
    isJoined: !isTranscript && (isOfClips ? request.join === 'encode' : request.cut !== undefined),
    streams: {
      ...{ inputs, options: moved, span: computeSpan(inputs, moved) },
      ...(arranged === undefined && { seeks: seeksOf(inputs, output, indexOf) }),
      ...filtered,
      ...rated,
    },
  };
}

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

function planPasses(
  { path, format }: KnownOutput,
  { inputs, options, encoders, twoPass }: ResolvedRequest,
  streams: ArrangedStreams,
  target: OutputTarget,
  { request, catalogue, policy, machine, errors, search }: PlanContext & { readonly search: Search | undefined },
  unscaled: readonly ArgvOption[],
): PlannedPasses {
  const limited = addThreadLimit(target.options, encoders, policy, machine);
  const ranged = addLimitedRange(limited, encoders, catalogue.build);
  const device = usedDevice(options, streams.inputs, encoders, catalogue, errors);
  const arranged = device === undefined ? ranged : arrangeDeviceFrames(ranged, streams.inputs, encoders, errors);
  const outputOptions = [...arranged, ...encryptionOption(request, format.muxer)];
  const namesVideoCodec = options.some(({ key }) => VIDEO_CODEC.test(key));
  const parts: ArgvParts = {
    inputs: streams.inputs,
    output: outputOptions,
    muxer: format.muxer,
    logical: target.logical,
    imageEncoder: namesVideoCodec ? undefined : imageEncoder(format, extension(path), catalogue.lists.muxers),
    singleImage: isSingleImage(path, format, target),
    hasStatsPeriod: catalogue.cli.has('stats_period'),
    limits: limitArgs(policy, machine),
    ...(device && { device: device.type }),
  };
  const { transcribe = {} } = request;
  const transcript = streams.transcript && {
    transcript: { ...streams.transcript, argv: decodingArgv({ ...parts, inputs }, speechOutput(transcribe)) },
  };
  const planned =
    search &&
    planSearch(
      { parts, span: streams.span, catalogue, errors },
      search,
      search.member === 'frameSize' ? unscaled : ranged,
    );
  const { shown, ...found } = planned ?? {};
  if (shown !== undefined) return { parts, passes: [shown], device, ...found };
  const measured = twoPass ? measuringOptions(outputOptions, streams.span.output) : undefined;
  // Encoders need a bit rate for two passes. Without a bit rate, "pass" is only for the filters.
  const [croppedBy] = measured?.measuring.cropped ?? [];
  if (croppedBy !== undefined && hasVideoBitRate(outputOptions)) errors.push(cropWithBitRate(croppedBy));
  const encodesTwice = twoPass && (measured === undefined || hasVideoBitRate(outputOptions));
  const first = measured?.first ?? outputOptions;
  const second = measured?.second ?? outputOptions;
  const keepsAudio = (measured?.measuring.loudnorm.length ?? 0) > 0;
  // Without its audio, a transport stream begins with its video in ffmpeg 5, so that the passes would differ by a frame.
  const readsAudio = keepsAudio || inputs.some(({ source }) => canHave('noIndex', extension(source.path)));
  const passOptions = encodesTwice ? twoPassOptions(first, second, encoders, readsAudio) : undefined;
  if (passOptions === undefined && measured === undefined)
    return {
      parts,
      passes: [singlePassArgv(parts)],
      device,
      ...transcript,
      ...found,
    };
  if (passOptions !== undefined && !hasVideoBitRate(outputOptions)) errors.push(...withoutBitRate(options, encoders));
  // Check the size of the second pass too: its command has the options that two passes add.
  checkCommandSize(request, inputs, passOptions?.[1] ?? second, errors);
  const encoderGain = keepsAudio ? encoderGainOf(outputOptions, encoders) : 0;
  const measuring = measured && { ...measured.measuring, ...(encoderGain !== 0 && { encoderGain }) };
  const passes =
    passOptions === undefined && measured !== undefined
      ? measuringArgvs(parts, [withoutEncoding(first, measured.measuring, encoders), second])
      : twoPassArgvs(parts, passOptions ?? [first, second]);
  return { parts, passes, device, ...(measuring && { measuring }), ...transcript, ...found };
}

/** Encoders that have two passes only with a bit rate. */
const NEED_BIT_RATE: ReadonlySet<string> = new Set(['libx264', 'libx264rgb', 'libx265']);

/** The error for two passes of an encoder that uses a quality, by `crf` or by default. */
function withoutBitRate(options: readonly ArgvOption[], encoders: StreamEncoders): readonly FieldError[] {
  const encoder = encoders.of('v').find((one) => NEED_BIT_RATE.has(one.encoder ?? ''))?.encoder;
  // A bit rate can also be in parameters of encoder libraries, or implied by `target`, the standard of a disc.
  const isSet = options.some(
    ({ key, name }) => /^(?:x26[45]-params|x264opts|target)$/.test(name.name) || /^b:\d/.test(key),
  );
  if (encoder === undefined || isSet) return [];
  const quality = options.find(({ name }) => name.name === 'crf' || name.name === 'qp');
  return [
    {
      field: '/parameters/pass',
      code: 'BAD_PASS',
      message: `Two passes of ${encoder} need a bit rate such as "b:v": "2M"${quality === undefined ? '' : `, but "${sentName(quality)}" sets a quality, which one pass reaches`}. The recipe "target-size" makes a file of a certain size.`,
    },
  ];
}

/** The error for a crop with two passes of the encoder, which needs frames of one size: only the second pass crops. */
const cropWithBitRate = (field: string): FieldError => ({
  field,
  code: 'EXCLUSIVE',
  message:
    '"cropdetect,crop" with "pass": "2" measures in the first pass, but "b:v" needs both passes for the encoder. "crf" needs one.',
});

interface PlannedPasses extends Omit<PlannedSearch, 'shown'> {
  readonly parts: ArgvParts;
  readonly passes: readonly (readonly string[])[];
  readonly measuring?: MeasuringPass;
  readonly transcript?: PlannedTranscript;
  readonly device: UsedDevice | undefined;
}

const isSingleImage = (path: MediaPath, { muxer }: OutputFormat, { dated }: OutputTarget): boolean =>
  muxer === 'image2' && !dated && !hasCounter(path);

const VIDEO_CODEC = /^c(?::[vV0].*)?$/;

function buildPlan(
  { path, format }: KnownOutput,
  { sharedOptions, inputs, graphs, options, encoders, replace, twoPass, dropped }: ResolvedRequest,
  { span, join, cut, texts, seeks = [], warnings: joinWarnings = [] }: ArrangedStreams,
  target: OutputTarget & Pick<OutputFiles, 'subfolder' | 'track'>,
  { passes, measuring, device, transcript, quality, ladder, frameSize }: Omit<PlannedPasses, 'parts'>,
  valueWarnings: readonly Warning[],
  { catalogue, request }: PlanContext,
): OutputPlan {
  const { muxer } = format;
  const onePassOnly = twoPass && passes.length === 1;
  const singleImage = isSingleImage(path, format, target) ? path : undefined;
  const { opened } = graphs;
  const formatOption = sentValue(request.options, 'f') === undefined ? undefined : '/parameters/f';
  const warningContext = {
    options,
    path,
    formatField: request.format === undefined ? formatOption : '/format',
    encoders,
    muxer,
    catalogue,
    twoPass,
    onePassOnly,
    sharedOptions,
    opened,
    singleImage,
  };
  const faults: string[] = [];
  const guard = faultGuard((error) => faults.push(inspect(error)));
  // True for the warning that an input is not used, if speech recognition reads this input before the passes.
  const isTranscribed = ({ code, field }: Warning): boolean =>
    transcript !== undefined && code === 'UNUSED_INPUT' && inputs.some(({ source }) => source.field === field);
  return {
    inputs: inputs.map(({ source }) => source),
    output: {
      field: '/output',
      logical: target.logical,
      subfolder: target.subfolder,
      path,
      names: target.names,
      folder: target.folder,
      muxer,
      replace,
      ...(losesRotation({ muxer, path, options }, catalogue.build) && { losesRotation: true }),
      ...(target.dated && { dated: true }),
      ...(target.manifest === undefined ? {} : { manifest: target.manifest }),
      ...(target.track && { track: target.track }),
      ...(target.folders.length === 0 ? {} : { folders: target.folders }),
    },
    ...(join && { join }),
    ...(cut && { cut }),
    ...(transcript && { transcript }),
    ...(texts && { texts }),
    ...(seeks.length > 0 && { seeks }),
    ...(graphs.byContent.length === 0 ? {} : { checks: graphs.byContent.map(openingArgv) }),
    passes,
    ...(measuring && { measuring }),
    ...(quality && { quality }),
    ...(ladder && { ladder }),
    ...(frameSize && { frameSize }),
    ...(request.maxBytes !== undefined && isOneFile(target) && { maxBytes: request.maxBytes }),
    ...(device && { devices: device.abilities }),
    span,
    fields: Object.fromEntries(options.map(({ key, field }) => [key, field])),
    encoders: encoderNames(encoders),
    ...(faults.length > 0 && { faults }),
    warnings: withoutRepetition([
      ...dropped,
      ...requestWarnings(warningContext, valueWarnings, guard).filter((one) => !isTranscribed(one)),
      ...target.warnings,
      ...joinWarnings,
    ]),
  };
}

/**
 * Whether ffmpeg writes only one file, directly in `out/`, so that its size can be compared with a limit. ffmpeg could replace a folder below
 * `out/` by a symlink.
 */
const isOneFile = ({ logical, names: [name = [], ...others] }: OutputTarget): boolean =>
  others.length === 0 && name.every((part) => typeof part === 'string') && !logical.includes('/', 'out/'.length);

/**
 * Keeps the first of several warnings that say the same about a field. A warning of a rule repeats an earlier one if its text is equal,
 * because different rules find different mistakes. Any other warning repeats an earlier one if its code is equal.
 */
export function withoutRepetition(warnings: readonly Warning[]): readonly Warning[] {
  const said = new Set<string>();
  return warnings.filter(({ field, code, message, rule }) => {
    const mistake = `${field} ${code}`;
    const sentence = `${mistake} ${message}`;
    const isRepeated = said.has(rule === undefined ? mistake : sentence);
    said.add(mistake).add(sentence);
    return !isRepeated;
  });
}
