import { type Edits, sendOption } from '@telecine/contract/domain/edit.ts';
import type { Hint } from '@telecine/contract/domain/hint.ts';
import { oneOrList } from '../../plan/request/argv-option.ts';
import { replacingFix, sendInstead } from '../facts/graph-fixes.ts';
import { type ArgvGraph, KINDS, kindOf, type MediaFacts } from '../facts/media-facts.ts';
import { filtersIn } from '../facts/placed-filter.ts';
import { invalidInput, type MediaFailure } from './media-failure.ts';

const NAMES = { video: 'video', audio: 'audio', subtitle: 'subtitles' } as const;

/** Says why a specifier selects nothing: `"a.mp4" has no audio, only video`, `"a.mp4" has 2 audio streams, and they count from 0`. */
function lack(facts: MediaFacts, input: number, specifier: string): string {
  const kind = kindOf(specifier);
  const path = facts.pathOf(input);
  const content = facts.contentOf(input);
  if (kind === undefined) return `${path} has ${content}, and no stream "${specifier}"`;
  const { length } = facts.streamsOf(input, kind);
  if (length === 0) return `${path} has no ${NAMES[kind]}, only ${content}`;
  return `${path} has ${length} ${kind} ${length === 1 ? 'stream' : 'streams'}, and they count from 0`;
}

type InputLabel = ReturnType<typeof inputLabels>[number];

/** Returns the labels of inputs in the filtergraphs, such as `[1:a]`. */
const inputLabels = (facts: MediaFacts) =>
  filtersIn(facts).flatMap(({ graph, filter }) =>
    filter.inputs.flatMap((label) => {
      const [, number, specifier = ''] = /^(\d+):(.+)$/.exec(label) ?? [];
      const input = Number(number);
      if (number === undefined || facts.inputs[input] === undefined) return [];
      return { graph, filter: filter.name, label, input, specifier, matching: facts.matchingStreams(input, specifier) };
    }),
  );

/** Explains a label such as `[1:a]` of a stream that the input lacks. */
export function absentLabel(facts: MediaFacts): MediaFailure | undefined {
  const absent = inputLabels(facts).find(({ matching }) => matching?.length === 0);
  if (absent === undefined) return undefined;
  const { graph, label, input, specifier } = absent;
  const failure = invalidInput(
    `The filtergraph uses [${label}], but ${lack(facts, input, specifier)}.`,
    absentLabelFix(facts, absent),
  );
  return withAbsent(facts, failure, { key: graph.key, map: label, input, specifier });
}

/** Adds what the option with this key reads and the input lacks, so that the failure of a recipe can be about the recipe. */
function withAbsent(
  facts: MediaFacts,
  failure: MediaFailure,
  { key, map, input, specifier }: Record<'key' | 'map' | 'specifier', string> & { readonly input: number },
): MediaFailure {
  const kind = kindOf(specifier);
  const option = facts.fieldOf(key);
  if (kind === undefined || option === undefined) return failure;
  const count = facts.streamsOf(input, kind).length;
  const absent = { option, map, kind, input, file: facts.pathOf(input), count, content: facts.contentOf(input) };
  return { ...failure, about: { absent } };
}

const withLabel = (facts: MediaFacts, graph: ArgvGraph, label: string, replacement: string): Hint =>
  replacingFix(facts, graph, '', label, replacement) ?? `Send [${replacement}] instead of [${label}].`;

function absentLabelFix(facts: MediaFacts, { graph, filter, label, input, specifier }: InputLabel): Hint {
  const kind = kindOf(specifier);
  const length = kind === undefined ? 0 : facts.streamsOf(input, kind).length;
  if (length > 0) return withLabel(facts, graph, label, `${input}:${specifier.charAt(0)}:${length - 1}`);
  if (kind !== 'audio')
    return `Leave the filters of [${label}] out, or send a file with ${kind === undefined ? 'that stream' : NAMES[kind]} as input ${input}.`;
  const [other, ...others] = [...facts.inputs.keys()].filter((one) => facts.streamsOf(one, 'audio').length > 0);
  // Mixing silence into `amix` or `amerge` would make the other audio quieter, so the fix maps the other audio alone.
  if (/^(?:amix|amerge)$/.test(filter) && graph.filters.length === 1 && other !== undefined && others.length === 0)
    return sendInstead('filter_complex', 'map', mapsWithout(facts, graph, `${other}:a`));
  const seconds = facts.secondsOfInput(input);
  const end = seconds === undefined ? '' : `,atrim=end=${Number(seconds.toFixed(3))}`;
  const silence = `anullsrc=channel_layout=stereo:sample_rate=48000${end}[silence${input}];`;
  const fix = replacingFix(facts, graph, silence, label, `silence${input}`);
  return fix === undefined
    ? `Put "${silence}" before the graph, and use [silence${input}] instead of [${label}].`
    : { ...fix, why: 'this plays silence instead' };
}

/** Returns the maps of the request, with `replacement` instead of the output label of the graph. */
function mapsWithout(facts: MediaFacts, { filters }: ArgvGraph, replacement: string): readonly string[] {
  const outputs = new Set(filters.flatMap(({ outputs: labels }) => labels.map((label) => `[${label}]`)));
  const maps = facts.argumentsOf('map');
  return maps.length === 0 ? [replacement] : maps.map((map) => (outputs.has(map) ? replacement : map));
}

