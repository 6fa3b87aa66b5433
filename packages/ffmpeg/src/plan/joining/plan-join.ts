import type { Join } from '@telecine/contract/domain/join.ts';
import type { Span, Warning, WrittenText } from '@telecine/contract/domain/plan.ts';
import type { FieldError } from '@telecine/contract/domain/problem.ts';
import { holdsNoAudio, holdsNoVideo, holdsOnlyCover } from '../../allowlist/containers.ts';
import { INPUT_FORMATS } from '../../allowlist/input-formats.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { componentOf } from '../../catalogue/components.ts';
import { framesIn, secondsOfFrames, totalFrames } from '../../filtergraph/crossfades.ts';
import { embedGraph } from '../../filtergraph/embed-graph.ts';
import { type GraphFilter, printGraph } from '../../filtergraph/graph.ts';
import { quoted } from '../../values/value-error.ts';
import { type ArgvOption, hasKey, readTrim, SERVICE_FIELD, sentName, serviceOption } from '../request/argv-option.ts';
import type { ArgvInput } from '../request/resolve-inputs.ts';
import { type Clip, type JoinContext, readClip, unknownLength } from './clip.ts';
import { heldInput } from './held-clip.ts';
import { checkFit, encodeInstead, rateWarnings } from './join-checks.ts';
import {
  fadingParts,
  JOINED,
  type JoinTarget,
  needsToneMapping,
  printJoinGraph,
  printSeconds,
  rateOfJoin,
} from './join-graph.ts';
import { chooseAudio, chooseVideo } from './target-format.ts';

/** The inputs and options with which ffmpeg joins the clips, instead of those of the request. */
export interface JoinedStreams {
  readonly inputs: readonly ArgvInput[];
  readonly options: readonly ArgvOption[];
  readonly span: Span;
  readonly join: { readonly mode: Join };
  readonly texts?: readonly WrittenText[];
  readonly warnings: readonly Warning[];
}

/** Plans how several inputs, which `checkClips` allows, become one. undefined: `context.errors` has the reason. */
export function planJoin(mode: Join, inputs: readonly ArgvInput[], context: JoinContext): JoinedStreams | undefined {
  const { errors } = context;
  const errorsBefore = errors.length;
  const clips = inputs.map((input) => readClip(input, context.mediaOf(input)));
  const streams = mode === 'copy' ? joinPackets(clips, context) : joinStreams(clips, context);
  return streams === undefined || errors.length > errorsBefore ? undefined : { ...streams, join: { mode } };
}

type Streams = Omit<JoinedStreams, 'join'>;

/** The joined inputs as one input of ffmpeg: a list of files. */
export const listInput = ([first]: readonly ArgvInput[]): ArgvInput => ({
  source: { logical: LIST, path: first?.source.path ?? ('' as ArgvInput['source']['path']), field: '/inputs' },
  options: [],
  format: 'concat',
  isList: true,
});

function joinPackets(clips: readonly Clip[], { options, errors }: JoinContext): Streams {
  const fitErrors: FieldError[] = [];
  checkFit(clips, fitErrors);
  errors.push(...fitErrors);
  const seconds = sum(
    clips.map((clip) => {
      const { start = 0, end } = rangeOf(clip);
      const { durationSeconds, startSeconds = 0 } = clip.media?.format ?? {};
      const last = Math.min(
        end ?? Number.POSITIVE_INFINITY,
        (durationSeconds ?? Number.POSITIVE_INFINITY) + startSeconds,
      );
      return Number.isFinite(last) && clip.media !== undefined ? last - Math.max(start, startSeconds) : undefined;
    }),
  );
  return {
    inputs: [listInput(clips.map(({ input }) => input))],
    options,
    span: spanOf(clips, options, seconds),
    texts: [concatList(clips)],
    warnings: [...keyFrameWarnings(clips), ...rateWarnings(clips)],
  };
}

/** A clip or a part may start so many seconds early without a viewer noticing. */
export const NOTICEABLE = 0.05;

