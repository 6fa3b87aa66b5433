import { FILTERS } from '../../allowlist/filters.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { changeFilters } from '../../filtergraph/change-filters.ts';
import { type Graph, type GraphChain, type GraphFilter, isGraphError } from '../../filtergraph/graph.ts';
import { type PadKind, padKinds } from '../../filtergraph/pad-kinds.ts';
import { printGraph } from '../../filtergraph/print.ts';
import { sendOption, type ValueError } from '../../values/value-error.ts';
import { type ArgvOption, sentName } from '../request/argv-option.ts';
import { MAX_SUGGESTION } from './check-graph.ts';

/** What an input pad of a filter takes. undefined if only ffmpeg knows it. Every option of the filter must have its name. */
export const padMedia = (filter: GraphFilter, pad: number, catalogue: Catalogue): PadKind | undefined =>
  padKinds(filter, 'inputs', catalogue)?.[pad];

/** What an output pad of a filter produces. undefined if only ffmpeg knows it. */
export const producedMedia = (filter: GraphFilter, pad: number, catalogue: Catalogue): PadKind | undefined =>
  padKinds(filter, 'outputs', catalogue)?.[pad];

/** What a label such as `0:a:1` names. */
const labelMedia = (label: string): PadKind | undefined => {
  const letter = /^\d{1,4}:([vVa])(?=:|$)/.exec(label)?.[1];
  return letter === undefined ? undefined : letter === 'a' ? 'audio' : 'video';
};

/** Whether the text is too long for a fix that repeats it at each of its errors. */
export const isLongGraph = ({ values, texts = values }: ArgvOption): boolean =>
  (texts[0]?.length ?? 0) > MAX_SUGGESTION;

/** The graph as the client wrote it, if it can be changed filter by filter. */
export function writtenGraph({ graphs = [] }: ArgvOption, checked: Graph): Graph {
  const [written, ...others] = graphs;
  return written === undefined || others.length > 0 || isGraphError(written) ? checked : written;
}

const changed = (graph: Graph, at: number, change: (filter: GraphFilter) => GraphFilter): Graph =>
  changeFilters(graph, (one) => [one.at === at ? change(one) : one]);

const COUNTS: ReadonlySet<string> = new Set(['n', 'v', 'a']);

/** The options with which `concat` takes its labels as they are: video and audio in turn, or audio alone. */
function concatOfLabels({ inputs }: GraphFilter): GraphFilter['options'] | undefined {
  const kinds = inputs.map(labelMedia);
  const [first] = kinds;
  if (kinds.every((kind) => kind === 'audio') && kinds.length > 1) return options({ n: kinds.length, v: 0, a: 1 });
  const isPaired = kinds.length > 1 && kinds.length % 2 === 0 && first === 'video';
  if (!isPaired || !kinds.every((kind, at) => kind === (at % 2 === 0 ? 'video' : 'audio'))) return undefined;
  return options({ n: kinds.length / 2, v: 1, a: 1 });
}

const options = (values: Readonly<Record<string, number>>): GraphFilter['options'] =>
  Object.entries(values).map(([key, value]) => ({ key, value: String(value) }));

/** The error for a label that names video for a filter of audio, or the other way round: `[0:v]volume=2`. */
export function labelOfOtherKind(option: ArgvOption, graph: Graph, catalogue: Catalogue): ValueError | undefined {
  for (const filter of graph.chains.flat()) {
    const kinds = padKinds(filter, 'inputs', catalogue);
    for (const [pad, label] of filter.inputs.entries()) {
      const [taken, named] = [kinds?.[pad], labelMedia(label)];
      if (taken === undefined || named === undefined || taken === named) continue;
      const joined = filter.name === 'concat' ? concatOfLabels(filter) : undefined;
      const letter = taken === 'audio' ? 'a' : 'v';
      const twin = taken === 'audio' ? filter.name.replace(/^a/, '') : `a${filter.name}`;
      const hasTwin = twin !== filter.name && FILTERS.has(twin) && catalogue.lists.filters.has(twin);
      const written = writtenGraph(option, graph);
      const meant = changed(written, filter.at, (one) =>
        joined !== undefined
          ? { ...one, options: [...one.options.filter(({ key }) => !COUNTS.has(key ?? 'n')), ...joined] }
          : hasTwin
            ? { ...one, name: twin }
            : {
                ...one,
                inputs: one.inputs.map((old, index) => (index === pad ? old.replace(/:[vVa]/, `:${letter}`) : old)),
              },
      );
      return {
        code: 'WRONG_KIND',
        message: `The filter "${filter.name}" takes ${taken}, and [${label}] is ${named}.`,
        fix: sendOption(sentName(option), printGraph(meant)),
      };
    }
  }
  return undefined;
}

/** Adds the graph with "split" to the error about a label that two filters use. */
export function withSplit(error: ValueError, option: ArgvOption, graph: Graph, catalogue: Catalogue): ValueError {
  const label = error.code === 'LABEL_TWICE' ? /"\[(.*)\]" is used by/s.exec(error.message)?.[1] : undefined;
  if (label === undefined || isLongGraph(option)) return error;
  const first = graph.chains.flat().find(({ inputs }) => inputs.includes(label));
  const producer = graph.chains.flat().find(({ outputs }) => outputs.includes(label));
  if (first === undefined || producer === undefined) return error;
  const media = padMedia(first, first.inputs.indexOf(label), catalogue);
  if (media === undefined) return error;
  const copies: string[] = [];
  const rename = (filter: GraphFilter): GraphFilter => ({
    ...filter,
    inputs: filter.inputs.map((one) => {
      if (one !== label) return one;
      copies.push(`${label}${copies.length + 1}`);
      return copies.at(-1) ?? one;
    }),
  });
  const { chains } = changeFilters(writtenGraph(option, graph), (one) => [rename(one)]);
  const split: GraphChain = [
    {
      inputs: [label],
      name: media === 'audio' ? 'asplit' : 'split',
      options: [{ value: String(copies.length) }],
      outputs: copies,
      at: 0,
    },
  ];
  const after = chains.findIndex((chain) => chain.some(({ at }) => at === producer.at)) + 1;
  const meant: Graph = { ...graph, chains: [...chains.slice(0, after), split, ...chains.slice(after)] };
  return { ...error, fix: sendOption(sentName(option), printGraph(meant)) };
}
