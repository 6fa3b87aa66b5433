import { parseDuration } from '@telecine/contract/domain/duration.ts';
import type { MediaInfo, MediaStream } from '@telecine/contract/domain/media-info.ts';
import type { Plan, PlannedOutput, Span } from '@telecine/contract/domain/plan.ts';
import { STILL } from '../allowlist/containers.ts';
import { type GraphChain, isGraphError } from '../filtergraph/graph.ts';
import { parseGraph } from '../filtergraph/parse.ts';
import { usualSize } from '../sampling/choosers/frame-size.ts';
import { MOST_CHANNELS } from '../values/media-formats.ts';
import { readNumber } from '../values/number.ts';
import { readRate } from '../values/rate.ts';
import { parseSize } from '../values/size.ts';
import { secondsAfterCut } from '../values/span-length.ts';
import { bestStream } from './best-streams.ts';
import { type CommandOptions, lastOf, ofStream, readArgv } from './command.ts';
import { afterFilter, type Link, NoEstimate, type ReadInput, requireSize, type Source } from './filter-effects.ts';

/** A stream before its own filters and its encoder. `from`: its input. Absent if it comes from a complex graph. */
interface SelectedStream {
  readonly link: Link;
  readonly from?: Source;
}

/** A stream of an output. `link`: as its encoder receives it. `encoder`: its name, or `copy`. `index`: among those of its kind. */
export interface PredictedStream extends SelectedStream {
  readonly index: number;
  readonly encoder: string;
}

/** What an output will have in it. */
export interface Prediction {
  readonly inputs: readonly ReadInput[];
  readonly options: CommandOptions;
  readonly muxer: string;
  readonly streams: readonly PredictedStream[];
  readonly seconds: number;
  /** Why the sizes and the lengths of the streams are unknown, as a sentence. They are then those before the filters. */
  readonly unknown?: string;
}

/** Predicts an output as ffmpeg makes it. Returns a sentence if nothing is known. `media`: of each input, or why it is unknown. */
export function predictOutput(
  plan: Plan,
  output: PlannedOutput,
  media: readonly (MediaInfo | string)[],
): Prediction | string {
  if (plan.analysis !== undefined) return 'An analysis writes no file.';
  if (plan.join !== undefined) return 'Joined inputs are not estimated.';
  if (plan.cut !== undefined) return 'Parts of an input are not estimated.';
  if (plan.transcript !== undefined) return 'Captions are not estimated.';
  return orReason(() => {
    const { inputs: read, output: options } = readArgv(output.argv ?? plan.passes.at(-1) ?? []);
    const inputs = read.map((one) => {
      const at = plan.inputs.findIndex(({ logical }) => logical === one.name);
      return readInput(one.options, media[at], output.span.inputs[at] ?? {});
    });
    const selected = selectStreams(inputs, options, output);
    const found = orReason(() => encodedStreams(selected, options, output, plan));
    const reason =
      plan.search?.choose !== 'ladder' ? found : 'The job finds out how many rungs a ladder of this video has.';
    const known = typeof reason === 'string' ? { streams: selected, seconds: 0, unknown: reason } : reason;
    return { inputs, options, muxer: output.muxer, ...known };
  });
}

function orReason<T>(compute: () => T): T | string {
  try {
    return compute();
  } catch (error) {
    if (error instanceof NoEstimate) return error.message;
    throw error;
  }
}

/** The frame rate of images that ffmpeg reads as a video, and of videos whose rate is unknown. */
const USUAL_RATE = 25;

const rateOf = (options: CommandOptions): number | undefined => readRate(lastOf(options, 'r', 'framerate') ?? '');

function readInput(
  options: CommandOptions,
  media: MediaInfo | string | undefined,
  span: Span['inputs'][number],
): ReadInput {
  if (media === undefined) throw new NoEstimate('Inputs that filters generate are not estimated.');
  if (typeof media === 'string') throw new NoEstimate(media);
  const isImage = media.format.names.some((name) => STILL.test(name));
  const { loops = 0, duration = parseDuration(lastOf(options, 't') ?? ''), ...cut } = span;
  const isLooped = loops < 0 || /^(?:1|true|yes)$/.test(lastOf(options, 'loop') ?? '');
  const own = isImage ? 1 / (rateOf(options) ?? USUAL_RATE) : media.format.durationSeconds;
  if (own === undefined && !isLooped)
    throw new NoEstimate('The input has no known duration. Send "t" to limit the output.');
  const whole = isLooped ? Number.POSITIVE_INFINITY : (own ?? 0) * (loops + 1);
  const fromEnd = Math.abs(Number(lastOf(options, 'sseof') ?? Number.NaN)) || whole;
  const seconds = secondsAfterCut(Math.min(whole, fromEnd), { ...cut, ...(duration !== undefined && { duration }) });
  return { media, options, seconds };
}

