import { type Edits, orElse, sendOption, withMore } from '@telecine/contract/domain/edit.ts';
import type { OutputStream } from '@telecine/contract/domain/job.ts';
import { extension } from '@telecine/contract/domain/media-path.ts';
import { andList } from '@telecine/contract/domain/quantity.ts';
import { holdsNoAudio, holdsNoVideo } from '../../allowlist/containers.ts';
import { type Catalogue, componentOf } from '../../catalogue/catalogue.ts';
import { changeFilters, type Graph, type GraphFilter, walkOf } from '../../filtergraph/graph.ts';
import { type ArgvOption, oneOrList, sentName } from '../../plan/request/argv-option.ts';
import { fileKind } from '../../plan/request/format-names.ts';
import type { ArgvInput } from '../../plan/request/resolve-inputs.ts';
import { type FileContext, type ForeseenContext, noEffect, type Rules, type RunFindings } from '../contexts.ts';
import { convertedStreams, isCover, ofKind } from '../facts/converted-streams.ts';
import { wholeGraphFix } from '../facts/graph-fixes.ts';
import { isImageSubtitle } from '../facts/image-subtitles.ts';
import { type ArgvGraph, KINDS, type Kind, letterOf, type MediaFacts, TIMES } from '../facts/media-facts.ts';
import { PlacedFilter } from '../facts/placed-filter.ts';
import { fadedAudio } from '../times/transitions.ts';
import { cutAudio } from '../times/trims.ts';
import { playedKind } from './options.ts';

/** Formats of files that usually contain video. */
const VIDEOS = /^(?:mp4|mov|matroska|webm|avi|mpegts|flv)$/;

const WITHOUT = {
  video: 'audio alone',
  audio: 'a video without audio',
  subtitle: 'a video without subtitles',
} as const;

const kindOf = (option: ArgvOption): Kind | undefined =>
  option.name.name === 'c' && /^s(?=:|$)/.test(option.name.specifier ?? '') ? 'subtitle' : playedKind(option);

/** Returns the letter of the kind that a map selects: `v` for `0:v:0` and for `[v]` of a video filter. undefined: unclear, or all kinds. */
function mappedLetter(map: string, kindOfLabel: (label: string) => string | undefined): string | undefined {
  const label = /^\[(.+)\]$/.exec(map)?.[1];
  return label === undefined ? /^(?:\d+:)?([vVasdt])(?=[:?]|$)/.exec(map)?.[1]?.toLowerCase() : kindOfLabel(label);
}

/** Returns a function that tells the letter of the kind behind an output label, such as `v` for the label of a `scale`. */
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

function producersIn(options: readonly ArgvOption[]): ReadonlyMap<string, GraphFilter> {
  const [first, ...others] = options.flatMap(({ checkedGraphs = [] }) => checkedGraphs);
  if (first === undefined || others.length === 0) return first === undefined ? new Map() : walkOf(first).producers;
  // If several graphs have the same output label, the first one counts.
  return new Map([first, ...others].reverse().flatMap((graph) => [...walkOf(graph).producers]));
}

/** Guesses from the file names which input has streams of this kind. Also 0 if no name says so. */
function inputWith(kind: Kind, inputs: readonly ArgvInput[]): number {
  const wanted = kind === 'subtitle' ? 'subtitles' : kind;
  return Math.max(
    0,
    inputs.findIndex(({ source }) => (fileKind(extension(source.path)) ?? 'video') === wanted),
  );
}

/** Muxers for which ffmpeg selects subtitles without being asked. */
const WITH_SUBTITLES = /^(?:matroska|webm)$/;

/** Returns the subtitle stream that ffmpeg will select. Before the run, `read` lacks it, because estimates have no subtitles. */
function foreseenSubtitles(facts: MediaFacts, read: readonly OutputStream[]): readonly OutputStream[] {
  const isTaken = (facts.has('c:s') || WITH_SUBTITLES.test(facts.plan.output.muxer)) && !facts.has('sn');
  if (!isTaken || ofKind(read, 'subtitle').length > 0) return [];
  // ffmpeg copies any subtitles, but converts text only to text and images only to images.
  const all = facts.streamsOf(0, 'subtitle');
  const isConvertible = facts.argumentsOf('c:s')[0] === 'copy' || !all.some(({ codec }) => isImageSubtitle(codec));
  return isConvertible ? all.slice(0, 1) : [];
}

