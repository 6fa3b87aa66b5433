import { inspect } from 'node:util';
import { extension, type MediaPath } from '@telecine/contract/domain/media-path.ts';
import type {
  MeasuringPass,
  OutputFiles,
  OutputPlan,
  PlannedTranscript,
  ProbedInput,
  Warning,
} from '@telecine/contract/domain/plan.ts';
import type { FieldError } from '@telecine/contract/domain/problem.ts';
import type { EncodedOutput } from '../chunks/splittable.ts';
import { requestWarnings } from '../rules/find-warnings.ts';
import { losesRotation } from '../rules/result/pictures.ts';
import { faultGuard } from '../rules/rule.ts';
import { planSearch, searchOptions } from '../sampling/plan/plan-search.ts';
import { type Search, slideshowWith } from '../sampling/plan/search.ts';
import { type ArgvParts, decodingArgv, measuringArgvs, openingArgv, singlePassArgv, twoPassArgvs } from './argv.ts';
import { addThreadLimit, checkCommandSize, limitArgs } from './checks/resource-limits.ts';
import { arrangeDeviceFrames, type UsedDevice, usedDevice } from './device-options.ts';
import { indexIn, type OutputDraft } from './draft-output.ts';
import { addLimitedRange } from './encoders/colour-range.ts';
import { encoderNames, type StreamEncoders } from './encoders/stream-encoders.ts';
import { twoPassOptions } from './encoders/two-pass.ts';
import { type CutStreams, planCut } from './joining/plan-cut.ts';
import { type JoinedStreams, planJoin } from './joining/plan-join.ts';
import { encoderGainOf, hasVideoBitRate, measuringOptions, withoutEncoding } from './measuring-passes.ts';
import { encryptionOption } from './outputs/encryption.ts';
import {
  checkThumbnailTrack,
  type OutputTarget,
  resolveOutputTarget,
  withThumbnailTrack,
} from './outputs/output-target.ts';
import type { InputFacts } from './plan-facts.ts';
import { type ArgvOption, sentName } from './request/argv-option.ts';
import { canHave } from './request/file-features.ts';
import { hasCounter, type OutputFormat } from './request/format-names.ts';
import { sentValue } from './request/parse-request.ts';
import { computeSpan } from './request/resolve-inputs.ts';
import { imageEncoder } from './request/select-muxer.ts';
import type { Slideshow } from './slideshow.ts';
import { filterSources, withRate, writtenVideos } from './source-filters.ts';
import { rejectSilentInput, speechOutput } from './transcript.ts';

/** One output of a plan, as if it were the only one. */
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

type CheckedDraft = Required<OutputDraft>;

interface FinishedOutput {
  /** The errors of the draft, and those that were found later. */
  readonly errors: readonly FieldError[];
  /** Absent if there are errors. */
  readonly part?: PlannedPart;
}

/** Plans one output with what was found in its inputs. */
export function finishOutput(draft: OutputDraft, media: InputFacts): FinishedOutput {
  const { context, checked } = draft;
  const errors = [...context.errors];
  const part = checked && planPart({ ...draft, checked, context: { ...context, errors } }, media);
  return { errors, ...(part && { part }) };
}

/** Plans one output as if it were the only one. undefined: `context.errors` has the reason. */
function planPart(draft: CheckedDraft, media: InputFacts): PlannedPart | undefined {
  const { context, subfolder, checked } = draft;
  const { request, errors } = context;
  const { output, resolved, search: wanted, arrangement } = checked;
  const { kind } = arrangement;
  const arranged = arrangeStreams(draft, media);
  const isSlideshow = kind === 'slideshow';
  const search = isSlideshow ? undefined : wanted;
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

  const { parts, ...passes } = planPasses(draft, streams, target, search, arranged.options);
  if (errors.length > 0) return undefined;
  const plan = buildPlan(draft, streams, { ...target, subfolder }, passes);
  const encoded: EncodedOutput = {
    options: target.options,
    encoders: resolved.encoders,
    muxer: parts.muxer,
    passes: passes.passes.length,
    usesDevice: parts.device !== undefined,
    isEncrypted: request.encrypt !== undefined,
    search: passes.search,
  };
  const isJoined = kind === 'cut' || (kind === 'join' && request.join === 'encode');
  return { plan, parts, isSlideshow, isJoined, encoded };
}

