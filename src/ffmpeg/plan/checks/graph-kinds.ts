import { holdsNoSound } from '../../allowlist/container-streams.ts';
import { FILTERS } from '../../allowlist/filters.ts';
import { type Catalogue, componentOf } from '../../catalogue/catalogue.ts';
import { type Graph, type GraphFilter, isGraphError } from '../../filtergraph/graph.ts';
import { printGraph } from '../../filtergraph/print.ts';
import { quoted, sendOption, type ValueError } from '../../values/value-error.ts';
import { type ArgvOption, sentName } from '../request/argv-option.ts';

/**
 * The error for a `concat` whose inputs are ordered by kind (`[0:v][1:v][0:a][1:a]`). It takes them part by part, each with
 * its video first.
 */
export function concatOrder(option: ArgvOption, graph: Graph, catalogue: Catalogue): ValueError | undefined {
  const filters = graph.chains.flat();
  const joins = filters.filter(({ name }) => name === 'concat');
  if (joins.length === 0) return undefined;
  const produced = new Map(
    filters.flatMap(({ name, outputs }) => {
      const pads = componentOf(catalogue, 'filter', name)?.outputs;
      return outputs.map((label): [string, string | undefined] => [
        label,
        pads === undefined || pads === 'dynamic' ? undefined : pads[0]?.media,
      ]);
    }),
  );
  /** By its specifier (`0:a`), or by the filter that produces it. undefined if it is not clear. */
  const kindOfLabel = (label = ''): string | undefined => {
    const letter = /^\d{1,4}:([vVa])(?=:|$)/.exec(label)?.[1];
    return letter === undefined ? produced.get(label) : letter === 'a' ? 'audio' : 'video';
  };
  for (const filter of joins) {
    const number = (key: string, fallback: string): number =>
      Number(filter.options.findLast((one) => one.key === key)?.value ?? fallback);
    const [parts, video, audio] = [number('n', '2'), number('v', '1'), number('a', '0')];
    const ofKind = (kind: string) => filter.inputs.filter((label) => kindOfLabel(label) === kind);
    const [videos, audios] = [ofKind('video'), ofKind('audio')];
    if (videos.length !== parts * video || audios.length !== parts * audio) continue;
    if (videos.length + audios.length !== filter.inputs.length) continue;
    const inputs = Array.from({ length: parts }, (_, part) => [
      ...videos.slice(part * video, (part + 1) * video),
      ...audios.slice(part * audio, (part + 1) * audio),
    ]).flat();
    const isWrong = filter.inputs.some((label, index) => kindOfLabel(label) !== kindOfLabel(inputs[index]));
    if (!isWrong) continue;
    const [written = graph, ...others] = option.graphs ?? [];
    const shown = others.length > 0 || isGraphError(written) ? graph : written;
    const chains = shown.chains.map((chain) => chain.map((one) => (one.at === filter.at ? { ...one, inputs } : one)));
    return {
      code: 'WRONG_ORDER',
      message: `The filter "concat" takes its inputs part by part, each with video before audio, not ${quoted(filter.inputs.map((label) => `[${label}]`).join(''))}.`,
      fix: sendOption(sentName(option), printGraph({ ...shown, chains })),
    };
  }
  return undefined;
}

/** The kind of streams that `vf` and `af` filter. */
export function mediaOf({ name }: ArgvOption): 'v' | 'a' | undefined {
  const letter = name.specifier?.charAt(0).toLowerCase();
  return letter === 'v' || letter === 'a' ? letter : undefined;
}

/** What the fix of a graph depends on, besides the graph. */
export interface RequestFacts {
  readonly inputCount: number;
  /** The format of the output. undefined if unknown. */
  readonly muxer: string | undefined;
}

/** The map that keeps the sound of the first input, if the output can have sound. */
const soundMap = ({ muxer }: RequestFacts): readonly string[] =>
  muxer !== undefined && holdsNoSound(muxer) ? [] : ['0:a?'];

