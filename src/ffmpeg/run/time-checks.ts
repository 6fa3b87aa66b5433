import { addOption, orElse } from '../../domain/edit.ts';
import { printGraph } from '../filtergraph/graph.ts';
import { TIMES } from './filter-effects.ts';
import type { RunWarning } from './finished-pass.ts';
import { printChanged, withFilter } from './graph-fixes.ts';
import {
  type ArgvGraph,
  inputArgs,
  inputStream,
  type MediaFacts,
  optionValue,
  pathOf,
  secondsIn,
  secondsText,
  sourceOf,
  withField,
} from './media-facts.ts';
import { endAt } from './seconds-at.ts';

type Filter = ArgvGraph['filters'][number];
/** Returns the warning about one filter, without its field. */
export type FilterCheck = (facts: MediaFacts, graph: ArgvGraph, filter: Filter) => RunWarning | undefined;

/** `enable='between(t,20,25)'`, `enable='lt(t,5)'`: when it ends. */
const ENABLED_UNTIL = /^(?:between\(t,\d+(?:\.\d+)?,(\d+(?:\.\d+)?)\)|lte?\(t,(\d+(?:\.\d+)?)\))$/;

/** Filters count from the start of the input, and "ss" of the output cuts off afterwards: the effect is over before. */
export const effectBeforeStart: FilterCheck = (facts, graph, filter) => {
  const start = facts.plan.span.output.start ?? 0;
  if (start <= 0 || sourceOf(facts, graph, filter, 0, TIMES) === undefined) return undefined;
  if (filter.name === 'fade' || filter.name === 'afade') {
    const [from, length] = [
      secondsIn(optionValue(filter, 'start_time', 'st')) ?? 0,
      secondsIn(optionValue(filter, 'duration', 'd')) ?? 1,
    ];
    if (from + length > start) return undefined;
    const isOut = ['out', '1'].includes(optionValue(filter, 'type', 't') ?? 'in');
    const what =
      filter.name === 'fade' ? `picture is ${optionValue(filter, 'color', 'c') ?? 'black'}` : 'sound is silent';
    return {
      code: isOut ? 'EMPTY_STREAM' : 'NO_EFFECT',
      message: `The filter ${filter.name} ends at ${secondsText(from + length)} of the input, and "ss" starts the output at ${secondsText(start)}${
        isOut ? `, so the whole ${what}` : ''
      }: filters count from the start of the input.`,
      fix: withFilter(
        facts,
        graph,
        filter,
        printChanged(filter, { st: Number((start + from).toFixed(3)) }, ['start_time']),
      ),
    };
  }
  const [, between, below] = ENABLED_UNTIL.exec(optionValue(filter, 'enable')?.replaceAll(' ', '') ?? '') ?? [];
  const end = Number(between ?? below ?? Number.NaN);
  if (!(end <= start)) return undefined;
  return {
    code: 'NO_EFFECT',
    message: `The filter ${filter.name} has no effect: "enable" ends it at ${secondsText(end)} of the input, and "ss" starts the output at ${secondsText(start)}.`,
    fix: `Add ${start} to the times of "enable", or send "ss" with the input in "inputs".`,
  };
};

/** `enable='between(t,20,25)'`, `enable='gte(t,20)'`: when it starts. */
const ENABLED_FROM = /^(?:between|gte?)\(t,(\d+(?:\.\d+)?)(?:,\d+(?:\.\d+)?)?\)$/;

export const enabledTooLate: FilterCheck = (facts, graph, filter) => {
  const start = Number(ENABLED_FROM.exec(optionValue(filter, 'enable')?.replaceAll(' ', '') ?? '')?.[1] ?? Number.NaN);
  const at = endAt(facts, graph, filter);
  if (at === undefined || Number.isNaN(start) || start < at.seconds) return undefined;
  return withField(facts, graph.key, {
    code: 'NO_EFFECT',
    message: `The filter ${filter.name} has no effect: "enable" starts it at ${secondsText(start)}, but ${at.what}.`,
    fix: `Send an "enable" that starts before ${secondsText(at.seconds)}, or leave it out.`,
  });
};

