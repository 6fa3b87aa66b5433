import type { MediaStream } from '@telecine/contract/domain/media-info.ts';
import type { PlannedOutput } from '@telecine/contract/domain/plan.ts';
import { type GraphChain, isGraphError } from '../filtergraph/graph.ts';
import { hasMeasuredLoudness } from '../filtergraph/loudness-passes.ts';
import { parseGraph } from '../filtergraph/parse.ts';
import { MOST_CHANNELS } from '../values/media-formats.ts';
import { readNumber } from '../values/number.ts';
import { readRate } from '../values/rate.ts';
import { parseSize } from '../values/size.ts';
import { secondsAfterCut } from '../values/span-length.ts';
import { bestStream } from './best-streams.ts';
import { afterFilter } from './filter-effects.ts';
import { type EstimatedInput, linkOf } from './input-streams.ts';
import {
  type AudioLink,
  allOf,
  type Command,
  type CommandOptions,
  type Link,
  lastOf,
  NoEstimate,
  ofStream,
  requireSize,
  type VideoLink,
} from './links.ts';

export type OutputStream = {
  readonly index: number;
  /** The name of the encoder, or `copy`. */
  readonly encoder: string;
  /** The input stream that the stream comes from. Absent if a filter combines several. */
  readonly from?: { readonly stream: MediaStream; readonly input: EstimatedInput };
} & (VideoLink | AudioLink);

/** A filter of an output, and the larger of its first input and its first output. */
export interface AppliedFilter {
  readonly name: string;
  readonly link: Link;
  /** true: a `loudnorm` that gets measured values, with which a constant gain may be enough. */
  readonly isMeasured?: boolean;
}

/** The streams of an output as its encoders receive them. */
export interface KnownOutput {
  readonly streams: readonly OutputStream[];
  /** The filters of these streams alone. */
  readonly filters: readonly AppliedFilter[];
  /** The filters of `filter_complex`, which several outputs share. */
  readonly graphFilters: readonly AppliedFilter[];
  /** The duration in seconds: that of the longest stream or, with `shortest`, of the shortest stream. */
  readonly seconds: number;
}

type Selected = { readonly link: Link; readonly from?: NonNullable<OutputStream['from']> };

/** A stream of an output before its own filters and its encoder. */
export type SelectedStream = Pick<OutputStream, 'index' | 'encoder' | 'from'> & { readonly link: Link };

/**
 * Selects the streams of an output as ffmpeg does. Throws `NoEstimate` if a filtergraph has an unknown effect.
 *
 * @param applied Gets the filters of `filter_complex`.
 */
export function selectStreams(
  { inputs: commands, output: options }: Command,
  inputs: readonly EstimatedInput[],
  { encoders, muxer }: Pick<PlannedOutput, 'encoders' | 'muxer'>,
  applied: AppliedFilter[] = [],
): readonly SelectedStream[] {
  const linkAt = (input: number, stream: MediaStream): Selected | undefined => {
    const found = inputs[input];
    const link = found && linkOf(stream, found, commands[input]?.options ?? []);
    return found && link && { link, from: { stream, input: found } };
  };
  const select = selector(options, inputs, muxer, linkAt, applied);
  const counts = { video: 0, audio: 0 };
  return select.flatMap(({ link, from }): SelectedStream[] => {
    const { kind } = link;
    const letter = kind === 'video' ? 'v' : 'a';
    if (lastOf(options, `${letter}n`) !== undefined) return [];
    const index = counts[kind]++;
    const encoder = ofStream(options, 'c', letter, index) ?? encoders[kind]?.[0];
    if (encoder === undefined) return [];
    return [{ link, index, encoder, ...(from && { from }) }];
  });
}

/** Selects the streams of an output as ffmpeg does, and applies their filters. Throws `NoEstimate`. */
export function outputStreams(
  command: Command,
  inputs: readonly EstimatedInput[],
  { encoders, span, muxer }: Pick<PlannedOutput, 'encoders' | 'span' | 'muxer'>,
): KnownOutput {
  const [filters, graphFilters]: [AppliedFilter[], AppliedFilter[]] = [[], []];
  const selected = selectStreams(command, inputs, { encoders, muxer }, graphFilters);
  const streams = selected.map(({ link, ...one }): OutputStream => {
    const encoded =
      one.encoder === 'copy'
        ? link
        : withLimits(encodedLink(link, command.output, one.index, filters), link, { ...one, muxer });
    return { ...encoded, ...one };
  });
  if (streams.length === 0) throw new NoEstimate('The output has no video and no audio.');
  const lengths = streams.map(({ seconds }) => seconds);
  const longest = span.shortest ? Math.min(...lengths) : Math.max(...lengths);
  const seconds = secondsAfterCut(longest, span.output);
  if (!Number.isFinite(seconds)) throw new NoEstimate('Nothing ends the output. Send "t" to limit it.');
  const ending = streams.map((stream) => ({ ...stream, seconds: trimmed(stream, span, seconds) }));
  return { streams: ending, filters, graphFilters, seconds };
}