/** The error for a filter of sound in `vf`, or of pictures in `af`. */
export function checkKind(
  option: ArgvOption,
  graph: Graph,
  catalogue: Catalogue,
  request: RequestFacts,
): ValueError | undefined {
  const letter = mediaOf(option);
  if (letter === undefined) return undefined;
  const [kind, other] = letter === 'a' ? (['audio', 'video'] as const) : (['video', 'audio'] as const);
  const isOther = (name: string): boolean => {
    const pads = componentOf(catalogue, 'filter', name)?.inputs;
    return pads !== undefined && pads !== 'dynamic' && pads.length > 0 && pads.every(({ media }) => media === other);
  };
  const filters = graph.chains.flat();
  const wrong = filters.find(({ name }) => isOther(name));
  if (wrong === undefined) return undefined;
  const outputs = componentOf(catalogue, 'filter', wrong.name)?.outputs;
  // A picture of a sound, such as that of "showwaves", needs "filter_complex".
  if (wrong === filters[0] && outputs !== undefined && outputs !== 'dynamic' && outputs[0]?.media === kind) {
    const [written = graph] = option.graphs ?? [];
    const [chain = [], ...chains] = isGraphError(written) ? graph.chains : written.chains;
    const labelled = chain.map((one, index) =>
      index > 0 || one.inputs.length > 0 ? one : { ...one, inputs: [letter === 'a' ? '0:v' : '0:a'] },
    );
    const fix = complexFix({ ...graph, chains: [labelled, ...chains] }, letter, request);
    return {
      code: 'WRONG_KIND',
      message: `The filter "${wrong.name}" makes ${kind} of ${other}, and "${sentName(option)}" filters ${kind}.`,
      ...(fix !== undefined && { fix }),
    };
  }
  const twin = letter === 'a' ? `a${wrong.name}` : wrong.name.replace(/^a/, '');
  const hasTwin = twin !== wrong.name && catalogue.lists.filters.has(twin) && FILTERS.has(twin);
  const sent = option.values.join(',');
  const renamed = {
    ...graph,
    chains: graph.chains.map((chain) => chain.map((one) => (one === wrong ? { ...one, name: twin } : one))),
  };
  return {
    code: 'WRONG_KIND',
    message: `The filter "${wrong.name}" is for ${other}, and "${sentName(option)}" filters ${kind}.`,
    fix: hasTwin
      ? sendOption(sentName(option), printGraph(renamed))
      : filters.every(({ name }) => isOther(name))
        ? sendOption(letter === 'a' ? 'vf' : 'af', sent)
        : `Send it in "${letter === 'a' ? 'vf' : 'af'}".`,
  };
}

/** Adds the ready filtergraph to the error about a graph that is not simple. */
export function withSimpleFix(error: ValueError, option: ArgvOption, request: RequestFacts): ValueError {
  const [graph] = option.graphs ?? [];
  if (error.code === 'UNKNOWN_LABEL' && graph !== undefined && !isGraphError(graph)) {
    const fix = complexFix(graph, mediaOf(option), request);
    return fix === undefined ? error : { ...error, fix };
  }
  if (error.code !== 'NOT_SIMPLE' || graph === undefined || isGraphError(graph)) return error;
  const filters = graph.chains.flat();
  const isLabelled = filters.some(({ inputs, outputs }) => inputs.length + outputs.length > 0);
  if (isLabelled) return error;
  if (graph.chains.length > 1)
    return { ...error, fix: sendOption(sentName(option), printGraph({ ...graph, chains: [filters] })) };
  const [first] = filters;
  if (first === undefined || filters.length !== 1 || request.inputCount !== 2 || !TWO_PICTURES.has(first.name))
    return error;
  const complex = printGraph({ chains: [[{ ...first, inputs: ['0:v', '1:v'], outputs: ['v'] }]] });
  return {
    ...error,
    fix: `Send "filter_complex": ${JSON.stringify(complex)} and "map": ${JSON.stringify(['[v]', ...soundMap(request)])}.`,
  };
}

/** The fix that sends a graph with labels for streams of inputs as `filter_complex`. undefined if it has other ends. */
function complexFix(graph: Graph, media: 'v' | 'a' | undefined, request: RequestFacts): string | undefined {
  const { inputCount } = request;
  const filters = graph.chains.flat();
  const produced = producedLabels([graph]);
  const isStream = (label: string): boolean => Number(/^\d{1,4}(?=:|$)/.exec(label)?.[0] ?? inputCount) < inputCount;
  const last = filters.at(-1);
  if (media === undefined || last === undefined || last.outputs.length > 1) return undefined;
  if (!graph.chains.every(([first]) => (first?.inputs.length ?? 0) > 0)) return undefined;
  if (!filters.every(({ inputs }) => inputs.every((label) => isStream(label) || produced.has(label)))) return undefined;
  const output = last.outputs[0] ?? media;
  const rename = (one: GraphFilter): GraphFilter => (one === last ? { ...one, outputs: [output] } : one);
  const complex = printGraph({ ...graph, chains: graph.chains.map((chain) => chain.map(rename)) });
  const maps = media === 'v' ? [`[${output}]`, ...soundMap(request)] : ['0:v?', `[${output}]`];
  return `Send "filter_complex": ${JSON.stringify(complex)} and "map": ${JSON.stringify(maps)}.`;
}

/** Filters of two pictures that people send in `vf`. */
const TWO_PICTURES: ReadonlySet<string> = new Set('overlay hstack vstack blend xfade alphamerge'.split(' '));

export const producedLabels = (graphs: readonly Graph[]): ReadonlySet<string> =>
  new Set(graphs.flatMap(({ chains }) => chains.flat().flatMap(({ outputs }) => outputs)));
