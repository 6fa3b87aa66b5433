import { type Edits, orElse, sendOption, withMore } from '../../../domain/edit.ts';
import type { OutputStream } from '../../../domain/job.ts';
import { extension } from '../../../domain/media-path.ts';
import { andList } from '../../../domain/quantity.ts';
import { holdsNoSound, holdsNoVideo } from '../../allowlist/containers.ts';
import { type Catalogue, componentOf } from '../../catalogue/catalogue.ts';
import type { Graph, GraphFilter } from '../../filtergraph/graph.ts';
import { changeFilters, walkOf } from '../../filtergraph/graph.ts';
import { type ArgvOption, sentName } from '../../plan/request/argv-option.ts';
import { fileKind } from '../../plan/request/format-names.ts';
import type { ArgvInput } from '../../plan/request/resolve-inputs.ts';
import type { Rule } from '../contexts.ts';
import type { FinishedPass, RunWarning } from '../facts/finished-pass.ts';
import { wholeGraphFix } from '../facts/graph-fixes.ts';
import {
  type ArgvGraph,
  type MediaFacts,
  optionValue,
  type Source,
  secondsIn,
  sourceOf,
  TIMES,
} from '../facts/media-facts.ts';
import { isPictureSubtitle } from '../failures/subtitles.ts';
import { cutSound } from '../times/trims.ts';
import { kindOf } from './options.ts';

/** Formats in which people expect a picture. */
const FILMS = /^(?:mp4|mov|matroska|webm|avi|mpegts|flv)$/;

type Letter = 'v' | 'a' | 's';
const NAMES = { v: 'picture', a: 'sound', s: 'subtitles' } as const;
const ALONE = { v: 'sound alone', a: 'a silent film', s: 'a film without subtitles' } as const;

/**
 * Options for a kind of stream that no `map` selects: `c:a` beside `"map": "[v]"`. With a map, ffmpeg takes
 * nothing else, so the sound is lost. `isOwn`: whether an option is for this output alone; another may use the others.
 */
const UNMAPPED_STREAM_KINDS: Rule = {
  id: 'unmapped-stream-kinds',
  finds: 'options for a kind of stream that no `map` selects, or a `map` that leaves out the video',
  about: ['map'],
  plan({ options, opened: inputs, muxer, catalogue, isOwn }) {
    const maps = options.filter(({ name }) => name.name === 'map');
    const [map] = maps;
    const values = maps.flatMap((option) => option.values);
    const kindOfLabel = labelKinds(options, catalogue);
    const kinds = values.flatMap((value) => (value.startsWith('-') ? [] : [mappedKind(value, kindOfLabel)]));
    if (map === undefined || kinds.length === 0 || kinds.includes(undefined)) return [];
    const isFilm = (): boolean => inputs.some(({ source }) => fileKind(extension(source.path)) === 'video');
    const sendsPicture = (): boolean => options.some((option) => letterOf(option) === 'v' || option.key === 'vn');
    const isSoundOfGraph = kinds.every((kind) => kind === 'a') && values.every((value) => value.startsWith('['));
    if (isSoundOfGraph && FILMS.test(muxer) && isFilm() && !sendsPicture())
      return {
        field: map.field,
        code: 'PICTURE_LEFT_OUT',
        message: 'The output has no picture: "map" selects only sound, and ffmpeg takes only what a map selects.',
        fix: orElse(
          sendOption(sentName(map), [`${inputWith('v', inputs)}:v`, ...values]),
          '"vn": "" as well for sound alone',
        ),
      };
    return (['v', 'a', 's'] as const).flatMap((letter) => {
      if (kinds.includes(letter)) return [];
      const isHeld = letter === 'v' ? !holdsNoVideo(muxer) : letter === 'a' ? !holdsNoSound(muxer) : true;
      const sent = options.filter((option) => letterOf(option) === letter && isOwn(option));
      if (!isHeld || sent.length === 0 || options.some(({ key }) => key === `${letter}n`)) return [];
      const names = [...new Set(sent.map(sentName))];
      const added = `${inputWith(letter, inputs)}:${letter}?`;
      const maps = letter === 'v' ? [added, ...values] : [...values, added];
      return {
        field: map.field,
        code: 'NO_EFFECT',
        message: `${names.map((name) => `"${name}"`).join(' and ')} ${sent.length === 1 ? 'has' : 'have'} no effect: "map" selects no ${NAMES[letter]}, and ffmpeg takes only what a map selects.`,
        // The sound that a film loses is seldom meant; a picture that a song does not get may be.
        fix:
          letter === 'a'
            ? sendOption(sentName(map), maps)
            : {
                edits: names.map((name) => ({ do: 'remove', name })),
                why: `the output is then ${ALONE[letter]}`,
                or: sendOption(sentName(map), maps),
              },
        options: sent.map(({ field }) => field),
      };
    });
  },
};

