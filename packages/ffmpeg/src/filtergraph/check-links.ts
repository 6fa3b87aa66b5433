import { hasEnough, type TextSpan } from '@telecine/contract/domain/problem.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { atPlace, quoted, type ValueError } from '../values/value-error.ts';
import { type Graph, type GraphFilter, walkOf } from './graph.ts';
import type { FindPlaces } from './graph-places.ts';
import { type OpenEnds, openEnds } from './open-ends.ts';
import { hasCountOption, type PadSide, padCount } from './pad-kinds.ts';

/**
 * The option that has the graph. A simple graph (`vf`, `af`) has one input and one output, and cannot name inputs of the request.
 *
 * `name`: the option as sent. `media`: the kind of its stream as a letter. undefined: unknown.
 */
type GraphContext =
  | { readonly kind: 'simple'; readonly name: string; readonly media?: 'v' | 'a' | undefined }
  | { readonly kind: 'complex'; readonly inputs: number };

/** Matches the label of an input stream: `[1:v:0]`, `[0]`. */
const STREAMS = /^(\d{1,4})(?::.*)?$/;

/**
 * Checks the labels of a graph: each output label is unique, the label of a stream names an existing input, and no filter has more labels
 * than pads. Appends the errors to `errors`. `placesOf`: finds their positions in the text.
 *
 * @returns The output labels that no filter reads. A `map` can select them.
 */
export function checkLinks(
  graph: Graph,
  place: GraphContext,
  catalogue: Catalogue,
  errors: ValueError[],
  placesOf?: FindPlaces,
): readonly string[] {
  const { filters, producers: produced } = walkOf(graph);
  const { waiting, loose } = connect(filters, errors, placesOf);
  const unlabelled = place.kind === 'simple' ? openEnds(graph.chains, catalogue) : undefined;
  const ends = unlabelled && {
    inputs: unlabelled.inputs + waiting.length,
    outputs: unlabelled.outputs + loose.length,
  };
  const placeOfInput = inputPlaces(filters, placesOf);
  for (const label of waiting) {
    if (hasEnough(errors)) return loose;
    if (produced.has(label)) errors.push(atPlace(twice(label, 'used by two filters'), placeOfInput(label)));
    else {
      // Only the first error lists the labels: comparing all labels of a graph takes seconds.
      const candidates = errors.length === 0 ? [...produced.keys()] : [];
      const error =
        place.kind === 'simple' ? checkEnd(label, ends, place) : checkSource(label, place.inputs, candidates);
      if (error !== undefined) errors.push(atPlace(error, placeOfInput(label)));
    }
  }
  for (const filter of filters) if (!hasEnough(errors)) checkPads(filter, catalogue, errors, placesOf);
  if (place.kind === 'simple' && errors.length === 0) checkSimple(place.name, ends, errors);
  return loose;
}

/**
 * Connects labels in the order of ffmpeg's parser. A label is connected to the open end of the same name, whose name is then free again:
 * `split=2[m][v],[v]negate[v],[m][v]hstack`. Two open ends of the same name at the same time are an error.
 *
 * @returns `waiting`: labels of inputs without an output. `loose`: labels of outputs without an input.
 */
function connect(
  filters: readonly GraphFilter[],
  errors: ValueError[],
  placesOf: FindPlaces | undefined,
): { readonly waiting: readonly string[]; readonly loose: readonly string[] } {
  const waiting = new Map<string, number>();
  const loose = new Set<string>();
  for (const filter of filters) {
    for (const label of filter.inputs) if (!loose.delete(label)) waiting.set(label, (waiting.get(label) ?? 0) + 1);
    for (const [index, label] of filter.outputs.entries()) {
      const uses = waiting.get(label) ?? 0;
      if (uses > 1) waiting.set(label, uses - 1);
      else if (uses === 1) waiting.delete(label);
      else if (!loose.has(label)) loose.add(label);
      else if (!hasEnough(errors))
        errors.push(atPlace(twice(label, 'produced by two filters'), placesOf?.(filter)?.outputs[index]));
    }
  }
  return { waiting: [...waiting.keys()], loose: [...loose] };
}

