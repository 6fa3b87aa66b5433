import { isComparison, measuredKind } from '../../../domain/analysis.ts';
import { type Edits, leaveOut, sendOption } from '../../../domain/edit.ts';
import type { Failure } from '../../../domain/failure.ts';
import type { Hint } from '../../../domain/hint.ts';
import type { OutputStream } from '../../../domain/job.ts';
import type { PlannedAnalysis } from '../../../domain/plan.ts';
import { andList } from '../../../domain/quantity.ts';
import { replacingFix, sendInstead } from '../facts/graph-fixes.ts';
import { type ArgvGraph, type Kind, kindOf, type MediaFacts, oneOrAll } from '../facts/media-facts.ts';
import { failed } from './media-failure.ts';

const NAMES = { video: 'video', audio: 'audio', subtitle: 'subtitles' } as const;

/** `has no audio`, `has 2 audio streams, and "0:a:5" is beyond them`. */
function lack(facts: MediaFacts, input: number, specifier: string): string {
  const kind = kindOf(specifier);
  const path = facts.pathOf(input);
  const content = facts.contentOf(input);
  if (kind === undefined) return `${path} has ${content}, and no stream "${specifier}"`;
  const { length } = facts.streamsOf(input, kind);
  if (length === 0) return `${path} has no ${NAMES[kind]}, only ${content}`;
  return `${path} has ${length} ${kind} ${length === 1 ? 'stream' : 'streams'}, and they count from 0`;
}

/** The path of an input, and what it has instead of a stream of this kind. A cover is not measured as video. */
const fileOf = (facts: MediaFacts, input: number, kind: Kind) => ({
  path: facts.pathOf(input),
  content:
    facts.streamsOf(input, kind).length === 0
      ? `no ${NAMES[kind]}, only ${facts.contentOf(input)}`
      : 'no video besides a cover',
});

/** A label such as `[1:a]` that names a stream which its input does not have. */
export function absentLabel(facts: MediaFacts, failing = ''): Failure | undefined {
  const labels = facts.graphs.flatMap((graph) =>
    graph.filters.flatMap((filter) =>
      filter.inputs.flatMap((label) => {
        const [, number, specifier = ''] = /^(\d+):(.+)$/.exec(label) ?? [];
        const input = Number(number);
        if (number === undefined || facts.inputs[input] === undefined) return [];
        return [
          { graph, filter: filter.name, label, input, specifier, matching: facts.matchingStreams(input, specifier) },
        ];
      }),
    ),
  );
  const absent = labels.find(({ matching }) => matching?.length === 0);
  const { analysis } = facts.plan;
  if (analysis !== undefined) {
    const { input, specifier } = absent ?? labels.find((label) => label.specifier === failing) ?? {};
    const kind = kindOf(specifier ?? '') === 'audio' ? 'audio' : 'video';
    const count = kind === 'audio' && input === 0 ? facts.streamsOf(0, 'audio').length : 0;
    if (count > 0)
      return failed(
        'INPUT_INVALID',
        `"audio": ${analysis.audio} names no stream: ${facts.pathOf(0)} has ${count} audio ${count === 1 ? 'stream' : 'streams'}, which count from 0.`,
        count === 1 ? leaveOut('audio') : `Send an "audio" from 0 to ${count - 1}.`,
      );
    return input === undefined ? undefined : streamToMeasure(analysis, kind, fileOf(facts, input, kind), input > 0);
  }
  if (absent !== undefined) {
    const { graph, filter, label, input, specifier } = absent;
    return failed(
      'INPUT_INVALID',
      `The filtergraph uses [${label}], but ${lack(facts, input, specifier)}.`,
      absentLabelFix(facts, graph, filter, absent),
    );
  }
  const other = labels.find(({ specifier }) => specifier === failing);
  return other && unusableLabel(facts, other.graph, other.filter, other, other.matching);
}