const keyFrameWarnings = (clips: readonly Clip[]): readonly Warning[] =>
  clips.flatMap((clip) => {
    const earlier = secondsBefore(clip);
    if (earlier < NOTICEABLE) return [];
    const { path, field } = clip.input.source;
    return {
      field,
      code: 'EARLIER_START',
      message: `${quoted(path)} begins ${earlier.toFixed(2)} s earlier in the joined video than requested: copies begin at a key frame.`,
      fix: encodeInstead('it cuts at each frame'),
    };
  });

function joinStreams(clips: readonly Clip[], context: JoinContext): Streams | undefined {
  const { options, catalogue, errors } = context;
  const target = chooseTarget(clips, context);
  if (target.video === undefined && target.audio === undefined) {
    errors.push(NOTHING_TO_JOIN);
    return undefined;
  }
  if (clips.some(({ input }) => input.crossfade !== undefined))
    errors.push(...clips.flatMap((clip) => unknownLength(clip) ?? []));
  rejectUnmappedHdr(clips, target, context);
  const graph = filterJoined(printJoinGraph(clips, target), target, context);
  if (graph === undefined) return undefined;
  return {
    inputs: clips.map((clip) => sizedSource(heldInput(clip), target, catalogue)),
    options: withJoinedGraph(graph, target, options),
    span: spanOf(clips, options, joinedSeconds(clips, target)),
    warnings: fadeWarnings(clips, target),
  };
}

/** The length of the joined output in seconds. undefined: the length of a clip is unknown. */
function joinedSeconds(clips: readonly Clip[], target: JoinTarget): number | undefined {
  const seconds = sum(clips.map((clip) => clip.seconds));
  if (seconds === undefined || clips.every(({ input }) => input.crossfade === undefined)) return seconds;
  const rate = rateOfJoin(target);
  return secondsOfFrames(totalFrames(fadingParts(clips, rate)), rate);
}

/** Warns about crossfades that are shorter than requested because a clip is short. */
function fadeWarnings(clips: readonly Clip[], target: JoinTarget): readonly Warning[] {
  const rate = rateOfJoin(target);
  const parts = fadingParts(clips, rate);
  return clips.flatMap(({ input: { crossfade, source }, seconds }, index) => {
    const before = clips[index - 1];
    const { crossfade: frames = 0 } = parts[index] ?? {};
    if (crossfade === undefined || before?.seconds === undefined || seconds === undefined) return [];
    if (frames >= framesIn(crossfade.seconds, rate)) return [];
    const [shorter, length] = seconds < before.seconds ? [source, seconds] : [before.input.source, before.seconds];
    return {
      field: crossfade.field,
      code: 'SHORTER_CROSSFADE',
      message: `The crossfade takes ${secondsOfFrames(frames, rate)} s instead of ${crossfade.seconds} s: ${quoted(shorter.path)} is ${Number(length.toFixed(2))} s long, and a crossfade takes at most half of a clip.`,
    };
  });
}

/** Chooses the streams of the joined output: the video and audio that a clip has and the muxer supports. */
export function chooseTarget(clips: readonly Clip[], { options, muxer, audioOnly }: JoinContext): JoinTarget {
  const noVideo = audioOnly || hasKey(options, 'vn') || holdsNoVideo(muxer) || holdsOnlyCover(muxer);
  const noAudio = hasKey(options, 'an') || holdsNoAudio(muxer);
  return {
    ...(!noVideo && clips.some(({ video }) => video !== undefined) ? { video: chooseVideo(clips, options) } : {}),
    ...(!noAudio && clips.some(({ audio }) => audio !== undefined) ? { audio: chooseAudio(clips, options) } : {}),
  };
}