/** Finds the last position of an input label. */
function inputPlaces(filters: readonly GraphFilter[], placesOf: FindPlaces | undefined) {
  let places: ReadonlyMap<string, TextSpan | undefined> | undefined;
  return (label: string): TextSpan | undefined => {
    places ??= new Map(
      filters.flatMap((filter) => {
        const spans = placesOf?.(filter)?.inputs;
        return filter.inputs.map((input, index): [string, TextSpan | undefined] => [input, spans?.[index]]);
      }),
    );
    return places.get(label);
  };
}

/** Checks the input label of a simple graph. ffmpeg reads the only stream of the graph, whatever the label. */
function checkEnd(
  label: string,
  ends: EndCounts | undefined,
  { name, media }: GraphContext & { kind: 'simple' },
): ValueError | undefined {
  const isOneToOne = ends?.inputs === 1 && ends.outputs === 1;
  const isOwn = label === '0' || (media !== undefined && label.toLowerCase() === `0:${media}`);
  if (label === 'in' || (isOneToOne && (isOwn || !STREAMS.test(label)))) return undefined;
  return {
    code: 'UNKNOWN_LABEL',
    message: `No filter produces ${bracketed(label)}, and "${name}" cannot use streams of inputs; "filter_complex" can.`,
  };
}

function checkSource(label: string, inputs: number, candidates: readonly string[]): ValueError | undefined {
  const index = STREAMS.exec(label)?.[1];
  if (index === undefined)
    return {
      code: 'UNKNOWN_LABEL',
      message: `No filter produces the label ${bracketed(label)}. A stream of an input has a label such as "[0:v]".`,
      nearest: { given: label, names: candidates, is: 'word' },
    };
  if (Number(index) < inputs) return undefined;
  return {
    code: 'NO_SUCH_INPUT',
    message: `${bracketed(label)} refers to an input that the request does not have. The first has the number 0, and files that only a filter reads do not count.`,
    allowed: [inputs === 1 ? '0' : `0 to ${inputs - 1}`],
  };
}

function checkPads(
  filter: GraphFilter,
  catalogue: Catalogue,
  errors: ValueError[],
  placesOf: FindPlaces | undefined,
): void {
  const check = (side: PadSide, where: string): void => {
    const labels = filter[side];
    if (labels.length === 0) return;
    const pads = padCount(filter, side, catalogue);
    if (pads === undefined || labels.length <= pads) return;
    const count = pads === 0 ? `no ${side}` : `${pads} ${pads === 1 ? side.slice(0, -1) : side}`;
    const more = hasCountOption(filter, side) ? ` "${side}" sets the number.` : '';
    const error = {
      code: 'TOO_MANY_LABELS',
      message: `The filter "${filter.name}" has ${count}, but ${labels.length} labels come ${where} it.${more}`,
    };
    errors.push(atPlace(error, placesOf?.(filter)?.[side].at(-1)));
  };
  check('inputs', 'before');
  check('outputs', 'after');
}

/** The pads that are not connected inside the graph. */
type EndCounts = Pick<OpenEnds, 'inputs' | 'outputs'>;

function checkSimple(name: string, ends: EndCounts | undefined, errors: ValueError[]): void {
  if (ends === undefined || (ends.inputs === 1 && ends.outputs === 1)) return;
  const { inputs, outputs } = ends;
  errors.push({
    code: 'NOT_SIMPLE',
    message: `"${name}" takes a graph with one input and one output; this graph has ${inputs} and ${outputs}. "filter_complex" takes others, with labels for inputs and "map" for outputs.`,
  });
}

const bracketed = (label: string): string => quoted(`[${label}]`);

const twice = (label: string, what: string): ValueError => ({
  code: 'LABEL_TWICE',
  message: `The label ${bracketed(label)} is ${what}. Each link has its own label; "split" and "asplit" copy a stream.`,
});
