import { parseDuration } from '@telecine/contract/domain/duration.ts';
import {
  LADDER_PLACEHOLDERS,
  LADDER_RUNGS,
  type LadderPass,
  type LadderTarget,
  ladderSampleFile,
  type PlannedLadder,
} from '@telecine/contract/domain/ladder.ts';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import type { Span } from '@telecine/contract/domain/plan.ts';
import type { FieldError } from '@telecine/contract/domain/problem.ts';
import { QUALITY_PLACEHOLDERS } from '@telecine/contract/domain/quality.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { type Graph, printGraph } from '../../filtergraph/graph.ts';
import { LADDER_VALUES, variantsOfRungs } from '../../quality/ladder.ts';
import { type ArgvParts, NULL_OUTPUT, optionArgs, outputArgs, sampleArgv } from '../argv.ts';
import { type ArgvOption, isVideoFilter, lastValue, serviceOption, videoValue } from '../request/argv-option.ts';
import { constantRateContainer, isRateMode } from '../request/frame-rate-modes.ts';
import type { SearchedLadder } from './check-ladder.ts';
import { comparingSizesGraph, TO_RUNG } from './ladder-graph.ts';
import {
  graphOf,
  hasEnd,
  inputWithVideo,
  OF_WHOLE,
  packetsArgv,
  rangeOf,
  sampled,
  timelineStart,
  unknownEnds,
  VIDEO_ONLY,
} from './plan-quality.ts';
import { appendFilters, inPixelFormat } from './quality-graphs.ts';
import { BEGINS_AT_ZERO, KEEPS_TIMES, withKeyFramesOfSample } from './sample-times.ts';

const { rung: RUNG, maxrate, bufsize, variants } = LADDER_PLACEHOLDERS;

const DEFAULT_SEGMENT_SECONDS = 2;

const segmentSeconds = (options: readonly ArgvOption[]): number =>
  parseDuration(lastValue('hls_time', options) ?? '') ?? DEFAULT_SEGMENT_SECONDS;

/**
 * The options of the output, with those of HLS that a ladder needs: as many variants as rungs are possible, a complete playlist, and key
 * frames at the same times in all rungs. Options of the client come first.
 */
export function withVariants(
  options: readonly ArgvOption[],
  output: MediaPath,
  { target: { maxRungs = LADDER_RUNGS.max }, encoder, audio }: SearchedLadder,
): readonly ArgvOption[] {
  const lacks = (...keys: readonly string[]): boolean => !options.some(({ name }) => keys.includes(name.name));
  const seconds = segmentSeconds(options);
  const add = (isNeeded: boolean, key: string, value: string, isOfContainer = true): readonly ArgvOption[] =>
    isNeeded ? [serviceOption(key, [value], isOfContainer)] : [];
  return [
    ...options,
    ...add(lacks('hls_playlist_type', 'hls_list_size'), 'hls_playlist_type', 'vod'),
    ...add(lacks('force_key_frames', 'g'), 'force_key_frames:v', `expr:gte(t,n_forced*${seconds})`, false),
    ...add(encoder === 'libx264' && lacks('sc_threshold'), 'sc_threshold:v', '0', false),
    ...add(output.includes('%v') && lacks('master_pl_name'), 'master_pl_name', 'master.m3u8'),
    ...add(true, 'var_stream_map', variantsOfRungs(maxRungs, audio.found !== 'never')),
  ];
}

/** What the argvs of a ladder are made of. */
export interface LadderParts {
  readonly parts: ArgvParts;
  readonly span: Span;
  readonly searched: SearchedLadder;
  readonly catalogue: Catalogue;
  readonly errors: FieldError[];
}