/** Rejects an HDR clip if the output is not HDR and ffmpeg lacks the filters for tone mapping. */
function rejectUnmappedHdr(
  clips: readonly Clip[],
  { video: target }: JoinTarget,
  { catalogue: { lists }, errors }: JoinContext,
): void {
  if (target === undefined || (lists.filters.has('zscale') && lists.filters.has('tonemap'))) return;
  const clip = clips.find(({ video }) => video !== undefined && needsToneMapping(video, target));
  if (clip === undefined) return;
  const { path, field } = clip.input.source;
  errors.push({
    field,
    code: 'UNKNOWN_FILTER',
    message: `${quoted(path)} is HDR (${clip.video?.hdrTransfer}), but the joined video is not. The installed ffmpeg lacks the filters "zscale" and "tonemap", which convert HDR.`,
  });
}

export const NOTHING_TO_JOIN: FieldError = {
  field: '/inputs',
  code: 'NOTHING_TO_JOIN',
  message: 'No input has video or audio that the output can contain.',
};

const sum = (all: readonly (number | undefined)[]): number | undefined =>
  all.reduce<number | undefined>(
    (total, one) => (total === undefined || one === undefined ? undefined : total + one),
    0,
  );

const spanOf = (clips: readonly Clip[], options: readonly ArgvOption[], seconds: number | undefined): Span => ({
  inputs: clips.map(({ input }) => readTrim(input.options)),
  output: readTrim(options),
  shortest: false,
  ...(seconds !== undefined && { joined: seconds }),
});

/** The logical name of the list, in a folder whose files are not published. */
const LIST = 'pass/inputs.ffconcat';

/**
 * Prints the list for ffmpeg's demuxer `concat`. It has only logical names and numbers. Each file must have a format of `INPUT_FORMATS`, so
 * that a list in a list is not read. Times are timestamps of the file, which may not start at 0.
 */
export function concatList(clips: readonly Clip[]): WrittenText {
  const lines = clips.flatMap((clip) => {
    const { start, end } = rangeOf(clip);
    return [
      `file 'file:${clip.input.source.logical}'`,
      'option protocol_whitelist file',
      `option format_whitelist ${INPUT_FORMATS}`,
      ...(start === undefined ? [] : [`inpoint ${printSeconds(start)}`]),
      ...(end === undefined ? [] : [`outpoint ${printSeconds(end)}`]),
    ];
  });
  return { logical: LIST, text: `${['ffconcat version 1.0', ...lines].join('\n')}\n` };
}

/** The range of a clip that is joined. Without an end, it lasts until the file ends. */
function rangeOf({ input, media }: Clip): { readonly start?: number; readonly end?: number } {
  const { start, duration, end } = readTrim(input.options);
  const offset = media?.format.startSeconds ?? 0;
  const sent = start === undefined ? undefined : start + offset;
  const key = beginsEarlier(media) || start !== undefined ? media?.keySeconds : undefined;
  const from = key ?? sent;
  const to = duration === undefined ? end : (start ?? 0) + duration;
  return { ...(from === undefined ? {} : { start: from }), ...(to === undefined ? {} : { end: to + offset }) };
}

/** By how many seconds the first key frame may be earlier than the start of the file, without a viewer seeing the frames between them. */
const DELAY = 0.2;

/** True if a file begins with frames that players do not show, because it was cut between key frames. */
const beginsEarlier = (media: Clip['media']): boolean =>
  media?.keySeconds !== undefined && media.keySeconds < (media.format.startSeconds ?? 0) - DELAY;

/** How many seconds before its requested start a clip begins: clips begin at a key frame. */
function secondsBefore({ input, media }: Clip): number {
  const asked = (readTrim(input.options).start ?? 0) + (media?.format.startSeconds ?? 0);
  const isEarly = readTrim(input.options).start !== undefined || beginsEarlier(media);
  return media?.keySeconds === undefined || !isEarly ? 0 : asked - media.keySeconds;
}