/** A stream before filters and encoders. Empty: subtitles or data. The frame size is 0 by 0 if ffprobe does not find it. */
function linksOf(stream: MediaStream, input: ReadInput): readonly Link[] {
  const { media, options, seconds } = input;
  const { type: kind, sampleRate = 48_000, channels = 2, rotationDegrees = 0 } = stream;
  const source = { stream, input };
  const none = { seconds, source, width: 0, height: 0, fps: 0, sampleRate: 0, channels: 0 };
  if (kind === 'audio') return [{ ...none, kind, sampleRate, channels }];
  if (kind !== 'video') return [];
  const isTurned = Math.abs(rotationDegrees % 180) === 90 && lastOf(options, 'noautorotate') === undefined;
  const { width = 0, height = 0 } = isTurned ? { width: stream.height, height: stream.width } : stream;
  // A cover has one frame. Ignore the 90,000 frames per second that ffprobe reports for it.
  if (stream.isAttachedPicture === true)
    return [{ ...none, kind, width, height, fps: 1 / Math.min(Math.max(seconds, 0.1), 1e4) }];
  const own = media.format.names.some((name) => STILL.test(name)) ? USUAL_RATE : stream.frameRate;
  return [{ ...none, kind, width, height, fps: rateOf(options) ?? (own || USUAL_RATE) }];
}

/** Formats for which ffmpeg repeats frames, so that their rate is constant. */
const CONSTANT_RATE = /^(?:hls|dash|avi|mxf|mpeg|vob|dvd|svcd|vcd)$/;

/** No source has a higher rate, but the time base of some files says so. */
const MAX_RATE = 240;

/** Applies the filters and options of the streams of an output. Throws `NoEstimate`. */
function encodedStreams(
  selected: readonly PredictedStream[],
  options: CommandOptions,
  { span, muxer }: PlannedOutput,
  { search }: Plan,
): Pick<Prediction, 'streams' | 'seconds'> {
  const streams = selected.map((stream) => {
    if (stream.encoder === 'copy') return stream;
    const option = (name: string): string => ofStream(options, name, stream) ?? '';
    const { link } = stream;
    const chains = chainsOf(option('filter') || 'null');
    const links = followed(chains, (label) => (label === '' || label === 'in' ? link : undefined));
    const after = links.get('out') ?? links.get('') ?? [...links.values()].at(-1) ?? link;
    if (link.kind === 'audio') {
      const most = MOST_CHANNELS[stream.encoder] ?? Number.POSITIVE_INFINITY;
      const channels = Math.min(Number(option('ac')) || after.channels, most);
      return { ...stream, link: { ...after, channels, sampleRate: Number(option('ar')) || after.sampleRate } };
    }
    requireSize(after);
    const size =
      parseSize(option('s')) ?? (search?.choose === 'frameSize' ? usualSize(after, search.bitsPerSecond) : undefined);
    const sent = readRate(option('r')) ?? after.fps;
    const base = link.source.stream.baseFrameRate ?? 0;
    const fps = CONSTANT_RATE.test(muxer) && sent === link.fps && base > sent && base <= MAX_RATE ? base : sent;
    const seconds = Math.min(after.seconds, (readNumber(option('frames')) ?? Number.POSITIVE_INFINITY) / fps);
    return { ...stream, link: { ...after, ...size, fps, seconds } };
  });
  if (streams.length === 0) throw new NoEstimate('The output has no video and no audio.');
  const lengths = streams.map(({ link }) => link.seconds);
  const seconds = secondsAfterCut((span.shortest ? Math.min : Math.max)(...lengths), span.output);
  if (!Number.isFinite(seconds)) throw new NoEstimate('Nothing ends the output. Send "t" to limit it.');
  const ended = ({ link, ...stream }: PredictedStream): PredictedStream => ({
    ...stream,
    link: { ...link, seconds: Math.min(secondsAfterCut(link.seconds, span.output), seconds) },
  });
  return { streams: streams.map(ended), seconds };
}

/** A stream specifier of `map` or of a label: `0:v:1?`. */
const SPECIFIER = /^(\d+)(?::([vVasdt])(?=[:?]|$))?(?::(\d+))?\??$/;

/** Muxers for which ffmpeg selects a cover, but no other video. */
const SELECTS_COVERS: ReadonlySet<string> = new Set(['mp3', 'oma', 'tta']);

export const isCover = ({ from }: SelectedStream): boolean => from?.stream.isAttachedPicture === true;

