import { addOption, type Edits, sendOption } from '../../../domain/edit.ts';
import type { Hint } from '../../../domain/hint.ts';
import type { OutputStream } from '../../../domain/job.ts';
import { JOIN_OR_MAP, joiningFix } from '../../../domain/join.ts';
import { extension } from '../../../domain/media-path.ts';
import type { Warning } from '../../../domain/plan.ts';
import { playlistAdvice } from '../../allowlist/containers.ts';
import { type ArgvOption, sentName } from '../../plan/request/argv-option.ts';
import { isFilmExtension } from '../../plan/request/format-names.ts';
import type { ArgvInput } from '../../plan/request/resolve-inputs.ts';
import { quoted } from '../../values/value-error.ts';
import type { Rule } from '../contexts.ts';
import type { FinishedPass, RunWarning } from '../facts/finished-pass.ts';
import type { MediaFacts } from '../facts/media-facts.ts';
import { readOptionFacts } from '../facts/option-facts.ts';

/** Options whose values begin with the number of an input. */
const NUMBERED: ReadonlySet<string> = new Set(['map', 'map_metadata', 'map_chapters', 'map_channel']);

/**
 * Inputs that no `map` names, and about several films without a `map`: ffmpeg then takes one video and one
 * audio stream of all of them. What a filtergraph without labels reads is known only when ffmpeg runs.
 */
const UNUSED_INPUTS: Rule = {
  id: 'unused-inputs',
  finds: 'an input of which nothing gets into the output',
  // An input of which nothing is used may have the sound that is meant.
  supersedes: ['unmapped-audio'],
  plan({ options, opened: inputs }) {
    const tags = unmappedTags(options, inputs);
    return tags.length > 0 ? tags : unusedStreams(options, inputs);
  },
  run: ({ facts, pass }) => unusedInputs(facts, pass.plan.warnings),
  streams: ({ facts, pass, isDirect, uncertain }) =>
    isDirect ? unusedInputs(facts, pass.plan.warnings).filter(({ field = '' }) => !uncertain.has(field)) : [],
};

function unusedStreams(options: readonly ArgvOption[], inputs: readonly ArgvInput[]): readonly Warning[] {
  if (inputs.length < 2 || options.some(({ name }) => name.name === 'filter_complex')) return [];
  if (options.some(({ name }) => name.name === 'map')) return notMapped(options, inputs);
  const films = inputs.filter(({ source, duration }) => duration === undefined && isFilm(source));
  const [, ...others] = films;
  const fix = films.length === inputs.length ? joinedInputs(options) : JOIN_OR_MAP;
  return others.map(({ source }) => ({
    field: source.field,
    code: 'UNUSED_INPUT',
    message: 'ffmpeg does not join several inputs by itself: it takes the best video and the best audio stream of all.',
    fix,
  }));
}

const joinedInputs = (options: readonly ArgvOption[]): string =>
  joiningFix({
    copies: options.some(({ name, values }) => name.name === 'c' && values.at(-1) === 'copy'),
    dropped: options.filter(({ key }) => key === 'shortest').map(sentName),
  });

const isFilm = ({ path }: ArgvInput['source']): boolean => isFilmExtension(extension(path));

function notMapped(options: readonly ArgvOption[], inputs: readonly ArgvInput[]): readonly Warning[] {
  const texts = options.flatMap(({ name, values }) =>
    // "-1" of an option for tags or chapters is none, and "-1" of "map" takes the streams of input 1 away.
    NUMBERED.has(name.name) ? values.filter((value) => name.name === 'map' || !value.startsWith('-')) : [],
  );
  // A map without a number, such as "v:0", reads input 0.
  const used = new Set(texts.map((text) => Number(/^-?(\d+)/.exec(text)?.[1] ?? 0)));
  return inputs.flatMap((input, index) =>
    // Without an option for chapters, ffmpeg takes those of the first input that has any.
    used.has(index) || isTags(input)
      ? []
      : {
          field: input.source.field,
          code: 'UNUSED_INPUT',
          message: `No "map" names the input ${quoted(input.source.path)}, so nothing of it gets into the output.`,
          fix: `Send a "map" that begins with "${index}:", or leave the input out${renumbered(options, index)}.`,
        },
  );
}