/** The inputs and options with which ffmpeg runs, with what a join or a cut adds to the plan. */
type ArrangedStreams = Slideshow & Partial<JoinedStreams> & Partial<CutStreams>;

function arrangeStreams({ context, checked }: CheckedDraft, media: InputFacts): ArrangedStreams {
  const { catalogue, errors, request, policy } = context;
  const { kind, inputs, options, slideshow, mode } = checked.arrangement;
  const { encoders, audioOnly } = checked.resolved;
  const { muxer } = checked.output.format;
  const indexOf = indexIn(request);
  const mediaOf = (input: (typeof inputs)[number]): ProbedInput | undefined => media[indexOf(input)];
  const joining = { options, errors, muxer, audioOnly, catalogue, mediaOf, indexOf, memory: policy.memory };
  const asSent = { inputs, options, span: computeSpan(inputs, options) };
  switch (kind) {
    case 'captions':
      rejectSilentInput(checked.resolved.inputs[0], media[0], errors);
      return asSent;
    case 'join':
      return { ...asSent, ...(mode && planJoin(mode, inputs, joining)) };
    case 'cut':
      return { ...asSent, ...(request.cut && mode && planCut(request.cut, mode, inputs, joining)) };
    case 'slideshow':
      return { ...asSent, ...slideshow };
    case 'streams': {
      const sent = checked.resolved.options;
      const output = { options, encoders, muxer, catalogue, written: writtenVideos(sent, encoders) };
      const filtered = filterSources(inputs, output, mediaOf);
      return { ...asSent, ...filtered, options: withRate({ ...output, options: filtered.options }) };
    }
  }
}

function planPasses(
  { context, checked }: CheckedDraft,
  streams: ArrangedStreams,
  target: OutputTarget,
  search: Search | undefined,
  unscaled: readonly ArgvOption[],
): PlannedPasses {
  const { request, catalogue, policy, machine, errors } = context;
  const { output, arrangement } = checked;
  const { path, format } = output;
  const { inputs, options, encoders, twoPass } = checked.resolved;
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
  const transcript = arrangement.kind === 'captions' && {
    transcript: { argv: decodingArgv({ ...parts, inputs }, speechOutput(transcribe)) },
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

interface PlannedPasses extends Pick<OutputPlan, 'search'> {
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
  { context: { catalogue, request }, checked }: CheckedDraft,
  { span, join, cut, texts, warnings: joinWarnings = [] }: ArrangedStreams,
  target: OutputTarget & Pick<OutputFiles, 'subfolder' | 'track'>,
  { passes, measuring, device, transcript, search }: Omit<PlannedPasses, 'parts'>,
): OutputPlan {
  const { path, format } = checked.output;
  const { sharedOptions, inputs, graphs, options, encoders, replace, twoPass, dropped } = checked.resolved;
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
  const warnings = withoutRepetition([
    ...dropped,
    ...requestWarnings(warningContext, checked.valueWarnings, guard).filter((one) => !isTranscribed(one)),
    ...target.warnings,
    ...joinWarnings,
  ]);
  const inputWarnings = warnings.filter((one) => joinWarnings.includes(one));
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
    ...(graphs.byContent.length === 0 ? {} : { checks: graphs.byContent.map(openingArgv) }),
    passes,
    ...(measuring && { measuring }),
    ...(search && { search }),
    ...(request.maxBytes !== undefined && isOneFile(target) && { maxBytes: request.maxBytes }),
    ...(device && { devices: device.abilities }),
    span,
    fields: Object.fromEntries(options.map(({ key, field }) => [key, field])),
    encoders: encoderNames(encoders),
    ...(faults.length > 0 && { faults }),
    warnings,
    ...(inputWarnings.length > 0 && { inputWarnings }),
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