const letterOf = (option: ArgvOption): Letter | undefined =>
  option.name.name === 'c' && /^s(?=:|$)/.test(option.name.specifier ?? '') ? 's' : kindOf(option);

/** The kind of streams that a map selects: `v` for `0:v:0` and `[v]`. undefined if it is not clear, or all kinds. */
function mappedKind(map: string, kindOfLabel: (label: string) => string | undefined): string | undefined {
  const label = /^\[(.+)\]$/.exec(map)?.[1];
  return label === undefined ? /^(?:\d+:)?([vVasdt])(?=[:?]|$)/.exec(map)?.[1]?.toLowerCase() : kindOfLabel(label);
}

/** Finds the kind of stream that the first filter with a label as its output makes. */
function labelKinds(options: readonly ArgvOption[], catalogue: Catalogue): (label: string) => string | undefined {
  let producers: ReadonlyMap<string, GraphFilter> | undefined;
  return (label) => {
    producers ??= producersIn(options);
    const producer = producers.get(label);
    const pads = producer && componentOf(catalogue, 'filter', producer.name)?.outputs;
    if (producer === undefined || pads === undefined || pads === 'dynamic') return undefined;
    return pads[producer.outputs.indexOf(label)]?.media.charAt(0);
  };
}

/** The filters that produce the labels of all graphs. */
function producersIn(options: readonly ArgvOption[]): ReadonlyMap<string, GraphFilter> {
  const [first, ...others] = options.flatMap(({ checkedGraphs = [] }) => checkedGraphs);
  if (first === undefined || others.length === 0) return first === undefined ? new Map() : walkOf(first).producers;
  // Of several, the first stays.
  return new Map([first, ...others].reverse().flatMap((graph) => [...walkOf(graph).producers]));
}

/** The number of the input that a stream of this kind comes from, as far as the names of the files tell. */
function inputWith(letter: Letter, inputs: readonly ArgvInput[]): number {
  const kinds = inputs.map(({ source }) => fileKind(extension(source.path)) ?? 'video');
  return Math.max(0, kinds.indexOf(({ v: 'video', a: 'sound', s: 'subtitles' } as const)[letter]));
}

const LETTERS: Readonly<Record<string, string>> = { video: 'v', audio: 'a', subtitle: 's' };
const ORDER = Object.keys(LETTERS);

const isCover = ({ disposition }: OutputStream): boolean => disposition?.includes('attached_pic') === true;

/** Muxers for which ffmpeg selects subtitles without an option. */
const WITH_SUBTITLES = /^(?:matroska|webm)$/;

const UNUSED_STREAMS: Rule = {
  id: 'unused-streams',
  finds: 'an input with several streams of a kind, of which ffmpeg selects one without a `map`',
  /**
   * Warns if an input has several streams of a kind, and ffmpeg selects one of them because the request has no `map`. The fix keeps the
   * output's streams of other kinds.
   */
  filesAndRun({ pass: { plan, inputs, used }, options }) {
    const [input, planned] = [inputs[0], plan.inputs[0]];
    if (options.has('map') || options.hasComplexGraph || inputs.length !== 1) return [];
    if (input === undefined || planned === undefined) return [];
    const read = used.flatMap(({ stream }) => input.streams.find(({ index }) => index === stream) ?? []);
    const taken = [...read, ...foreseenSubtitles(input.streams, read, plan.passes.at(-1) ?? [], plan.output.muxer)];
    const several = ORDER.flatMap((kind) => {
      const all = input.streams.filter((stream) => stream.type === kind && !isCover(stream));
      const one = taken.find(({ type }) => type === kind);
      if (one === undefined || all.length < 2 || taken.filter(({ type }) => type === kind).length > 1) return [];
      // A capital letter leaves covers out.
      const letter = input.streams.filter(({ type }) => type === kind).length > all.length ? 'V' : LETTERS[kind];
      return [
        { kind, count: all.length, one, every: `0:${letter}`, other: `0:${letter}:${all.indexOf(one) === 0 ? 1 : 0}` },
      ];
    });
    // Several subtitles are mostly languages, of which one is wanted: alone they are no reason for a warning.
    if (!several.some(({ kind }) => kind !== 'subtitle')) return [];
    const others = taken.filter(({ type }) => !several.some(({ kind }) => kind === type));
    const [all, another] = (['every', 'other'] as const).map((which) =>
      maps(
        input.streams,
        others,
        several.map((one) => [one.kind, one[which]] as const),
      ),
    );
    const counts = andList(several.map(({ kind, count }) => `${count} ${kind} streams`));
    const had = several.map(({ one }) => `0:${one.index}`).join(', ');
    const isOne = several.length === 1;
    return {
      field: planned.field,
      code: 'UNUSED_STREAM',
      message: `"${planned.path}" has ${counts}, and the output has one of ${isOne ? 'them' : 'each'} (${had}).`,
      fix: `Send "map": ${all} for all of them, or "map": ${another} for ${isOne ? 'another one' : 'the others'}.`,
    };
  },
};