/** The options that name inputs after one that is left out: `, and send "map": "0:a"`. Empty if none does. */
function renumbered(options: readonly ArgvOption[], left: number): string {
  const sent = options.flatMap((option) => {
    const number = option.name.name === 'map' ? /^(-?)(\d+)/ : /^()(\d+)/;
    const meant = option.values.map((value) =>
      value.replace(number, (all, sign: string, text: string) =>
        Number(text) > left ? `${sign}${Number(text) - 1}` : all,
      ),
    );
    const isSame = !NUMBERED.has(option.name.name) || meant.every((value, at) => value === option.values[at]);
    return isSame ? [] : [`"${sentName(option)}": ${JSON.stringify(meant.length === 1 ? meant[0] : meant)}`];
  });
  return sent.length === 0 ? '' : `, and send ${sent.join(' and ')}`;
}

/** Options that choose an input for its tags or its chapters. */
const TAG_OPTIONS: ReadonlySet<string> = new Set(['map_metadata', 'map_chapters']);

/** Whether an input is a file of tags and chapters, which has no streams. */
const isTags = ({ source, format }: ArgvInput): boolean =>
  format === undefined ? /^(?:ffmeta|ffmetadata|txt)$/i.test(extension(source.path)) : format === 'ffmetadata';

/**
 * A file of tags and chapters beside an option that takes them from another input. No `map` can name it. Without such an
 * option, what ffmpeg takes of it depends on the other inputs, so only the run can tell.
 */
function unmappedTags(options: readonly ArgvOption[], inputs: readonly ArgvInput[]): readonly Warning[] {
  const chosen = options.filter(({ name }) => TAG_OPTIONS.has(name.name));
  const isNamed = (index: number): boolean =>
    chosen.some(({ values }) => values.some((value) => Number.parseInt(value, 10) === index));
  const [index, ...more] = inputs.flatMap((input, number) => (isTags(input) && !isNamed(number) ? [number] : []));
  const option = chosen.find(({ name }) => name.specifier === undefined);
  const value = option?.values.at(-1) ?? '';
  const path = inputs[index ?? -1]?.source.path;
  if (index === undefined || more.length > 0 || option === undefined || path === undefined) return [];
  const takes = value.startsWith('-')
    ? 'takes nothing'
    : `takes them from ${quoted(inputs[Number.parseInt(value, 10)]?.source.path ?? value)}`;
  return [
    {
      field: option.field,
      code: 'UNUSED_INPUT',
      message: `Nothing of ${quoted(path)} gets into the output: it is a file of tags and chapters, and "${option.key}": "${value}" ${takes}.`,
      fix: sendOption(sentName(option), String(index)),
    },
  ];
}

const PLAYLIST_INPUTS: Rule = {
  id: 'playlist-inputs',
  finds: 'an input that is a playlist, whose files the service does not open',
  plan: ({ opened: inputs }) =>
    inputs.flatMap(({ source, format }) => {
      const advice = format === undefined ? playlistAdvice(source.path) : undefined;
      return advice === undefined ? [] : [{ field: source.field, code: 'UNSUPPORTED_FORMAT', ...advice }];
    }),
};

/** Inputs of which no stream is read. An input without streams has only metadata. `planned`: what the plan warns of. */
export function unusedInputs(facts: MediaFacts, planned: readonly Warning[]): readonly RunWarning[] {
  const { plan, inputs, used } = facts;
  // What the run before the passes transcribes is in the captions.
  if (used.length === 0 || plan.transcript !== undefined) return [];
  const { metadataInputs } = readOptionFacts(facts.argv);
  const read = new Set([...used.map(({ input }) => input), ...metadataInputs]);
  const hasSubtitleWarning = planned.some(({ field }) => field?.endsWith('/parameters/c:s'));
  return inputs.flatMap(({ streams }, index) => {
    const own = plan.inputs[index];
    if (own === undefined || read.has(index)) return [];
    if (streams.length === 0) return metadataInputs.length > 0 ? [] : unusedTags(inputs, index, own);
    // The plan names the codec that this file of subtitles needs.
    if (hasSubtitleWarning && streams.every(({ type }) => type === 'subtitle')) return [];
    return {
      field: own.field,
      code: 'UNUSED_INPUT',
      message: `Nothing of "${own.path}" is in the output: ffmpeg takes all streams from other inputs.`,
      fix: fixOfUnusedInput(facts, used, index) ?? unusedByGraph(facts, read, index) ?? JOIN_OR_MAP,
    };
  });
}

const LETTERS: ReadonlyMap<string, string> = new Map([
  ['video', 'v'],
  ['audio', 'a'],
]);