const trimmed = ({ seconds }: Link, { output }: PlannedOutput['span'], most: number): number =>
  Math.min(secondsAfterCut(seconds, output), most);

/** Formats for which ffmpeg repeats frames, so that their rate is constant. */
const CONSTANT_RATE = /^(?:hls|dash|avi|mxf|mpeg|vob|dvd|svcd|vcd)$/;

/** No source has a higher rate, but the time base of some files says so. */
const MAX_RATE = 240;

/** What the encoder and the format make of a stream: at most so many channels, and the base frame rate of a varying one. */
function withLimits(
  encoded: Link,
  link: Link,
  { encoder, muxer }: Pick<OutputStream, 'encoder'> & Pick<PlannedOutput, 'muxer'>,
): Link {
  if (encoded.kind === 'audio')
    return { ...encoded, channels: Math.min(encoded.channels, MOST_CHANNELS[encoder] ?? encoded.channels) };
  const base = (link.kind === 'video' ? link.source?.baseFrameRate : undefined) ?? 0;
  const isVarying = link.kind === 'video' && encoded.fps === link.fps && base > encoded.fps && base <= MAX_RATE;
  return isVarying && CONSTANT_RATE.test(muxer) ? { ...encoded, fps: base } : encoded;
}

function encodedLink(link: Link, options: CommandOptions, index: number, applied: AppliedFilter[]): Link {
  const letter = link.kind === 'video' ? 'v' : 'a';
  const graph = ofStream(options, 'filter', letter, index);
  const after = graph === undefined ? link : filtered(graph, link, applied);
  if (after.kind === 'audio') {
    const sampleRate = Number(ofStream(options, 'ar', letter, index)) || after.sampleRate;
    return { ...after, sampleRate, channels: Number(ofStream(options, 'ac', letter, index)) || after.channels };
  }
  requireSize(after);
  const size = parseSize(ofStream(options, 's', letter, index) ?? '');
  const fps = readRate(ofStream(options, 'r', letter, index) ?? '') ?? after.fps;
  const frames = readNumber(ofStream(options, 'frames', letter, index) ?? '');
  const seconds = frames === undefined ? after.seconds : Math.min(after.seconds, frames / fps);
  return { ...after, ...size, fps, seconds };
}

function selector(
  options: CommandOptions,
  inputs: readonly EstimatedInput[],
  muxer: string,
  linkAt: (input: number, stream: MediaStream) => Selected | undefined,
  applied: AppliedFilter[],
): readonly Selected[] {
  const all = inputs.flatMap(({ streams }, input) =>
    streams.flatMap((stream) => {
      const selected = linkAt(input, stream);
      return selected === undefined ? [] : [{ ...selected, input, stream }];
    }),
  );
  const matching = (input: number, kind: string | undefined, index: string | undefined): readonly Selected[] => {
    const own = all.filter(
      (one) => one.input === input && (kind === undefined || (kind === 'a' ? 'audio' : 'video') === one.link.kind),
    );
    if (kind === undefined && index !== undefined) return own.filter(({ stream }) => stream.index === Number(index));
    return index === undefined ? own : own.slice(Number(index), Number(index) + 1);
  };
  const graph = lastOf(options, 'filter_complex', 'lavfi');
  const outputs =
    graph === undefined
      ? new Map<string, Link>()
      : graphOutputs(
          graph,
          (label) => {
            const [, input, kind, index] = LABEL.exec(label) ?? [];
            return input === undefined ? undefined : matching(Number(input), kind, index ?? '0')[0]?.link;
          },
          applied,
        );
  const maps = allOf(options, 'map');
  if (maps.length === 0) {
    const free = [...outputs.values()];
    const best = bestStreams(all, muxer).filter(({ link }) => !free.some(({ kind }) => kind === link.kind));
    return [...free.map((link) => ({ link })), ...best];
  }
  let selected: Selected[] = [];
  for (const map of maps) {
    const [, label] = /^\[(.+)\]$/.exec(map) ?? [];
    const link = label === undefined ? undefined : outputs.get(label);
    if (label !== undefined && link === undefined)
      throw new NoEstimate(`The stream "${map}" is not known before the job runs.`);
    if (link !== undefined) {
      selected.push({ link });
      continue;
    }
    const [, minus, input, kind, index] = MAP.exec(map) ?? [];
    if (input === undefined) throw new NoEstimate(`The streams that "map" "${map}" selects are not estimated.`);
    // Subtitles and data are too small to count.
    if (kind === 's' || kind === 'd' || kind === 't') continue;
    const matched = matching(Number(input), kind, index);
    const streams = matched.map(({ from }) => from?.stream);
    if (minus === '-') selected = selected.filter(({ from }) => from === undefined || !streams.includes(from.stream));
    else selected.push(...matched);
  }
  return selected;
}