/** The times of subtitles count from the start of their film. After a seek in the input, its frames count from 0. */
export const shiftedSubtitles: FilterCheck = (facts, graph, filter) => {
  if (filter.name !== 'subtitles' && filter.name !== 'ass') return undefined;
  const source = sourceOf(facts, graph, filter, 0, TIMES);
  const start = source && facts.plan.span.inputs[source.input]?.start;
  if (source === undefined || start === undefined || start <= 0 || facts.argv.includes('-copyts')) return undefined;
  const options = filter.options.map((one) => ({
    ...one,
    value: facts.plan.inputs.find(({ logical }) => logical === one.value)?.path ?? one.value,
  }));
  const drawn = printGraph({ chains: [[{ ...filter, inputs: [], options, outputs: [] }]] });
  return {
    code: 'OUT_OF_SYNC',
    message: `The subtitles start at their beginning, although "ss" starts ${pathOf(facts, source.input)} at ${secondsText(start)}: after it, the times of the film count from 0.`,
    fix: withFilter(facts, graph, filter, `setpts=PTS+${start}/TB,${drawn},setpts=PTS-STARTPTS`),
  };
};

/** Silence is cut out of the sound, and the film keeps its length. */
export const shorterSound: FilterCheck = (facts, _graph, filter) => {
  if (
    filter.name !== 'silenceremove' ||
    !facts.used.some(({ input, stream }) => kindOfStream(facts, input, stream) === 'video')
  )
    return undefined;
  return {
    code: 'OUT_OF_SYNC',
    message: 'The filter silenceremove makes only the sound shorter, so it no longer fits the picture.',
    fix: orElse(addOption('vn', ''), 'leave the filter out to keep the picture'),
  };
};

const kindOfStream = (facts: MediaFacts, input: number, stream: number): string | undefined =>
  inputStream(facts, input, stream)?.type;

/** The picture of the second film begins with the transition, and its sound, which is mapped as it is, at 0. */
export const soundBeforeTransition: FilterCheck = (facts, graph, filter) => {
  const offset = filter.name === 'xfade' ? (secondsIn(optionValue(filter, 'offset')) ?? 0) : 0;
  const second = sourceOf(facts, graph, filter, 1, TIMES);
  // `itsoffset` delays both.
  if (offset <= MAX_UNHEARD || second === undefined || inputArgs(facts, second.input).includes('-itsoffset'))
    return undefined;
  const isMapped = facts.argv.some(
    (word, at) => facts.argv[at - 1] === '-map' && new RegExp(`^${second.input}:a(?::\\d+)?\\??$`).test(word),
  );
  if (!isMapped) return undefined;
  return {
    code: 'OUT_OF_SYNC',
    message: `The picture of ${pathOf(facts, second.input)} begins at ${secondsText(offset)}, and its sound at 0.`,
    fix: 'Send the films in "inputs" with "join": "encode", and "crossfade" with the second one, instead of "filter_complex" and "map".',
  };
};

/** Nobody hears a sound that is early by less. */
const MAX_UNHEARD = 0.1;

/** `zoompan` makes `d` frames of each frame, which is meant for a picture. */
export const zoomedFilm: FilterCheck = (facts, graph, filter) => {
  const source = sourceOf(facts, graph, filter, 0, TIMES);
  const frames = Number(optionValue(filter, 'd') ?? 90);
  const isFilm = source !== undefined && facts.inputs[source.input]?.durationSeconds !== undefined;
  const isPicture = /^(?:image2|[a-z0-9]+_pipe)$/.test(facts.inputs[source?.input ?? 0]?.demuxer ?? '');
  if (filter.name !== 'zoompan' || !isFilm || isPicture || !(frames > 1)) return undefined;
  const zoom = (optionValue(filter, 'zoom', 'z') ?? '1').replaceAll(/\bzoom\b/g, 'pzoom');
  const { fps, width, height } = source.stream;
  const size = optionValue(filter, 's') ?? (width === undefined ? 'hd720' : `${width}x${height}`);
  return {
    code: 'FRAMES_REPEATED',
    message: `The filter zoompan shows each frame of ${pathOf(facts, source.input)} ${frames} times ("d"), so the film nearly stands still: "d" is for pictures.`,
    fix: withFilter(
      facts,
      graph,
      filter,
      printChanged(filter, { z: zoom, d: 1, s: size, fps: Number((fps ?? 25).toFixed(3)) }, ['zoom']),
    ),
  };
};