const mapsWith = (facts: MediaFacts, map: string, replacement: string): string | readonly string[] =>
  oneOrList(facts.argumentsOf('map').map((one) => (one === map ? replacement : one)));

const withMap = (facts: MediaFacts, map: string, replacement: string): Edits =>
  sendOption('map', mapsWith(facts, map, replacement));

/** Languages with two codes in ISO 639-2, such as `ger` (from the English name) and `deu` (from the German one). */
const LANGUAGE_TWINS = (
  'alb/sqi arm/hye baq/eus bur/mya chi/zho cze/ces dut/nld fre/fra geo/kat ger/deu gre/ell ice/isl mac/mkd mao/mri ' +
  'may/msa per/fas rum/ron slo/slk tib/bod wel/cym'
)
  .split(' ')
  .map((pair) => pair.split('/'));

/** Returns the other code of a language. undefined: the language has only one code. */
function languageTwin(language: string): string | undefined {
  const code = language.toLowerCase();
  return LANGUAGE_TWINS.find((pair) => pair.includes(code))?.find((one) => one !== code);
}

const MAP = /^(\d+)(?::(.*?))?\??$/;

/** False if a map certainly selects no stream. True for labels, optional maps (`0:a?`), and specifiers that only ffmpeg can match. */
function selects(facts: MediaFacts, map: string): boolean {
  const [, number, specifier = ''] = MAP.exec(map) ?? [];
  return number === undefined || map.endsWith('?') || facts.matchingStreams(Number(number), specifier)?.length !== 0;
}

/** Swaps the input numbers of two maps that select nothing: `["0:v","1:a"]` becomes `["1:v","0:a"]`. undefined: that does not help. */
function exchangedMaps(facts: MediaFacts): readonly string[] | undefined {
  const maps = facts.argumentsOf('map');
  const [first, second, ...others] = maps.filter((map) => !selects(facts, map));
  if (first === undefined || second === undefined || others.length > 0) return undefined;
  const [a = '', b = ''] = [first, second].map((map) => MAP.exec(map)?.[1]);
  const meant = new Map([
    [first, first.replace(a, b)],
    [second, second.replace(b, a)],
  ]);
  return [...meant.values()].every((map) => selects(facts, map)) ? maps.map((map) => meant.get(map) ?? map) : undefined;
}

export function absentMap(facts: MediaFacts, map: string): MediaFailure | undefined {
  const [, number, specifier = ''] = MAP.exec(map) ?? [];
  const input = Number(number);
  if (number === undefined || facts.inputs[input] === undefined) return undefined;
  const language = /language:(\w+)/.exec(specifier)?.[1];
  if (language !== undefined) return absentLanguage(facts, map, input, specifier, language);
  const fix = (): Hint => {
    const exchanged = exchangedMaps(facts);
    if (exchanged !== undefined) return sendOption('map', exchanged);
    const kind = kindOf(specifier);
    const count = kind === undefined ? 0 : facts.streamsOf(input, kind).length;
    if (count > 0) return withMap(facts, map, `${input}:${specifier.charAt(0)}:${count - 1}`);
    const all = facts.inputs[input]?.streams ?? [];
    const others = facts.argumentsOf('map').filter((one) => one !== map);
    if (others.length === 0)
      return `Send "map" with one of its streams: ${all.map(({ index, type }) => `${input}:${index} (${type})`).join(', ')}.`;
    // If no other map uses this input, and all its streams are of one kind (a cover is video), the client means this kind.
    const [only, ...more] = new Set(all.map(({ type }) => type));
    const isUnused = !others.some((one) => one.replace(/^-/, '').split(':')[0] === number);
    return isUnused && more.length === 0 && KINDS.some((one) => one === only)
      ? withMap(facts, map, `${input}:${only?.charAt(0)}`)
      : `Leave "${map}" out of "map". If only some files lack it, send "${map.replace(/\?$/, '')}?".`;
  };
  const failure = invalidInput(`The map "${map}" selects nothing: ${lack(facts, input, specifier)}.`, fix());
  return withAbsent(facts, failure, { key: 'map', map, input, specifier });
}

function absentLanguage(facts: MediaFacts, map: string, input: number, specifier: string, language: string) {
  const known = [...new Set(facts.inputs[input]?.streams.flatMap((stream) => stream.language ?? []))];
  const twin = languageTwin(language);
  if (twin !== undefined && known.includes(twin))
    return invalidInput(
      `The map "${map}" selects nothing: ${facts.pathOf(input)} names this language "${twin}".`,
      withMap(facts, map, map.replace(`language:${language}`, `language:${twin}`)),
    );
  const ofLanguage = (one: string): string =>
    `For "${one}", send "map": ${JSON.stringify(mapsWith(facts, map, map.replace(language, one)))}.`;
  const plain = kindOf(specifier) === undefined ? `${input}` : `${input}:${specifier.charAt(0)}`;
  return invalidInput(
    `The map "${map}" selects nothing: ${facts.pathOf(input)} names ${known.length === 0 ? 'no languages' : `only the languages ${known.join(', ')}`}.`,
    { ...withMap(facts, map, plain), ...(known.length > 0 && { note: known.slice(0, 3).map(ofLanguage).join(' ') }) },
  );
}