const LABEL = /^(\d+)(?::([vVa]))?(?::(\d+))?$/;
const MAP = /^(-?)(\d+)(?::([vVasdt])(?=[:?]|$))?(?::(\d+))?\??$/;

export const isCover = ({ from }: Pick<Selected, 'from'>): boolean => from?.stream.isAttachedPicture === true;

/**
 * Muxers for which ffmpeg selects a cover, but no other video. For other muxers that store only covers, ffmpeg encodes a video that the
 * muxer then discards.
 */
const SELECTS_COVERS: ReadonlySet<string> = new Set(['mp3', 'oma', 'tta']);

/** The streams that ffmpeg selects without `map`. */
function bestStreams<T extends Selected & { readonly stream: MediaStream }>(
  all: readonly T[],
  muxer: string,
): readonly T[] {
  const isSelectable = (one: T): boolean => one.link.kind !== 'video' || isCover(one) || !SELECTS_COVERS.has(muxer);
  const selectable = all.filter(isSelectable);
  const streams = selectable.map(({ stream }) => stream);
  const best = (['video', 'audio'] as const).map((kind) => bestStream(kind, streams));
  return best.flatMap((stream) => selectable.find((one) => one.stream === stream) ?? []);
}

const chainsOf = (text: string): readonly GraphChain[] => {
  const graph = parseGraph(text);
  if (isGraphError(graph)) throw new NoEstimate('The filtergraph is not estimated.');
  return graph.chains;
};

/** A stream after its own filters (`filter:v`). Throws `NoEstimate`. */
function filtered(text: string, input: Link, applied: AppliedFilter[]): Link {
  const chains = chainsOf(text);
  const links = labelled(chains, (label) => (label === undefined || label === 'in' ? input : undefined), applied);
  const result = links.get('out') ?? links.get('') ?? [...links.values()].at(-1);
  if (result === undefined) throw new NoEstimate('The filtergraph has no output.');
  return result;
}

/**
 * The open outputs of `filter_complex` by their labels. Throws `NoEstimate`.
 *
 * @param streamOf Returns the input stream with a label, such as `0:v`. undefined: there is no such stream.
 */
const graphOutputs = (
  text: string,
  streamOf: (label: string) => Link | undefined,
  applied: AppliedFilter[],
): ReadonlyMap<string, Link> =>
  labelled(chainsOf(text), (label) => (label === undefined ? undefined : streamOf(label)), applied);

/** Follows the streams through all chains, which may be in any order. The label of an output without a label is empty. */
function labelled(
  chains: readonly GraphChain[],
  streamOf: (label: string | undefined) => Link | undefined,
  applied: AppliedFilter[],
): ReadonlyMap<string, Link> {
  const links = new Map<string, Link>();
  let waiting = chains;
  while (waiting.length > 0) {
    const left = waiting.filter((chain) => !follow(chain, links, streamOf, applied));
    if (left.length === waiting.length)
      throw new NoEstimate('The filtergraph reads a stream that is not known before the job runs.');
    waiting = left;
  }
  return links;
}

/** Adds the outputs of a chain to `links`, and its filters to `applied`. false: it reads a label that no chain has written yet. */
function follow(
  chain: GraphChain,
  links: Map<string, Link>,
  streamOf: (label: string | undefined) => Link | undefined,
  applied: AppliedFilter[],
): boolean {
  const own: AppliedFilter[] = [];
  const written = new Map<string, Link>();
  const read = new Set<string>();
  let open: readonly Link[] = [];
  for (const [index, filter] of chain.entries()) {
    const named = filter.inputs.map((label) => written.get(label) ?? links.get(label) ?? streamOf(label));
    if (named.includes(undefined)) return false;
    for (const label of filter.inputs) if (!written.delete(label)) read.add(label);
    const unlabelled = index === 0 && named.length === 0 ? streamOf(undefined) : undefined;
    const inputs = [...(named as readonly Link[]), ...open, ...(unlabelled === undefined ? [] : [unlabelled])];
    const outputs = afterFilter(filter, inputs);
    const most = largest(inputs[0], outputs[0]);
    if (most !== undefined)
      own.push({ name: filter.name, link: most, ...(hasMeasuredLoudness(filter) && { isMeasured: true }) });
    for (const [at, label] of filter.outputs.entries()) {
      const link = outputs[at];
      if (link !== undefined) written.set(label, link);
    }
    open = outputs.slice(filter.outputs.length);
  }
  // A label can be read once. After that, it is not an output of the graph.
  for (const label of read) links.delete(label);
  for (const [label, link] of written) links.set(label, link);
  const [last] = open;
  if (last !== undefined) links.set('', last);
  applied.push(...own);
  return true;
}

/** The video with more pixels per second. Audio and a missing stream have none. */
const largest = (a: Link | undefined, b: Link | undefined): Link | undefined => (pixelRate(b) > pixelRate(a) ? b : a);

const pixelRate = (link: Link | undefined): number =>
  link?.kind === 'video' ? link.width * link.height * link.fps : 0;