/** Plans how the run finds the rungs, and the pass that writes them. undefined: `errors` has the reason. */
export function planLadder({ parts, span, searched, catalogue, errors }: LadderParts): PlannedLadder | undefined {
  const { metric, target, encoder, scale, videoMap, audio } = searched;
  const { output, inputs } = parts;
  const graph = graphOf(output);
  const inFormat = inPixelFormat(videoValue(output, 'pix_fmt'));
  const ofRung = appendFilters(graph, TO_RUNG, catalogue);
  const comparing = comparingSizesGraph(graph, inFormat, metric, catalogue);
  if (ofRung === undefined || comparing === undefined) {
    errors.push(unknownEnds(output));
    return undefined;
  }
  const shared = output.filter((option) => !isVideoFilter(option) && !isMap(option) && !setsRung(option, searched));
  const samples = sampled(inputs);
  const video = inputWithVideo([videoMap]);
  const start = timelineStart(output, span, video);
  const listed = inputs[video];
  const map = serviceOption('map', [videoMap]);
  const filtered = (text: string): readonly ArgvOption[] => [map, serviceOption('filter:v', [text]), ...VIDEO_ONLY];
  return {
    ...{ metric, target: target.target, encoder, scale, ...limitsOf(target) },
    range: rangeOf(output, span, video),
    segmentSeconds: segmentSeconds(output),
    ...(/(?:^|\+)single_file(?:$|[+-])/.test(lastValue('hls_flags', output) ?? '') && { isSingleFile: true as const }),
    ...(listed !== undefined && hasEnd(listed) && { packets: packetsArgv(parts, listed) }),
    inspect: sampleArgv(
      parts,
      [...filtered(graph === undefined ? 'null' : printGraph(graph)), serviceOption('frames:v', ['1'])],
      NULL_OUTPUT,
    ),
    encode: sampleEncodingArgv({ ...parts, inputs: samples }, { scale, videoMap, start }, shared, ofRung),
    compare: sampleArgv(
      { ...parts, inputs: samples },
      [...filtered(comparing), serviceOption('fps_mode', ['passthrough']), ...KEEPS_TIMES],
      NULL_OUTPUT,
    ),
    pass: passOf(parts, searched, shared, ofRung),
    audio: audio.found,
  };
}

/** The argv that the plan shows: the pass of one rung, with audio if it may have some. */
export const shownPass = ({ start, rung, audio, end }: LadderPass): readonly string[] => [
  ...start,
  ...rung,
  ...audio,
  ...end,
];

const limitsOf = ({ maxRungs = LADDER_RUNGS.max, maxBitrate }: LadderTarget) => ({
  maxRungs,
  ...(maxBitrate !== undefined && { maxBitrate }),
});

const isMap = ({ key }: ArgvOption): boolean => key === 'map';

/** True for the quality option, whose value differs between the rungs. */
const setsRung = ({ key }: ArgvOption, { scale }: SearchedLadder): boolean => key === `${scale.option}:v`;

/** Options that belong to the container of the output, although other containers have them too. */
const OF_CONTAINER: ReadonlySet<string> = new Set(['tag', 'var_stream_map', 'master_pl_name', 'f']);

/** What the argv that encodes samples depends on, besides its options. `start`: the time of the input at which the timeline of the output begins. */
interface SampledVideo extends Pick<SearchedLadder, 'scale'> {
  readonly videoMap: string | undefined;
  readonly start: number;
}

/** Encodes a sample several times at once, at a constant rate, as HLS has by default. NUT stores any codec, with few bytes besides. */
export function sampleEncodingArgv(
  parts: ArgvParts,
  { scale, videoMap, start }: SampledVideo,
  shared: readonly ArgvOption[],
  graph: Graph,
): readonly string[] {
  const options = shared.filter(
    (option) =>
      !option.containerOnly && !OF_WHOLE.has(option.key) && !OF_CONTAINER.has(option.name.name) && !isRateMode(option),
  );
  const one = (number: number): readonly string[] => [
    ...optionArgs([
      ...(videoMap === undefined ? [] : [serviceOption('map', [videoMap])]),
      serviceOption('filter:v', [printGraph(graph)]),
      serviceOption(`${scale.option}:v`, [QUALITY_PLACEHOLDERS.value]),
      ...withKeyFramesOfSample(options, start),
      ...VIDEO_ONLY,
      ...BEGINS_AT_ZERO,
    ]),
    ...[...constantRateContainer('nut'), '-y', `file:${ladderSampleFile(number)}`],
  ];
  const others = Array.from({ length: LADDER_VALUES - 1 }, (_, index) => [...parts.limits.output, ...one(index + 1)]);
  return sampleArgv(parts, KEEPS_TIMES, [...one(0), ...others.flat()]);
}

function passOf(
  parts: ArgvParts,
  { scale, videoMap, audio }: SearchedLadder,
  shared: readonly ArgvOption[],
  graph: Graph,
): LadderPass {
  const rest = shared.map((option) => (option.key === 'var_stream_map' ? { ...option, values: [variants] } : option));
  const ofRung = (name: string): string => `${name}:v:${RUNG}`;
  return {
    start: sampleArgv(parts, [], []),
    rung: optionArgs([
      serviceOption('map', [videoMap]),
      serviceOption(ofRung('filter'), [printGraph(graph)]),
      serviceOption(ofRung(scale.option), [QUALITY_PLACEHOLDERS.value]),
      serviceOption(ofRung('maxrate'), [maxrate]),
      serviceOption(ofRung('bufsize'), [bufsize]),
    ]),
    audio: audio.found === 'never' ? [] : ['-map', audio.map],
    end: [...optionArgs(rest), ...outputArgs({ ...parts, output: rest })],
  };
}