/** A label of a stream that exists but is of another kind than the filter takes, or that is named by a tag. */
function unusableLabel(
  facts: MediaFacts,
  graph: ArgvGraph,
  filter: string,
  { label, input }: AbsentLabel,
  matching: readonly OutputStream[] | undefined,
): Failure | undefined {
  const [stream] = matching ?? [];
  if (matching === undefined)
    return failed(
      'INPUT_INVALID',
      `The filtergraph uses [${label}], which matches no stream of ${facts.pathOf(input)} that the filter ${filter} takes: it has ${facts.contentOf(input)}.`,
      `Name the stream by its kind and number, such as [${input}:v:0] or [${input}:a:0].`,
    );
  if (stream === undefined || (stream.type !== 'video' && stream.type !== 'audio')) return undefined;
  const [kind, letter] = stream.type === 'audio' ? (['video', 'v'] as const) : (['audio', 'a'] as const);
  const message = `[${label}] is the ${stream.type} of ${facts.pathOf(input)}, and the filter ${filter} takes ${kind}.`;
  if (facts.streamsOf(input, kind).length === 0)
    return failed('INPUT_INVALID', message, `Send a file with ${kind}: this one has only ${facts.contentOf(input)}.`);
  const replacement = `${input}:${letter}`;
  return failed(
    'INPUT_INVALID',
    message,
    replacingFix(facts, graph, '', label, replacement) ?? `Send [${replacement}] instead of [${label}].`,
  );
}

interface AbsentLabel {
  readonly label: string;
  readonly input: number;
  readonly specifier: string;
}

function absentLabelFix(
  facts: MediaFacts,
  graph: ArgvGraph,
  filter: string,
  { label, input, specifier }: AbsentLabel,
): Hint {
  const kind = kindOf(specifier);
  const length = kind === undefined ? 0 : facts.streamsOf(input, kind).length;
  if (kind !== undefined && length > 0) {
    const letter = specifier.charAt(0);
    const last = `${input}:${letter}:${length - 1}`;
    return replacingFix(facts, graph, '', label, last) ?? `Send [${last}] instead of [${label}].`;
  }
  if (kind === 'audio') {
    const others = facts.inputs.flatMap((_one, other) =>
      facts.streamsOf(other, 'audio').length > 0 ? [`${other}:a`] : [],
    );
    // Mixing with silence would make the other sound quieter.
    if (/^(?:amix|amerge)$/.test(filter) && graph.filters.length === 1 && others.length === 1)
      return sendInstead('filter_complex', 'map', mapsWithout(facts, graph, others[0] ?? ''));
    const seconds = facts.secondsOfInput(input);
    const end = seconds === undefined ? '' : `,atrim=end=${Number(seconds.toFixed(3))}`;
    const silence = `anullsrc=channel_layout=stereo:sample_rate=48000${end}[silence${input}];`;
    const fix = replacingFix(facts, graph, silence, label, `silence${input}`);
    return fix === undefined
      ? `Put "${silence}" before the graph, and use [silence${input}] instead of [${label}].`
      : { ...fix, why: 'this plays silence instead' };
  }
  return `Leave the filters of [${label}] out, or send a file with ${kind === undefined ? 'that stream' : NAMES[kind]} as input ${input}.`;
}

/** The maps of the request, with `replacement` instead of the output of the graph. */
function mapsWithout(facts: MediaFacts, { filters }: ArgvGraph, replacement: string): readonly string[] {
  const outputs = new Set(filters.flatMap(({ outputs: labels }) => labels.map((label) => `[${label}]`)));
  const maps = facts.argumentsOf('map');
  return maps.length === 0 ? [replacement] : maps.map((map) => (outputs.has(map) ? replacement : map));
}

/** The maps of the request with another one instead of `map`. */
const mapsWith = ({ argv }: MediaFacts, map: string, replacement: string): string | readonly string[] =>
  oneOrAll(argv.flatMap((word, index) => (argv[index - 1] === '-map' ? [word === map ? replacement : word] : [])));

/** The fix that sends them. */
const withMap = (facts: MediaFacts, map: string, replacement: string): Edits =>
  sendOption('map', mapsWith(facts, map, replacement));

/** Languages with two codes in ISO 639-2: the one of the English name, and that of the language's own name. */
const LANGUAGE_TWINS = (
  'alb/sqi arm/hye baq/eus bur/mya chi/zho cze/ces dut/nld fre/fra geo/kat ger/deu gre/ell ice/isl mac/mkd mao/mri ' +
  'may/msa per/fas rum/ron slo/slk tib/bod wel/cym'
)
  .split(' ')
  .map((pair) => pair.split('/'));

/** The other code of a language. undefined if it has only one. */
function languageTwin(language: string): string | undefined {
  const code = language.toLowerCase();
  return LANGUAGE_TWINS.find((pair) => pair.includes(code))?.find((one) => one !== code);
}

const MAP = /^(\d+)(?::(.*?))?\??$/;