/** Selects the streams of an output as ffmpeg does. Throws `NoEstimate`. */
function selectStreams(
  inputs: readonly ReadInput[],
  options: CommandOptions,
  { encoders, muxer }: PlannedOutput,
): readonly PredictedStream[] {
  const counts = { video: 0, audio: 0 };
  return mappedStreams(inputs, options, muxer).flatMap((stream) => {
    const { kind } = stream.link;
    if (lastOf(options, `${kind[0]}n`) !== undefined) return [];
    const index = counts[kind]++;
    const encoder = ofStream(options, 'c', { ...stream, index }) ?? encoders[kind]?.[0];
    return encoder === undefined ? [] : [{ ...stream, index, encoder }];
  });
}

function mappedStreams(
  inputs: readonly ReadInput[],
  options: CommandOptions,
  muxer: string,
): readonly SelectedStream[] {
  const all = inputs.flatMap((input) => input.media.streams.flatMap((stream) => linksOf(stream, input)));
  /** The streams that a specifier selects. undefined: only ffmpeg knows them. */
  const matching = (specifier: string): readonly Link[] | undefined => {
    const [, input, letter, index] = SPECIFIER.exec(specifier) ?? [];
    const isOfKind = ({ kind, source }: Link): boolean =>
      letter === undefined ||
      (kind[0] === letter.toLowerCase() && !(letter === 'V' && source.stream.isAttachedPicture === true));
    if (input === undefined) return undefined;
    const own = all.filter((link) => link.source.input === inputs[Number(input)] && isOfKind(link));
    if (index === undefined) return own;
    return own.filter(({ source }, at) => (letter === undefined ? source.stream.index : at) === Number(index));
  };
  const direct = (link: Link): SelectedStream => ({ link, from: link.source });
  const graph = lastOf(options, 'filter_complex', 'lavfi');
  const graphLinks =
    graph === undefined ? new Map<string, Link>() : followed(chainsOf(graph), (label) => matching(label)?.[0]);
  const maps = options.flatMap(([name, value]) => (name === 'map' ? [value] : []));
  if (maps.length === 0) {
    const free = [...graphLinks.values()].map((link) => ({ link }));
    const offered = all
      .map(direct)
      .filter((one) => one.link.kind === 'audio' || isCover(one) || !SELECTS_COVERS.has(muxer));
    const best = (['video', 'audio'] as const).flatMap((kind) => {
      const streams = offered.map(({ link }) => link.source.stream);
      const stream = free.some(({ link }) => link.kind === kind) ? undefined : bestStream(kind, streams);
      return (stream && offered[streams.indexOf(stream)]) ?? [];
    });
    return [...free, ...best];
  }
  let selected: SelectedStream[] = [];
  for (const map of maps) {
    const link = graphLinks.get(map.slice(1, -1));
    const links = matching(map.replace(/^-/, ''));
    if (map.startsWith('[') && link !== undefined) selected.push({ link });
    else if (links === undefined)
      throw new NoEstimate(`The streams of "map" "${map}" are not known before the job runs.`);
    else if (map.startsWith('-')) selected = selected.filter((one) => !links.includes(one.link));
    else selected.push(...links.map(direct));
  }
  return selected;
}

function chainsOf(text: string): readonly GraphChain[] {
  const graph = parseGraph(text);
  if (isGraphError(graph)) throw new NoEstimate('The filtergraph is not estimated.');
  return graph.chains;
}

/**
 * Follows streams through chains, in the order of the text. Returns the open outputs by their labels. An output without a label has
 * the label ''. Throws `NoEstimate`, also if a chain reads what a later one writes.
 *
 * @param streamOf The stream of a label that no chain writes, and of an input without a label (empty).
 */
function followed(
  chains: readonly GraphChain[],
  streamOf: (label: string) => Link | undefined,
): ReadonlyMap<string, Link> {
  const links = new Map<string, Link>();
  const read = (label: string): Link => {
    const link = (label === '' ? undefined : links.get(label)) ?? streamOf(label);
    if (link === undefined)
      throw new NoEstimate('The filtergraph reads a stream that is not known before the job runs.');
    // A label can be read once. After that, it is not an output of the graph.
    if (label !== '') links.delete(label);
    return link;
  };
  for (const chain of chains) {
    let open: readonly Link[] = [];
    for (const [index, filter] of chain.entries()) {
      const labels = index === 0 && filter.inputs.length === 0 ? [''] : filter.inputs;
      const outputs = afterFilter(filter, [...labels.map(read), ...open]);
      for (const [at, link] of outputs.slice(0, filter.outputs.length).entries())
        links.set(filter.outputs[at] ?? '', link);
      open = outputs.slice(filter.outputs.length);
    }
    const [last] = open;
    if (last !== undefined) links.set('', last);
  }
  return links;
}
