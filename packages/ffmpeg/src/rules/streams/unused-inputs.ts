import { addOption, type Edits, sendOption } from '@telecine/contract/domain/edit.ts';
import type { Hint } from '@telecine/contract/domain/hint.ts';
import { JOIN_OR_MAP, joiningFix } from '@telecine/contract/domain/join.ts';
import { extension } from '@telecine/contract/domain/media-path.ts';
import type { Warning } from '@telecine/contract/domain/plan.ts';
import { playlistAdvice } from '../../allowlist/containers.ts';
import { type ArgvOption, oneOrList, sentName } from '../../plan/request/argv-option.ts';
import { isVideoExtension } from '../../plan/request/format-names.ts';
import type { ArgvInput } from '../../plan/request/resolve-inputs.ts';
import { quoted } from '../../values/value-error.ts';
import { type FileContext, type Rules, type RunWarning, unusedInput } from '../contexts.ts';
import { isCover } from '../facts/converted-streams.ts';
import { KINDS, letterOf, type MediaFacts } from '../facts/media-facts.ts';

/** Options whose values start with the number of an input, such as `1:a`. */
const NUMBERED: ReadonlySet<string> = new Set(['map', 'map_metadata', 'map_chapters', 'map_channel']);

function unusedStreams(options: readonly ArgvOption[], inputs: readonly ArgvInput[]): readonly Warning[] {
  if (inputs.length < 2 || options.some(({ name }) => name.name === 'filter_complex')) return [];
  if (options.some(({ name }) => name.name === 'map')) return notMapped(options, inputs);
  const videos = inputs.filter(
    ({ source, duration }) => duration === undefined && isVideoExtension(extension(source.path)),
  );
  const joining = joiningFix({
    copies: options.some(({ name, values }) => name.name === 'c' && values.at(-1) === 'copy'),
    dropped: options.filter(({ key }) => key === 'shortest').map(sentName),
  });
  return videos
    .slice(1)
    .map(({ source }) =>
      unusedInput(
        'ffmpeg does not join several inputs by itself: it takes the best video and the best audio stream of all.',
        videos.length === inputs.length ? joining : JOIN_OR_MAP,
        { field: source.field },
      ),
    );
}

function notMapped(options: readonly ArgvOption[], inputs: readonly ArgvInput[]): readonly Warning[] {
  const texts = options.flatMap(({ name, values }) =>
    // `map_metadata` "-1" means no tags. `map` "-1" excludes the streams of input 1.
    NUMBERED.has(name.name) ? values.filter((value) => name.name === 'map' || !value.startsWith('-')) : [],
  );
  // A `map` without a number, such as "v:0", is about input 0.
  const used = new Set(texts.map((text) => Number(/^-?(\d+)/.exec(text)?.[1] ?? 0)));
  return inputs.flatMap((input, index) =>
    // A file of tags and chapters needs no `map`: ffmpeg takes chapters from the first input that has some.
    used.has(index) || isTags(input)
      ? []
      : unusedInput(
          `No "map" names the input ${quoted(input.source.path)}, so nothing of it gets into the output.`,
          `Send a "map" that begins with "${index}:", or leave the input out${renumbered(options, index)}.`,
          { field: input.source.field },
        ),
  );
}

/** Returns the end of a fix that drops the input `left`, so that later inputs get new numbers: `, and send "map": "0:a"`. Or ''. */
function renumbered(options: readonly ArgvOption[], left: number): string {
  const sent = options.flatMap((option) => {
    const number = option.name.name === 'map' ? /^(-?)(\d+)/ : /^()(\d+)/;
    const meant = option.values.map((value) =>
      value.replace(number, (all, sign: string, text: string) =>
        Number(text) > left ? `${sign}${Number(text) - 1}` : all,
      ),
    );
    const isSame = !NUMBERED.has(option.name.name) || meant.every((value, at) => value === option.values[at]);
    return isSame ? [] : [`"${sentName(option)}": ${JSON.stringify(oneOrList(meant))}`];
  });
  return sent.length === 0 ? '' : `, and send ${sent.join(' and ')}`;
}

const TAG_OPTIONS: ReadonlySet<string> = new Set(['map_metadata', 'map_chapters']);

/** True for a file of tags and chapters (ffmetadata), which has no streams. */
const isTags = ({ source, format }: ArgvInput): boolean =>
  format === undefined ? /^(?:ffmeta|ffmetadata|txt)$/i.test(extension(source.path)) : format === 'ffmetadata';

/** Warns about a file of tags and chapters if `map_metadata` or `map_chapters` names another input. Else only the run shows its use. */
function unmappedTags(options: readonly ArgvOption[], inputs: readonly ArgvInput[]): Warning | undefined {
  const chosen = options.filter(({ name }) => TAG_OPTIONS.has(name.name));
  const isNamed = (index: number): boolean =>
    chosen.some(({ values }) => values.some((value) => Number.parseInt(value, 10) === index));
  const [index, ...more] = inputs.flatMap((input, number) => (isTags(input) && !isNamed(number) ? [number] : []));
  const option = chosen.find(({ name }) => name.specifier === undefined);
  const value = option?.values.at(-1) ?? '';
  const path = inputs[index ?? -1]?.source.path;
  if (index === undefined || more.length > 0 || option === undefined || path === undefined) return undefined;
  const takes = value.startsWith('-')
    ? 'takes nothing'
    : `takes them from ${quoted(inputs[Number.parseInt(value, 10)]?.source.path ?? value)}`;
  return unusedInput(
    `Nothing of ${quoted(path)} gets into the output: it is a file of tags and chapters, and "${option.key}": "${value}" ${takes}.`,
    sendOption(sentName(option), String(index)),
    { field: option.field },
  );
}