/** Returns the value of `map` for a fix. `others`: output streams to keep. `own`: the map for each kind that changes. */
function mapsText(all: readonly OutputStream[], others: readonly OutputStream[], own: ReadonlyMap<Kind, string>) {
  const order: readonly string[] = KINDS;
  const orderOf = (type: string): number => order.indexOf(type);
  const kept = others.map(({ type, index }) => {
    const isOnly = all.filter((stream) => stream.type === type).length === 1 && orderOf(type) >= 0;
    return [type, isOnly ? `0:${type.charAt(0)}` : `0:${index}`] as const;
  });
  const sorted = [...kept, ...own].toSorted(([a], [b]) => orderOf(a) - orderOf(b));
  return JSON.stringify(oneOrList(sorted.map(([, map]) => map)));
}

/** Options that ask for no audio, or for only some frames. */
const SILENT = /^-(?:an|frames(?::v.*)?|update)$/;

/** Formats that could hold audio, but are used for images, or write no file (`null`). */
const OF_IMAGES: ReadonlySet<string> = new Set(['image2', 'null', 'nut']);

/** Warns before the run if all maps are labels of video, such as `"map": "[v]"`, so that the audio is lost. */
function audioLeftOutBefore({ facts, pass }: ForeseenContext): RunFindings {
  const [graph, ...others] = facts.complexGraphs;
  if (graph === undefined || others.length > 0) return undefined;
  const isVideo = (map: string): boolean => {
    const filter = graph.filters.find(({ outputs }) => outputs.includes(map.slice(1, -1)));
    // A `concat` may also output audio, so its label is not certainly video.
    if (filter === undefined || filter.name === 'concat') return false;
    return new PlacedFilter(facts, graph, filter).source(0, /^concat$/)?.stream.type === 'video';
  };
  return facts.argumentsOf('map').every(isVideo) ? audioLeftOut({ facts, pass }, ['video']) : undefined;
}

/**
 * Warns about the video of a filtergraph that is mapped without the audio of its input.
 *
 * Two cases are intended: a map of `0:v` alone, and a graph that changes times in a way that audio cannot follow, such as a time lapse.
 * `kinds`: the kinds of the output streams.
 */
function audioLeftOut({ facts, pass }: Pick<FileContext, 'facts' | 'pass'>, kinds: readonly string[]): RunFindings {
  const { muxer } = facts.plan.output;
  const maps = facts.argumentsOf('map');
  const [graph, ...others] = facts.complexGraphs;
  if (facts.hasOption(SILENT) || holdsNoAudio(muxer) || OF_IMAGES.has(muxer)) return undefined;
  if (!maps.some((map) => map.startsWith('[')) || !kinds.includes('video') || kinds.includes('audio')) return undefined;
  const input = inputWithAudio(facts);
  // `unmapped-stream-kinds` already warned about this map.
  const isKnown = pass.plan.warnings.some(({ code, field }) => code === 'NO_EFFECT' && field === '/parameters/map');
  if (graph === undefined || others.length > 0 || input === undefined || isKnown) return undefined;
  const fix = audioFix(facts, graph, maps, input);
  return (
    fix && {
      key: 'map',
      code: 'SOUND_LEFT_OUT',
      message: `The output has no audio, although ${facts.pathOf(input)} has: ffmpeg takes only what "map" selects.`,
      fix: { ...fix, or: '"an": "" if no audio is meant' },
    }
  );
}

/** Returns the input to take audio from: the first input with audio whose video is used, else the first input with audio. */
function inputWithAudio(facts: MediaFacts): number | undefined {
  const video = facts.usedOf('video').find(({ input }) => facts.streamsOf(input, 'audio').length > 0);
  return video?.input ?? facts.inputWith('audio');
}

