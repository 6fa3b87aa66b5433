import { type Edits, sendMembers } from '../../domain/edit.ts';
import { type Graph, type GraphFilter, printGraph } from '../filtergraph/graph.ts';
import type { FinishedPass, ForeseenPass, RunWarning } from './finished-pass.ts';
import {
  type ArgvGraph,
  fieldOf,
  inputStream,
  type MediaFacts,
  optionValue,
  secondsIn,
  secondsOfInput,
  sentNameOf,
} from './media-facts.ts';

/** Options that cut the whole output, so that the other stream is cut too. */
const CUTS = ['-shortest', '-t', '-to', '-ss', '-sseof', '-frames:v', '-an', '-vn'];

/** `trim` cuts only the picture, and nothing cuts the sound of the same input, or the other way round. */
export function trimOfOneKind(facts: MediaFacts, { outputStreams, used }: ForeseenPass): readonly RunWarning[] {
  const kinds = new Set(outputStreams.map(({ type }) => type));
  if (!kinds.has('video') || !kinds.has('audio')) return [];
  if (CUTS.some((name) => facts.argv.includes(name)) || new Set(used.map(({ input }) => input)).size > 1) return [];
  const [found, ...more] = facts.graphs.flatMap((graph) =>
    graph.filters.flatMap((filter) => (/^a?trim$/.test(filter.name) ? [{ graph, trim: filter }] : [])),
  );
  if (found === undefined || more.length > 0) return [];
  const { graph, trim } = found;
  // Nothing is left of the stream, and another warning says so.
  const start = secondsIn(optionValue(trim, ...TIMES.start));
  const seconds = secondsOfInput(facts, used[0]?.input ?? 0);
  if (start !== undefined && seconds !== undefined && start >= seconds) return [];
  const isPicture = trim.name === 'trim';
  const fix = graph.key === 'filter_complex' ? complexFix(facts, graph, trim, used) : simpleFix(facts, graph, trim);
  if (fix === undefined) return [];
  const field = fieldOf(facts, graph.key);
  return [
    {
      ...(field === undefined ? {} : { field }),
      code: 'UNEQUAL_LENGTHS',
      message: `The filter ${trim.name} cuts only the ${isPicture ? 'picture' : 'sound'}, and the whole ${isPicture ? 'sound' : 'picture'} is in the output.`,
      fix,
    },
  ];
}

function simpleFix(facts: MediaFacts, graph: ArgvGraph, trim: GraphFilter): Edits | undefined {
  const isPicture = trim.name === 'trim';
  if (graph.key !== (isPicture ? 'filter:v' : 'filter:a')) return undefined;
  const other = facts.graphs.find(({ key }) => key === (isPicture ? 'filter:a' : 'filter:v'));
  const name = other === undefined ? (isPicture ? 'af' : 'vf') : sentNameOf(facts, other.key);
  const cut = `${otherTrim(trim, isPicture)}${other === undefined ? '' : `,${printGraph(other.graph)}`}`;
  return sendMembers({ [sentNameOf(facts, graph.key)]: printGraph(fromZero(graph, trim, isPicture)), [name]: cut });
}

/** A graph that cuts one stream of an input, of which the request maps another one as it is. */
function complexFix(
  facts: MediaFacts,
  graph: ArgvGraph,
  trim: GraphFilter,
  used: FinishedPass['used'],
): string | undefined {
  const isPicture = trim.name === 'trim';
  const [kind, letter] = isPicture ? (['audio', 'a'] as const) : (['video', 'v'] as const);
  const mapped = used.find(
    ({ input, stream, output }) => output !== undefined && inputStream(facts, input, stream)?.type === kind,
  );
  if (mapped === undefined || mapped.copied) return undefined;
  const label = `[${mapped.input}:${letter}]`;
  return `Add ${JSON.stringify(`;${label}${otherTrim(trim, isPicture)}[cut]`)} to "${sentNameOf(facts, graph.key)}", and send "[cut]" in "map" instead of this stream.`;
}

const reset = (isPicture: boolean): GraphFilter => ({
  inputs: [],
  name: isPicture ? 'setpts' : 'asetpts',
  options: [{ value: 'PTS-STARTPTS' }],
  outputs: [],
  at: 0,
});

/** The graph with times that count from 0 after the cut. */
function fromZero({ graph, filters }: ArgvGraph, trim: GraphFilter, isPicture: boolean): Graph {
  if (filters.some(({ name }) => /^a?setpts$/.test(name))) return graph;
  const chains = graph.chains.map((chain) =>
    chain.flatMap((one) =>
      one === trim
        ? [
            { ...one, outputs: [] },
            { ...reset(isPicture), outputs: one.outputs },
          ]
        : [one],
    ),
  );
  return { ...graph, chains };
}

/** The options of both filters that are times. Frames and samples do not fit the other kind. */
const TIMES = { start: ['start', 'starti'], end: ['end', 'endi'], duration: ['duration', 'durationi'] } as const;

const otherTrim = (trim: GraphFilter, isPicture: boolean): string =>
  printGraph({ chains: [otherCut(trim, isPicture)] });

function otherCut(trim: GraphFilter, isPicture: boolean): readonly [cut: GraphFilter, reset: GraphFilter] {
  const options = Object.entries(TIMES).flatMap(([key, names]) => {
    const value = optionValue(trim, ...names);
    return value === undefined ? [] : [{ key, value }];
  });
  const cut = { ...trim, inputs: [], outputs: [], name: isPicture ? 'atrim' : 'trim', options };
  return [cut, reset(!isPicture)];
}

/** The filters that cut a sound as `trim` cuts its picture, from one label to another. */
export function cutSound(trim: GraphFilter, from: string, to: string): readonly GraphFilter[] {
  const [cut, toZero] = otherCut(trim, true);
  return [
    { ...cut, inputs: [from] },
    { ...toZero, outputs: [to] },
  ];
}