/** Adds the size and the frame rate of the joined video to a `source` that sets neither. Other inputs stay unchanged. */
function sizedSource(input: ArgvInput, { video }: JoinTarget, catalogue: Catalogue): ArgvInput {
  const { made } = input;
  const [chain, ...others] = made?.graph.chains ?? [];
  const [first, ...after] = chain ?? [];
  if (made === undefined || video === undefined || first === undefined || made.kind === 'audio') return input;
  const sized = withOption(
    withOption(first, ['size', 's'], `${video.width}x${video.height}`, catalogue),
    ['rate', 'r'],
    video.rate,
    catalogue,
  );
  const graph = { ...made.graph, chains: [[sized, ...after], ...others] };
  return { ...input, source: { ...input.source, logical: printGraph(graph) } };
}

/** Adds an option to a filter that has it, unless the client set it. `names`: the option and its alias. */
function withOption(
  filter: GraphFilter,
  names: readonly [string, string],
  value: string,
  catalogue: Catalogue,
): GraphFilter {
  const [name] = names;
  const known = componentOf(catalogue, 'filter', filter.name)?.options.some((option) => option.name === name);
  if (known !== true || filter.options.some(({ key }) => names.includes(key ?? ''))) return filter;
  return { ...filter, options: [...filter.options, { key: name, value }] };
}

const VIDEO_FILTER = /^filter:[vV](?::0)?$/;
const AUDIO_FILTER = /^filter:a(?::0)?$/;

/** The label of the joined audio with times in samples. */
const SAMPLED = 'sampled_a';

/** The options with the joined graph and maps of its streams. The client's filters are removed, because the graph has them. */
export const withJoinedGraph = (
  { text, field, ...labels }: NonNullable<ReturnType<typeof filterJoined>>,
  { video, audio }: JoinTarget,
  options: readonly ArgvOption[],
): readonly ArgvOption[] => [
  { ...serviceOption('filter_complex', [text]), field, side: 'global' },
  serviceOption('map', [...(video ? [`[${labels.video}]`] : []), ...(audio ? [`[${labels.audio}]`] : [])]),
  ...options.filter(({ key }) => !VIDEO_FILTER.test(key) && !AUDIO_FILTER.test(key)),
];

/**
 * Adds the client's `vf` and `af` to the end of the graph, because ffmpeg does not filter the streams of a complex graph again. Filters of
 * a stream that the output lacks are left out.
 */
export function filterJoined(joinGraph: string, target: JoinTarget, { options, catalogue, errors }: JoinContext) {
  const video = options.findLast(({ key }) => target.video !== undefined && VIDEO_FILTER.test(key));
  const audio = options.findLast(({ key }) => target.audio !== undefined && AUDIO_FILTER.test(key));
  const texts = [joinGraph];
  const outputs = { video: JOINED.video as string, audio: JOINED.audio as string };
  for (const [option, stream, prefix] of [
    [video, 'video', 'picture_'],
    [audio, 'audio', 'sound_'],
  ] as const) {
    if (option === undefined) continue;
    const [graph] = option.checkedGraphs ?? [];
    const input = stream === 'audio' ? SAMPLED : JOINED.video;
    // `concat` outputs times in microseconds. `loudnorm`, `areverse` and others count in samples, whatever the time base.
    if (stream === 'audio') texts.push(`[${JOINED.audio}]asettb=expr=1/sr[${SAMPLED}]`);
    const labels = { input, output: `filtered_${stream === 'video' ? 'v' : 'a'}` };
    const chains = graph && embedGraph(graph, labels, prefix, catalogue);
    if (graph?.scalerFlags !== undefined || chains === undefined) {
      errors.push(notPlaced(option));
      return undefined;
    }
    texts.push(printGraph({ chains }));
    outputs[stream] = labels.output;
  }
  // Messages about the graph name the field of `af`, whose filters may measure, or else the field of `vf`.
  return { text: texts.join(';'), ...outputs, field: (audio ?? video)?.field ?? SERVICE_FIELD };
}

const notPlaced = (option: ArgvOption): FieldError => ({
  field: option.field,
  code: 'NOT_SIMPLE',
  message: `"${sentName(option)}" is too complex to be applied after the join: only chains of filters with one input and one output can.`,
});