/** Returns the fix that maps the audio, and cuts or joins it like the video. undefined: audio cannot follow the filters. */
function audioFix(facts: MediaFacts, graph: ArgvGraph, maps: readonly string[], input: number): Edits | undefined {
  const name = facts.sentNameOf('map');
  const timed = graph.filters.filter((filter) => TIMES.test(filter.name));
  if (timed.length === 0) return sendOption(name, [...maps, `${input}:a?`]);
  const label = ['sound', 'sound1'].find((one) => !graph.filters.some(({ outputs }) => outputs.includes(one))) ?? 'a0';
  const whole = withAudio(facts, graph, timed, label);
  const sent = whole && wholeGraphFix(facts, graph.key, whole);
  return sent && withMore(sent, { do: 'send', name, value: [...maps, `[${label}]`] });
}

/** Returns the graph with an audio output `label`, cut or joined like the video. The list has the filters that change times. */
function withAudio(
  facts: MediaFacts,
  argvGraph: ArgvGraph,
  [filter, ...others]: readonly GraphFilter[],
  label: string,
): Graph | undefined {
  const { graph } = argvGraph;
  if (filter === undefined) return undefined;
  const at = new PlacedFilter(facts, argvGraph, filter);
  const audioOf = (pad: number): readonly string[] => {
    const { input = -1, stream } = at.source(pad, TIMES) ?? {};
    return stream?.type === 'video' && facts.streamsOf(input, 'audio').length > 0 ? [`${input}:a`] : [];
  };
  if (filter.name === 'trim') {
    const [from] = audioOf(0);
    const resets = others.every(
      (one) => one.name === 'setpts' && one.options.some(({ value }) => value === 'PTS-STARTPTS'),
    );
    if (from === undefined || !resets || others.length > 1) return undefined;
    return { ...graph, chains: [...graph.chains, cutAudio(filter, from, label)] };
  }
  const pads = filter.inputs.flatMap((_one, pad) => audioOf(pad));
  if (others.length > 0 || pads.length < 2 || pads.length < filter.inputs.length) return undefined;
  if (filter.name === 'xfade') return { ...graph, chains: [...graph.chains, ...fadedAudio(at, pads, label)] };
  if (filter.name !== 'concat' || filter.outputs.length !== 1) return undefined;
  const counts = ['v', 'a'].map((key) => ({ key, value: '1' }));
  const joined: GraphFilter = {
    ...filter,
    inputs: filter.inputs.flatMap((one, pad) => [one, pads[pad] ?? '']),
    options: [...filter.options.filter(({ key }) => key !== 'a' && key !== 'v'), ...counts],
    outputs: [...filter.outputs, label],
  };
  return changeFilters(graph, (one) => [one === filter ? joined : one]);
}