/** The subtitle stream that ffmpeg will select. `used` of an estimate has no subtitles, because they are small. */
function foreseenSubtitles(
  all: readonly OutputStream[],
  read: readonly OutputStream[],
  argv: readonly string[],
  muxer: string,
): readonly OutputStream[] {
  const isTaken = (argv.includes('-c:s') || WITH_SUBTITLES.test(muxer)) && !argv.includes('-sn');
  if (!isTaken || read.some(({ type }) => type === 'subtitle')) return [];
  // Unless they are copied, ffmpeg converts text only to text, and pictures only to pictures.
  const isCopied = argv[argv.indexOf('-c:s') + 1] === 'copy';
  const found = all.filter(({ type, codec }) => type === 'subtitle' && (isCopied || !isPictureSubtitle(codec)));
  return found.length < all.filter(({ type }) => type === 'subtitle').length ? [] : found.slice(0, 1);
}

/**
 * The value of `map` for a fix: the streams of other kinds that the output has (`others`), and the specifiers in `own`,
 * each with its kind.
 */
function maps(
  all: readonly OutputStream[],
  others: readonly OutputStream[],
  own: readonly (readonly [kind: string, specifier: string])[],
): string {
  const isOnly = (type: string): boolean => all.filter((stream) => stream.type === type).length === 1;
  const kept = others.map(({ type, index }): readonly [string, string] => [
    type,
    isOnly(type) && type in LETTERS ? `0:${LETTERS[type]}` : `0:${index}`,
  ]);
  const sorted = [...kept, ...own].toSorted(([a], [b]) => ORDER.indexOf(a) - ORDER.indexOf(b)).map(([, map]) => map);
  return JSON.stringify(sorted.length === 1 ? sorted[0] : sorted);
}

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
  return facts.argumentsOf('map').every(isPicture) ? withoutSound(facts, new Set(['video']), plan) : [];
}

const JOINS = /^concat$/;

/** `kinds`: those of the streams of the output. */
function withoutSound(
  facts: MediaFacts,
  kinds: ReadonlySet<string>,
  plan: FinishedPass['plan'],
): readonly RunWarning[] {
  const { argv, graphs } = facts;
  const maps = facts.argumentsOf('map');
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
    {
      key: 'map',
      code: 'SOUND_LEFT_OUT',
      message: `The output has no sound, although ${facts.pathOf(input)} has: ffmpeg takes only what "map" selects.`,
      fix: { ...fix, or: '"an": "" if no sound is meant' },
    },
  ];
}

/** The first input whose picture is used and that has sound, or else the first with sound. */
function inputWithSound(facts: MediaFacts): number | undefined {
  const [first] = facts.plan.inputs.flatMap((_one, index) =>
    facts.streamsOf(index, 'audio').length > 0 ? [index] : [],
  );
  return (
    facts.used.find(
      ({ input, stream }) =>
        facts.streamsOf(input, 'audio').length > 0 &&
        facts.streamsOf(input, 'video').some(({ index }) => index === stream),
    )?.input ?? first
  );
}

/** The fix that maps the sound, cut or joined as the picture is. undefined if the sound cannot follow the picture. */
function soundFix(facts: MediaFacts, graph: ArgvGraph, maps: readonly string[], input: number): Edits | undefined {
  const name = facts.sentNameOf('map');
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
  stream.type === 'video' && facts.streamsOf(input, 'audio').length > 0;

const UNMAPPED_AUDIO: Rule = {
  id: 'unmapped-audio',
  finds: 'a `map` of only the video of a filtergraph, although an input has audio',
  run: ({ facts, pass }) => (pass.hasSoundElsewhere === true ? [] : soundLeftOut(facts, pass)),
  streams: ({ facts, pass }) => soundLeftOutBefore(facts, pass.plan),
};

export const MAP_RULES: readonly Rule[] = [UNMAPPED_STREAM_KINDS, UNUSED_STREAMS, UNMAPPED_AUDIO];
