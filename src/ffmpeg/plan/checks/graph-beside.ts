import { sendOption, withMore } from '../../../domain/edit.ts';
import type { FieldError } from '../../../domain/problem.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { type Graph, type GraphChain, isGraphError, printGraph, walkOf } from '../../filtergraph/graph.ts';
import { type ArgvOption, sentName } from '../request/argv-option.ts';
import { MAX_SUGGESTION } from './check-graph.ts';
import { mediaOf } from './complex-graph.ts';
import { producedMedia, writtenGraph } from './graph-labels.ts';

const KINDS = { v: 'video', a: 'audio' } as const;

/** An output of a graph: the last filter of a chain, and its label if it has one. */
interface End {
  readonly chain: GraphChain;
  readonly label: string | undefined;
}

/**
 * The error for `vf` or `af` beside a `filter_complex` that makes the picture or sound of the output: ffmpeg filters such a stream only
 * there. undefined if the request has several graphs.
 */
export function graphBeside(options: readonly ArgvOption[], catalogue: Catalogue): FieldError | undefined {
  const [complex, ...others] = options.filter(({ name }) => name.name === 'filter_complex');
  const [graph] = complex?.checkedGraphs ?? [];
  if (complex === undefined || graph === undefined || others.length > 0 || complex.graphs?.length !== 1)
    return undefined;
  for (const simple of options) {
    const letter = simple.name.name === 'filter' ? mediaOf(simple) : undefined;
    if (letter === undefined || /\d/.test(simple.name.specifier ?? '')) continue;
    const maps = options.flatMap(({ name, values }) => (name.name === 'map' ? values : []));
    const ends = endsOf(graph, KINDS[letter], catalogue).filter(
      ({ label }) => label === undefined || maps.length === 0 || maps.includes(`[${label}]`),
    );
    const [end, ...more] = ends;
    if (end === undefined) continue;
    const isAlone = more.length === 0 && !maps.some((map) => maySelect(map, letter));
    const fix = isAlone ? joined(complex, graph, simple, end) : undefined;
    const name = sentName(simple);
    return {
      field: simple.field,
      code: 'CONFLICT',
      message: `"${name}" cannot filter the ${KINDS[letter]} that "filter_complex" makes.`,
      fix:
        fix === undefined
          ? `Leave "${name}" out, and write its filters at the end of "filter_complex".`
          : withMore(sendOption('filter_complex', fix), { do: 'remove', name }),
    };
  }
  return undefined;
}

/** Whether a map may select a stream of an input of this kind, which the option filters too. */
function maySelect(map: string, letter: 'v' | 'a'): boolean {
  const [, kind = letter] = /^\d+(?::([a-z])(?=[:?]|$))?/i.exec(map) ?? [];
  return /^\d/.test(map) && kind.toLowerCase() === letter;
}

/** The outputs of a graph that nothing in it uses. */
function endsOf(graph: Graph, kind: 'video' | 'audio', catalogue: Catalogue): readonly End[] {
  const { taken } = walkOf(graph);
  return graph.chains.flatMap((chain): readonly End[] => {
    const last = chain.at(-1);
    if (last === undefined) return [];
    if (last.outputs.length === 0)
      return producedMedia(last, 0, catalogue) === kind ? [{ chain, label: undefined }] : [];
    return last.outputs.flatMap((label, pad) =>
      taken.has(label) || producedMedia(last, pad, catalogue) !== kind ? [] : [{ chain, label }],
    );
  });
}

/** The graph with the filters of another at one of its ends. undefined if the other is more than a chain, or the fix too long. */
function joined(complex: ArgvOption, checked: Graph, simple: ArgvOption, { chain, label }: End): string | undefined {
  const written = writtenGraph(complex, checked);
  const [own] = simple.graphs ?? [];
  const [added = [], ...others] = own === undefined || isGraphError(own) ? [] : own.chains;
  const at = checked.chains.indexOf(chain);
  const before = written.chains[at];
  const last = before?.at(-1);
  const isPlain = added.every(({ inputs, outputs }) => inputs.length + outputs.length === 0);
  if (before === undefined || last === undefined || added.length === 0 || others.length > 0 || !isPlain)
    return undefined;
  if (simple.graphs?.length !== 1 || last.outputs.length > 1) return undefined;
  const chained = [
    ...before.slice(0, -1),
    { ...last, outputs: [] },
    ...added.map((filter, index) =>
      index === added.length - 1 && label !== undefined ? { ...filter, outputs: [label] } : filter,
    ),
  ];
  const text = printGraph({ ...written, chains: written.chains.map((one, index) => (index === at ? chained : one)) });
  return text.length <= MAX_SUGGESTION ? text : undefined;
}