export const MAP_RULES: Rules = {
  /** With a `map`, ffmpeg selects no other streams: in a request with `c:a` and `"map": "[v]"`, the audio is lost. */
  'unmapped-stream-kinds': {
    finds: 'options for a kind of stream that no `map` selects, or a `map` that leaves out the video',
    about: ['map'],
    plan({ options, opened, muxer, catalogue, isOwn }) {
      const maps = options.filter(({ name }) => name.name === 'map');
      const [map] = maps;
      const values = maps.flatMap((option) => option.values);
      const kindOfLabel = labelKinds(options, catalogue);
      const letters = values.flatMap((value) => (value.startsWith('-') ? [] : [mappedLetter(value, kindOfLabel)]));
      if (map === undefined || letters.length === 0 || letters.includes(undefined)) return [];
      const isAudioOfGraph =
        letters.every((letter) => letter === 'a') && values.every((value) => value.startsWith('['));
      const hasVideo = (): boolean => opened.some(({ source }) => fileKind(extension(source.path)) === 'video');
      const asksForVideo = (): boolean => options.some((option) => kindOf(option) === 'video' || option.key === 'vn');
      if (isAudioOfGraph && VIDEOS.test(muxer) && hasVideo() && !asksForVideo())
        return {
          field: map.field,
          code: 'PICTURE_LEFT_OUT',
          message: 'The output has no video: "map" selects only audio, and ffmpeg takes only what a map selects.',
          fix: orElse(
            sendOption(sentName(map), [`${inputWith('video', opened)}:v`, ...values]),
            '"vn": "" as well for audio alone',
          ),
        };
      return KINDS.flatMap((kind) => {
        const letter = letterOf(kind);
        const isHeld = kind === 'video' ? !holdsNoVideo(muxer) : kind !== 'audio' || !holdsNoAudio(muxer);
        const sent = options.filter((option) => kindOf(option) === kind && isOwn(option));
        const isRemoved = options.some(({ key }) => key === `${letter}n`);
        if (letters.includes(letter) || !isHeld || sent.length === 0 || isRemoved) return [];
        const names = [...new Set(sent.map(sentName))];
        const added = `${inputWith(kind, opened)}:${letter}?`;
        const meant = sendOption(sentName(map), kind === 'video' ? [added, ...values] : [...values, added]);
        return noEffect(
          `${names.map((name) => `"${name}"`).join(' and ')} ${sent.length === 1 ? 'has' : 'have'} no effect: "map" selects no ${kind === 'subtitle' ? 'subtitles' : kind}, and ffmpeg takes only what a map selects.`,
          // A video without audio is seldom meant, so the fix maps the audio. A song without an image may be, so the fix drops the options.
          kind === 'audio'
            ? meant
            : {
                edits: names.map((name) => ({ do: 'remove', name })),
                why: `the output is then ${WITHOUT[kind]}`,
                or: meant,
              },
          { field: map.field, options: sent.map(({ field }) => field) },
        );
      });
    },
  },

  'unused-streams': {
    finds: 'an input with several streams of a kind, of which ffmpeg selects one without a `map`',
    filesAndRun({ facts, pass, options }) {
      const [input, ...otherInputs] = pass.inputs;
      const [planned] = pass.plan.inputs;
      if (options.has('map') || options.hasComplexGraph || otherInputs.length > 0) return [];
      if (input === undefined || planned === undefined) return [];
      const read = convertedStreams(pass).flatMap(({ from }) => from ?? []);
      const taken = [...read, ...foreseenSubtitles(facts, read)];
      const several = KINDS.flatMap((kind) => {
        const all = ofKind(input.streams, kind);
        const choices = all.filter((stream) => !isCover(stream));
        const [one, ...others] = ofKind(taken, kind);
        if (one === undefined || choices.length < 2 || others.length > 0) return [];
        // `V` selects video without covers.
        const letter = all.length > choices.length ? 'V' : letterOf(kind);
        const other = `0:${letter}:${choices.indexOf(one) === 0 ? 1 : 0}`;
        return { kind, count: choices.length, one, every: `0:${letter}`, other };
      });
      // Several subtitle streams are usually languages, of which the client wants one. Subtitles alone cause no warning.
      if (several.every(({ kind }) => kind === 'subtitle')) return [];
      const others = taken.filter(({ type }) => !several.some(({ kind }) => kind === type));
      const mapsOf = (which: 'every' | 'other'): string =>
        mapsText(input.streams, others, new Map(several.map((one) => [one.kind, one[which]])));
      const counts = andList(several.map(({ kind, count }) => `${count} ${kind} streams`));
      const had = several.map(({ one }) => `0:${one.index}`).join(', ');
      const [each, rest] = several.length === 1 ? ['them', 'another one'] : ['each', 'the others'];
      return {
        field: planned.field,
        code: 'UNUSED_STREAM',
        message: `"${planned.path}" has ${counts}, and the output has one of ${each} (${had}).`,
        fix: `Send "map": ${mapsOf('every')} for all of them, or "map": ${mapsOf('other')} for ${rest}.`,
      };
    },
  },

  'unmapped-audio': {
    finds: 'a `map` of only the video of a filtergraph, although an input has audio',
    run: (context) =>
      context.pass.hasAudioInOtherOutput === true
        ? []
        : audioLeftOut(
            context,
            context.pass.outputStreams.map(({ type }) => type),
          ),
    streams: audioLeftOutBefore,
  },
};
