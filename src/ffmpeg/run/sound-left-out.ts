import { type Edits, sendOption, withMore } from '../../domain/edit.ts';
import { holdsNoSound } from '../allowlist/containers.ts';
import { changeFilters, type Graph, type GraphFilter } from '../filtergraph/graph.ts';
import { TIMES } from './filter-effects.ts';
import type { FinishedPass, RunWarning } from './finished-pass.ts';
import { wholeGraphFix } from './graph-fixes.ts';
import {
  type ArgvGraph,
  type MediaFacts,
  optionValue,
  pathOf,
  type Source,
  secondsIn,
  sentNameOf,
  sourceOf,
  streamsOf,
  withField,
} from './media-facts.ts';
import { cutSound } from './trim-checks.ts';

/** Options that say that no sound is meant, or that the output has only some pictures. */
const SILENT = /^-(?:an|frames(?::v.*)?|update)$/;

/** Formats of pictures and animations, and of no file, that also hold sound. */
const OF_PICTURES: ReadonlySet<string> = new Set(['image2', 'null', 'nut']);

/**
 * The picture of a filtergraph is mapped, and no sound, although an input has some: with a map, ffmpeg takes nothing else.
 * A map of `0:v` alone is plain enough. So is a graph that changes the times of the picture in a way that the sound cannot
 * follow: a time lapse, a film in reverse.
 */
export function soundLeftOut(facts: MediaFacts, { outputStreams, plan }: FinishedPass): readonly RunWarning[] {
  return withoutSound(facts, new Set(outputStreams.map(({ type }) => type)), plan);
}

/** The same before the run, if all maps are labels of pictures. */
export function soundLeftOutBefore(facts: MediaFacts, plan: FinishedPass['plan']): readonly RunWarning[] {
  const [graph, ...others] = facts.graphs.filter(({ key }) => key === 'filter_complex');
  if (graph === undefined || others.length > 0) return [];
  const isPicture = (map: string): boolean => {
    const filter = graph.filters.find(({ outputs }) => outputs.includes(map.slice(1, -1)));
    // If "concat" has several outputs, some of them are sound.
    if (filter === undefined || filter.name === 'concat') return false;
    return sourceOf(facts, graph, filter, 0, JOINS)?.stream.type === 'video';
  };
  return mapsOf(facts).every(isPicture) ? withoutSound(facts, new Set(['video']), plan) : [];
}

const JOINS = /^concat$/;

const mapsOf = ({ argv }: MediaFacts): readonly string[] =>
  argv.flatMap((word, at) => (word === '-map' ? [argv[at + 1] ?? ''] : []));

/** `kinds`: those of the streams of the output. */
function withoutSound(
  facts: MediaFacts,
  kinds: ReadonlySet<string>,
  plan: FinishedPass['plan'],
): readonly RunWarning[] {
  const { argv, graphs } = facts;
  const maps = mapsOf(facts);
  const isSilent = argv.some((word) => SILENT.test(word)) || holdsNoSound(plan.output.muxer);
  const [graph, ...others] = graphs.filter(({ key }) => key === 'filter_complex');
  if (isSilent || OF_PICTURES.has(plan.output.muxer) || graph === undefined || others.length > 0) return [];
  if (!maps.some((map) => map.startsWith('[')) || !kinds.has('video') || kinds.has('audio')) return [];
  const input = inputWithSound(facts);
  // The plan names the map beside an option for sound.
  const isKnown = plan.warnings.some(({ code, field }) => code === 'NO_EFFECT' && field === '/parameters/map');
  const fix = input === undefined || isKnown ? undefined : soundFix(facts, graph, maps, input);
  if (input === undefined || fix === undefined) return [];
  return [
    withField(facts, 'map', {
      code: 'SOUND_LEFT_OUT',
      message: `The output has no sound, although ${pathOf(facts, input)} has: ffmpeg takes only what "map" selects.`,
      fix: { ...fix, or: '"an": "" if no sound is meant' },
    }),
  ];
}