/** Finds inputs of which no stream is used. An input without streams is a file of tags and chapters. */
function unusedInputs({ facts, pass, options: { metadataInputs } }: FileContext): readonly RunWarning[] {
  const { plan, inputs, used } = facts;
  // The speech run reads the input, and its transcript is in the output.
  if (used.length === 0 || plan.transcript !== undefined) return [];
  const read = new Set([...used.map(({ input }) => input), ...metadataInputs]);
  const hasSubtitleWarning = pass.plan.warnings.some(({ field }) => field?.endsWith('/parameters/c:s'));
  return inputs.flatMap(({ streams }, index): RunWarning | readonly RunWarning[] => {
    const own = plan.inputs[index];
    if (own === undefined || read.has(index)) return [];
    if (streams.length === 0) return metadataInputs.length > 0 ? [] : unusedTags(facts, index);
    // The plan already warned that a codec for these subtitles is missing.
    if (hasSubtitleWarning && streams.every(({ type }) => type === 'subtitle')) return [];
    return unusedInput(
      `Nothing of "${own.path}" is in the output: ffmpeg takes all streams from other inputs.`,
      fixOfUnusedInput(facts, index) ?? unusedByGraph(facts, read, index) ?? JOIN_OR_MAP,
      { field: own.field },
    );
  });
}

/** Returns the fix for an input that the complex filtergraph does not read. undefined: there is no such graph. */
function unusedByGraph(facts: MediaFacts, read: ReadonlySet<number>, index: number): string | undefined {
  if (facts.complexGraphs.length === 0) return undefined;
  const stream = facts.inputs[index]?.streams.find(({ type }) => type === 'video' || type === 'audio');
  // A filtergraph cannot read subtitles or data.
  if (stream === undefined) return `Send "${index}" in "map" as well.`;
  // If this input is left out, later inputs get other numbers, and the graph names inputs by number.
  const isLast = ![...read].some((one) => one > index);
  return `Use [${index}:${stream.type.charAt(0)}] in "filter_complex"${isLast ? ', or leave the input out' : ''}.`;
}

/** Warns about a file of tags and chapters that no option names. By default, ffmpeg takes the first chapters, and tags of input 0. */
function unusedTags({ inputs, plan }: MediaFacts, index: number): readonly RunWarning[] {
  const { demuxer, chapters = 0 } = inputs[index] ?? {};
  const takesChapters = inputs.findIndex((one) => (one.chapters ?? 0) > 0) === index;
  const own = plan.inputs[index];
  if (own === undefined || demuxer !== 'ffmetadata' || index === 0 || takesChapters) return [];
  return [
    unusedInput(
      `Nothing of "${own.path}" is in the output: it is a file of tags and chapters, and ffmpeg took the tags and chapters of another input.`,
      addOption(chapters > 0 ? 'map_chapters' : 'map_metadata', String(index)),
      { field: own.field },
    ),
  ];
}

/** Guesses by its streams what an unused input is for: audio for the video, or a video to join. undefined: unclear. */
function fixOfUnusedInput(facts: MediaFacts, input: number): Hint | undefined {
  const added = addedAudio(facts, input);
  if (added !== undefined) return added;
  if (facts.has('map') || facts.complexGraphs.length > 0 || facts.inputs.length !== 2) return undefined;
  // The cover of a song is not a video.
  const [kind, ...others] = KINDS.filter((one) => facts.streamsOf(input, one).some((stream) => !isCover(stream)));
  if (kind === undefined) return undefined;
  if (others.length > 0)
    return kind === 'video' && others.join() === 'audio'
      ? joiningFix({
          copies: facts.argumentsOf(/^-c(?::|$)/).includes('copy'),
          dropped: facts.has('shortest') ? ['shortest'] : [],
        })
      : undefined;
  const maps = KINDS.flatMap((one): readonly string[] => {
    if (one === kind) return [`${input}:${letterOf(one)}`];
    const [taken] = facts.usedOf(one);
    if (taken === undefined) return [];
    const isOnly = facts.streamsOf(taken.input, one).length === 1;
    return [`${taken.input}:${isOnly ? letterOf(one) : taken.stream}`];
  });
  return maps.length < 2 ? undefined : sendOption('map', maps);
}

/** Returns the fix that maps the audio of an input too. undefined: a map already selects audio, or the input has more than audio. */
function addedAudio(facts: MediaFacts, input: number): Edits | undefined {
  const maps = facts.argumentsOf('map');
  const isAudio = KINDS.every((kind) => facts.streamsOf(input, kind).length > 0 === (kind === 'audio'));
  if (maps.length === 0 || facts.usedOf('audio').length > 0 || !isAudio || facts.has('an')) return undefined;
  return sendOption(facts.sentNameOf('map'), [...maps, `${input}:a`]);
}

export const UNUSED_INPUT_RULES: Rules = {
  /** ffmpeg chooses the inputs of a filtergraph without labels, so which ones it uses is unknown before the run. */
  'unused-inputs': {
    finds: 'an input of which nothing gets into the output',
    // The unused input may have the audio that the client wants, so this warning replaces the one about missing audio.
    supersedes: ['unmapped-audio'],
    plan: ({ options, opened }) => unmappedTags(options, opened) ?? unusedStreams(options, opened),
    run: unusedInputs,
    streams: (context) =>
      context.isDirect ? unusedInputs(context).filter(({ field = '' }) => !context.uncertain.has(field)) : [],
  },

  'playlist-inputs': {
    finds: 'an input that is a playlist, whose files the service does not open',
    plan: ({ opened }) =>
      opened.flatMap(({ source, format }) => {
        const advice = format === undefined ? playlistAdvice(source.path) : undefined;
        return advice === undefined ? [] : [{ field: source.field, code: 'UNSUPPORTED_FORMAT', ...advice }];
      }),
  },
};