/** An input that a filtergraph does not read, whose request cannot join its inputs. undefined without a filtergraph. */
function unusedByGraph(facts: MediaFacts, read: ReadonlySet<number>, index: number): string | undefined {
  if (!facts.graphs.some(({ key }) => key === 'filter_complex')) return undefined;
  const letter = facts.inputs[index]?.streams.map(({ type }) => LETTERS.get(type)).find((one) => one !== undefined);
  // Graphs have no subtitles.
  if (letter === undefined) return `Send "${index}" in "map" as well.`;
  // The numbers of the inputs after it would change.
  const isLast = ![...read].some((one) => one > index);
  return `Use [${index}:${letter}] in "filter_complex"${isLast ? ', or leave the input out' : ''}.`;
}

/**
 * A file of tags and chapters that no option names. ffmpeg takes the chapters of the first input that has any, but tags
 * only of the first input.
 */
function unusedTags(
  inputs: MediaFacts['inputs'],
  index: number,
  { field, path }: MediaFacts['plan']['inputs'][number],
): readonly RunWarning[] {
  const takesChapters = inputs.findIndex(({ chapters = 0 }) => chapters > 0) === index;
  if (inputs[index]?.demuxer !== 'ffmetadata' || index === 0 || takesChapters) return [];
  const name = (inputs[index]?.chapters ?? 0) > 0 ? 'map_chapters' : 'map_metadata';
  return [
    {
      field,
      code: 'UNUSED_INPUT',
      message: `Nothing of "${path}" is in the output: it is a file of tags and chapters, and ffmpeg took those of another input.`,
      fix: addOption(name, String(index)),
    },
  ];
}

const KIND_LETTERS = { video: 'v', audio: 'a', subtitle: 's' } as const;
type Kind = keyof typeof KIND_LETTERS;
const KINDS = ['video', 'audio', 'subtitle'] as const;

/**
 * The fix for an input of which nothing was used, where its streams say what it is for: a sound replaces that of a film,
 * a film follows the other one. undefined if that is not clear.
 */
function fixOfUnusedInput(facts: MediaFacts, used: FinishedPass['used'], input: number): Hint | undefined {
  const { argv, inputs } = facts;
  const added = soundBesideMaps(facts, used, input);
  if (added !== undefined) return added;
  if (argv.includes('-map') || facts.graphs.some(({ key }) => key === 'filter_complex') || inputs.length !== 2)
    return undefined;
  // The cover of a song is no film.
  const own = KINDS.filter((kind) =>
    facts.streamsOf(input, kind).some(({ disposition }) => disposition?.includes('attached_pic') !== true),
  );
  const [kind, ...others] = own;
  if (kind === undefined) return undefined;
  if (others.length > 0) return own.join() === 'video,audio' ? joined(facts) : undefined;
  const maps = KINDS.flatMap((one): readonly string[] => {
    if (one === kind) return [`${input}:${KIND_LETTERS[one]}`];
    const taken = used.find((stream) => facts.inputStream(stream.input, stream.stream)?.type === one);
    return taken === undefined ? [] : [mapOf(facts, taken, one)];
  });
  return maps.length < 2 ? undefined : sendOption('map', maps);
}

/** The map of a sound beside those that select no sound at all. */
function soundBesideMaps(facts: MediaFacts, used: FinishedPass['used'], input: number): Edits | undefined {
  const maps = facts.argumentsOf('map');
  const hasSound = used.some((one) => facts.inputStream(one.input, one.stream)?.type === 'audio');
  const isSound = KINDS.every((kind) => facts.streamsOf(input, kind).length > 0 === (kind === 'audio'));
  if (maps.length === 0 || hasSound || !isSound || facts.argv.includes('-an')) return undefined;
  return sendOption(facts.sentNameOf('map'), [...maps, `${input}:a`]);
}

/** A map of a stream: `0:v`, or `0:2` if its input has several of the kind. */
function mapOf(facts: MediaFacts, { input, stream }: { input: number; stream: number }, kind: Kind): string {
  const all: readonly OutputStream[] = facts.streamsOf(input, kind);
  return all.length === 1 ? `${input}:${KIND_LETTERS[kind]}` : `${input}:${stream}`;
}

const joined = ({ argv }: MediaFacts): string =>
  joiningFix({
    copies: argv.some((word, at) => /^-c(?::|$)/.test(word) && argv[at + 1] === 'copy'),
    dropped: argv.includes('-shortest') ? ['shortest'] : [],
  });

export const UNUSED_INPUT_RULES: readonly Rule[] = [UNUSED_INPUTS, PLAYLIST_INPUTS];