/** The first input whose picture is used and that has sound, or else the first with sound. */
function inputWithSound(facts: MediaFacts): number | undefined {
  const [first] = facts.plan.inputs.flatMap((_one, index) =>
    streamsOf(facts, index, 'audio').length > 0 ? [index] : [],
  );
  return (
    facts.used.find(
      ({ input, stream }) =>
        streamsOf(facts, input, 'audio').length > 0 &&
        streamsOf(facts, input, 'video').some(({ index }) => index === stream),
    )?.input ?? first
  );
}

/** The fix that maps the sound, cut or joined as the picture is. undefined if the sound cannot follow the picture. */
function soundFix(facts: MediaFacts, graph: ArgvGraph, maps: readonly string[], input: number): Edits | undefined {
  const name = sentNameOf(facts, 'map');
  const timed = graph.filters.filter((filter) => TIMES.test(filter.name));
  if (timed.length === 0) return sendOption(name, [...maps, `${input}:a?`]);
  const label = ['sound', 'sound1'].find((one) => !graph.filters.some(({ outputs }) => outputs.includes(one))) ?? 'a0';
  const whole = withSound(facts, graph, timed, label);
  const sent = whole && wholeGraphFix(facts, graph.key, whole);
  return sent && withMore(sent, { do: 'send', name, value: [...maps, `[${label}]`] });
}

/** The graph with the sound in `label`. `timed`: its filters that change times. */
function withSound(
  facts: MediaFacts,
  argvGraph: ArgvGraph,
  timed: readonly GraphFilter[],
  label: string,
): Graph | undefined {
  const { graph } = argvGraph;
  const [filter, ...others] = timed;
  if (filter === undefined) return undefined;
  if (filter.name === 'trim') {
    const source = sourceOf(facts, argvGraph, filter, 0, TIMES);
    const resets = others.every((one) => one.name === 'setpts' && optionValue(one, 'expr') === 'PTS-STARTPTS');
    if (source === undefined || !hasSound(facts, source) || !resets || others.length > 1) return undefined;
    const cut = cutSound(filter, `${source.input}:a`, label);
    return { ...graph, chains: [...graph.chains, cut] };
  }
  if (others.length > 0) return undefined;
  const sources = filter.inputs.map((_one, pad) => sourceOf(facts, argvGraph, filter, pad, TIMES));
  const pads = sources.flatMap((source) => (source && hasSound(facts, source) ? [`${source.input}:a`] : []));
  if (pads.length < 2 || pads.length < sources.length) return undefined;
  if (filter.name === 'xfade') return { ...graph, chains: [...graph.chains, ...fadedSound(filter, pads, label)] };
  if (filter.name !== 'concat' || filter.outputs.length !== 1) return undefined;
  const joined: GraphFilter = {
    ...filter,
    inputs: filter.inputs.flatMap((one, pad) => [one, pads[pad] ?? '']),
    options: [
      ...filter.options.filter(({ key }) => key !== 'a' && key !== 'v'),
      { key: 'v', value: '1' },
      { key: 'a', value: '1' },
    ],
    outputs: [...filter.outputs, label],
  };
  return changeFilters(graph, (one) => [one === filter ? joined : one]);
}

/** The sound of a transition: that of the first film ends with its picture, where the transition is over. */
function fadedSound(filter: GraphFilter, [first = '', second = '']: readonly string[], to: string): Graph['chains'] {
  const duration = secondsIn(optionValue(filter, 'duration') ?? '1');
  const offset = secondsIn(optionValue(filter, 'offset') ?? '0');
  const fade = (from: string): GraphFilter => ({
    name: 'acrossfade',
    options: [{ key: 'd', value: String(duration) }],
    inputs: [from, second],
    outputs: [to],
    at: 0,
  });
  const end = String(Number(((offset ?? 0) + (duration ?? 1)).toFixed(3)));
  const cut = { name: 'atrim', options: [{ key: 'end', value: end }], inputs: [first], outputs: [`${to}0`], at: 0 };
  return [[cut], [fade(`${to}0`)]];
}

const hasSound = (facts: MediaFacts, { input, stream }: Source): boolean =>
  stream.type === 'video' && streamsOf(facts, input, 'audio').length > 0;