/** Whether a map names a stream of an input. True for labels, for optional maps, and where only ffmpeg knows. */
function selects(facts: MediaFacts, map: string): boolean {
  const [, number, specifier = ''] = MAP.exec(map) ?? [];
  return number === undefined || map.endsWith('?') || facts.matchingStreams(Number(number), specifier)?.length !== 0;
}

/** The maps with the inputs of two exchanged, neither of which selects anything otherwise: `["1:v","0:a"]` for a song and its cover. */
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

/** A map that selects nothing. */
export function absentMap(facts: MediaFacts, map: string): Failure | undefined {
  const [, number, specifier = ''] = MAP.exec(map) ?? [];
  const input = Number(number);
  if (number === undefined || facts.inputs[input] === undefined) return undefined;
  const all = facts.inputs[input].streams;
  const language = /language:(\w+)/.exec(specifier)?.[1];
  if (language !== undefined) {
    const twin = languageTwin(language);
    const isThere = all.some(({ language: named }) => named !== undefined && named === twin);
    if (twin !== undefined && isThere)
      return failed(
        'INPUT_INVALID',
        `The map "${map}" selects nothing: ${facts.pathOf(input)} names this language "${twin}".`,
        withMap(facts, map, map.replace(`language:${language}`, `language:${twin}`)),
      );
    const known = [...new Set(all.flatMap((stream) => (stream.language === undefined ? [] : [stream.language])))];
    const ofLanguage = (one: string): string =>
      `For "${one}", send "map": ${JSON.stringify(mapsWith(facts, map, map.replace(language, one)))}.`;
    const kind = kindOf(specifier);
    const plain = kind === undefined ? `${input}` : `${input}:${specifier.charAt(0)}`;
    return failed(
      'INPUT_INVALID',
      `The map "${map}" selects nothing: ${facts.pathOf(input)} names ${known.length === 0 ? 'no languages' : `only the languages ${known.join(', ')}`}.`,
      { ...withMap(facts, map, plain), ...(known.length > 0 && { note: known.slice(0, 3).map(ofLanguage).join(' ') }) },
    );
  }
  const kind = kindOf(specifier);
  const count = kind === undefined ? 0 : facts.streamsOf(input, kind).length;
  const others = facts.argv.filter((word, index) => facts.argv[index - 1] === '-map' && word !== map);
  // The picture of a song is a stream of video.
  const [only, ...more] = new Set(all.map(({ type }) => type));
  const isUnused = !others.some((word) => word.replace(/^-/, '').split(':')[0] === number);
  const meant = isUnused && more.length === 0 ? only?.charAt(0) : undefined;
  const list = all.map(({ index, type }) => `${input}:${index} (${type})`).join(', ');
  const exchanged = exchangedMaps(facts);
  const fix = (): Hint => {
    if (exchanged !== undefined) return sendOption('map', exchanged);
    if (count > 0) return withMap(facts, map, `${input}:${specifier.charAt(0)}:${count - 1}`);
    if (others.length === 0) return `Send "map" with one of its streams: ${list}.`;
    return meant !== undefined && /^[vas]$/.test(meant)
      ? withMap(facts, map, `${input}:${meant}`)
      : `Leave "${map}" out of "map". If only some files lack it, send "${map.replace(/\?$/, '')}?".`;
  };
  return failed('INPUT_INVALID', `The map "${map}" selects nothing: ${lack(facts, input, specifier)}.`, fix());
}

/**
 * The failure of an analysis whose input, or reference, has no stream that it measures. It names the measurements, because the client
 * has sent no filtergraph.
 *
 * @param file The path of the file in quotes, and what it contains.
 * @param isReference Whether the file is the one that comparisons compare with.
 */
export function streamToMeasure(
  { measure }: Pick<PlannedAnalysis, 'measure'>,
  kind: 'audio' | 'video',
  file: { readonly path: string; readonly content: string },
  isReference = false,
): Failure {
  const concerned = measure.filter((one) => measuredKind(one) === kind && (!isReference || isComparison(one)));
  const names = andList(concerned.map((one) => `"${one}"`));
  const verb = concerned.length === 1 ? 'measures' : 'measure';
  const others = concerned.length < measure.length;
  return failed(
    'INPUT_INVALID',
    `${names} ${verb} ${kind}, and ${file.path} has ${file.content}.`,
    `${others ? `Leave ${names} out, or send` : 'Send'} a file with ${kind}.`,
  );
}
