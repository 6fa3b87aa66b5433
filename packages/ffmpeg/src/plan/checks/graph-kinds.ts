import { sendMembers, sendOption } from '@telecine/contract/domain/edit.ts';
import type { Hint } from '@telecine/contract/domain/hint.ts';
import { FILTERS } from '../../allowlist/filters.ts';
import { type Catalogue, componentOf } from '../../catalogue/catalogue.ts';
import type { Pads } from '../../catalogue/component.ts';
import { changeFilters, type Graph, type GraphFilter, printGraph, walkOf } from '../../filtergraph/graph.ts';
import { type PadKind, padCount } from '../../filtergraph/pad-kinds.ts';
import { quoted, type ValueError } from '../../values/value-error.ts';
import { type ArgvOption, sentName } from '../request/argv-option.ts';
import { type ComplexContext, complexFix, mediaOf } from './complex-graph.ts';
import { labelMedia, padMedia, producedMedia } from './graph-labels.ts';
import { areUnlabelled, MAX_SUGGESTION, sendChanged, sendGraph, writtenGraph } from './suggested-graph.ts';

/**
 * The error for a `concat` whose labels are ordered by kind (`[0:v][1:v][0:a][1:a]`), or name whole inputs (`[0][1]`). `concat` expects
 * them part by part: `[0:v][0:a][1:v][1:a]`.
 */
export function concatOrder(option: ArgvOption, graph: Graph, catalogue: Catalogue): ValueError | undefined {
  const { filters, names } = walkOf(graph);
  if (!names.has('concat')) return undefined;
  const joins = filters.filter(({ name }) => name === 'concat');
  const produced = new Map(
    filters.flatMap(({ name, outputs }) =>
      outputs.map((label): [string, string | undefined] => [label, firstOutputKind(name, catalogue)]),
    ),
  );
  const kindOfLabel = (label = ''): string | undefined => labelMedia(label) ?? produced.get(label);
  const meant = new Map<number, readonly string[]>();
  let message: string | undefined;
  for (const filter of joins) {
    const number = (key: string, fallback: string): number =>
      Number(filter.options.findLast((one) => one.key === key)?.value ?? fallback);
    const [parts, video, audio] = [number('n', '2'), number('v', '1'), number('a', '0')];
    const ofKind = (kind: string) => filter.inputs.filter((label) => kindOfLabel(label) === kind);
    const sent = filter.inputs.map((label) => `[${label}]`).join('');
    const whole =
      filter.inputs.length === parts &&
      video === 1 &&
      audio === 1 &&
      filter.inputs.every((label) => /^\d{1,3}$/.test(label));
    if (whole) {
      meant.set(
        filter.at,
        filter.inputs.flatMap((label) => [`${label}:v`, `${label}:a`]),
      );
      message ??= `The filter "concat" takes ${2 * parts} streams here, and "${sent}" names ${parts}: each label is one stream.`;
      continue;
    }
    const [videos, audios] = [ofKind('video'), ofKind('audio')];
    if (videos.length !== parts * video || audios.length !== parts * audio) continue;
    if (videos.length + audios.length !== filter.inputs.length) continue;
    const inputs = Array.from({ length: parts }, (_, part) => [
      ...videos.slice(part * video, (part + 1) * video),
      ...audios.slice(part * audio, (part + 1) * audio),
    ]).flat();
    if (!filter.inputs.some((label, index) => kindOfLabel(label) !== kindOfLabel(inputs[index]))) continue;
    meant.set(filter.at, inputs);
    message ??= `The filter "concat" takes its inputs part by part, each with video before audio, not ${quoted(sent)}.`;
  }
  if (message === undefined) return undefined;
  const text = printGraph(
    changeFilters(writtenGraph(option, graph), (one) => [{ ...one, inputs: meant.get(one.at) ?? one.inputs }]),
  );
  return {
    code: 'WRONG_ORDER',
    message,
    fix:
      text.length <= MAX_SUGGESTION
        ? sendOption(sentName(option), text)
        : 'Put the labels before "concat" in the order [video][audio] of the first part, then of the second, and so on.',
  };
}

/** The error for a `paletteuse` whose first input is the palette: `[palette][video]paletteuse`. */
export function paletteOrder(option: ArgvOption, graph: Graph): ValueError | undefined {
  const { filters, names } = walkOf(graph);
  if (!names.has('paletteuse')) return undefined;
  const palettes = new Set(filters.flatMap(({ name, outputs }) => (name === 'palettegen' ? outputs : [])));
  const isPalette = (label: string | undefined): boolean => label !== undefined && palettes.has(label);
  const swapped = filters.find(
    ({ name, inputs: [video, palette, ...others] }) =>
      name === 'paletteuse' && others.length === 0 && palette !== undefined && isPalette(video) && !isPalette(palette),
  );
  if (swapped === undefined) return undefined;
  return {
    code: 'WRONG_ORDER',
    message: `The filter "paletteuse" takes the video first and the palette second, not "${swapped.inputs.map((label) => `[${label}]`).join('')}".`,
    fix: sendChanged(option, graph, (one) =>
      one.at === swapped.at ? { ...one, inputs: swapped.inputs.toReversed() } : one,
    ),
  };
}

/** The error for an audio filter in `vf`, or a video filter in `af`. */
export function checkKind(option: ArgvOption, graph: Graph, context: ComplexContext): ValueError | undefined {
  const { catalogue } = context;
  const letter = mediaOf(option);
  if (letter === undefined) return undefined;
  const [kind, other] = letter === 'a' ? (['audio', 'video'] as const) : (['video', 'audio'] as const);
  const isOther = (name: string): boolean => areAll(componentOf(catalogue, 'filter', name)?.inputs, other);
  // Skip a chain that ends in a sink, because its result is not in the output.
  const filters = graph.chains.filter((chain) => !/^a?nullsink$/.test(chain.at(-1)?.name ?? '')).flat();
  const wrong = filters.find(({ name }) => isOther(name));
  const converter = filters.find(({ name }) => isConverter(name, kind, other, catalogue));
  if (converter !== undefined && (wrong === undefined || filters.indexOf(converter) < filters.indexOf(wrong)))
    return {
      code: 'WRONG_KIND',
      message: `The filter "${converter.name}" makes ${other} of ${kind}, but "${sentName(option)}" gives only ${kind}.`,
      // Suggest the filter as `filter_complex` only if the output can have the kind of stream that the filter makes.
      fix: (context.audioOnly && letter === 'a' ? undefined : complexFix(graph, option, context)) ?? IN_COMPLEX_GRAPH,
    };
  if (wrong === undefined) return undefined;
  // A filter that makes video of audio, such as "showwaves", needs "filter_complex".
  if (wrong === filters[0] && firstOutputKind(wrong.name, catalogue) === kind) {
    const fix = complexFix(graph, option, context);
    return {
      code: 'WRONG_KIND',
      message: `The filter "${wrong.name}" makes ${kind} of ${other}, but "${sentName(option)}" filters ${kind}.`,
      ...(fix !== undefined && { fix }),
    };
  }
  const twin = letter === 'a' ? `a${wrong.name}` : wrong.name.replace(/^a/, '');
  // In "vf", "afade" between video filters is meant for the audio. In "af", "fade" is a misspelt "afade", unless "afade" is there too.
  const isMeant =
    letter === 'v' ? filters.some(({ name }) => !isOther(name)) : filters.some(({ name }) => name === twin);
  // Next to a tempo filter, `setpts` is meant for the speed of the video.
  const isSpeed = wrong.name === 'setpts' && filters.some(({ name }) => name === 'atempo' || name === 'rubberband');
  const hasTwin = !isSpeed && twin !== wrong.name && !isMeant && catalogue.lists.filters.has(twin) && FILTERS.has(twin);
  const sent = option.values.join(',');
  const renamed = changeFilters(graph, (one) => [one.name === wrong.name ? { ...one, name: twin } : one]);
  return {
    code: 'WRONG_KIND',
    message: `The filter "${wrong.name}" is for ${other}, but "${sentName(option)}" filters ${kind}.`,
    fix: hasTwin
      ? sendGraph(option, renamed)
      : filters.every(({ name }) => isOther(name))
        ? sendOption(letter === 'a' ? 'vf' : 'af', sent)
        : apart(option, graph, isOther, letter),
  };
}

/** The fix that moves audio and video filters to separate options: edits for one chain without labels, or else a sentence. */
function apart(option: ArgvOption, graph: Graph, isOther: (name: string) => boolean, letter: 'v' | 'a'): Hint {
  const other = letter === 'a' ? 'vf' : 'af';
  const [chain = [], ...others] = writtenGraph(option, graph).chains;
  if (others.length > 0 || chain.length === 0 || !areUnlabelled(chain)) return `Send this filter in "${other}".`;
  const text = (of: boolean): string => printGraph({ chains: [chain.filter(({ name }) => isOther(name) === of)] });
  return sendMembers({ [sentName(option)]: text(false), [other]: text(true) });
}

/** True if a filter reads only streams of one kind and outputs only the other kind, as `showwavespic` does. */
function isConverter(name: string, from: PadKind, to: PadKind, catalogue: Catalogue): boolean {
  const { inputs, outputs } = componentOf(catalogue, 'filter', name) ?? {};
  return areAll(inputs, from) && areAll(outputs, to);
}

const areAll = (pads: Pads | undefined, kind: PadKind): boolean =>
  pads !== undefined && pads !== 'dynamic' && pads.length > 0 && pads.every(({ media }) => media === kind);

/** The kind of a filter's first output. undefined: options of the filter determine it, or there is no output. */
export function firstOutputKind(name: string, catalogue: Catalogue): string | undefined {
  const pads = componentOf(catalogue, 'filter', name)?.outputs;
  return pads === undefined || pads === 'dynamic' ? undefined : pads[0]?.media;
}

const IN_COMPLEX_GRAPH = 'Send this filter in "filter_complex", with a label for its output.';

export const producedLabels = (graphs: readonly Graph[]): ReadonlySet<string> =>
  new Set(graphs.flatMap((graph) => [...walkOf(graph).producers.keys()]));

/**
 * The filters with fewer inputs than they need. Filters whose pads only ffmpeg knows are left out.
 *
 * @param fed How many inputs of the first filter get a stream without a label: 1 in a simple graph.
 */
function shortFilters(graph: Graph, catalogue: Catalogue, fed: number) {
  return graph.chains.flatMap((chain, index) => {
    let open = index === 0 && chain[0]?.inputs.length === 0 ? fed : 0;
    return chain.flatMap((filter) => {
      const taken = padCount(filter, 'inputs', catalogue) ?? 0;
      const missing = taken - filter.inputs.length - open;
      open = (padCount(filter, 'outputs', catalogue) ?? Number.POSITIVE_INFINITY) - filter.outputs.length;
      return missing > 0 ? [{ filter, missing }] : [];
    });
  });
}

/** The filter `first`, and all filters that get its output, directly or through other filters. */
function fedBy(first: GraphFilter, graph: Graph): ReadonlySet<GraphFilter> {
  const found = new Set([first]);
  for (const filter of found)
    for (const chain of graph.chains)
      for (const [at, one] of chain.entries())
        if (chain[at - 1] === filter || one.inputs.some((label) => filter.outputs.includes(label))) found.add(one);
  return found;
}

/** The number of the first input that a label depends on. */
function inputOf(label: string, graph: Graph): number {
  const [number] = /^\d+(?=:|$)/.exec(label) ?? [];
  if (number !== undefined) return Number(number);
  const producer = walkOf(graph).producers.get(label);
  const inputs = graph.chains
    .flat()
    .filter((one) => producer !== undefined && fedBy(one, graph).has(producer))
    .flatMap((one) => one.inputs.flatMap((source) => /^\d+(?=:|$)/.exec(source) ?? []));
  return Math.min(...inputs.map(Number), Number.POSITIVE_INFINITY);
}

/** The labels before a filter, with missing ones added in order: a video before its palette, an input before later inputs. */
function joined({ name, inputs }: GraphFilter, added: readonly string[], graph: Graph): readonly string[] {
  const isPalette = (label: string): boolean =>
    graph.chains.flat().some((one) => one.name === 'palettegen' && one.outputs.includes(label));
  const [own, other] = [inputs[0], added[0]];
  if (own === undefined || other === undefined || inputs.length + added.length > 2) return [...inputs, ...added];
  const isSwapped =
    name === 'paletteuse'
      ? isPalette(own) && !isPalette(other)
      : name !== 'amix' && inputOf(other, graph) < inputOf(own, graph);
  return isSwapped ? [...added, ...inputs] : [...inputs, ...added];
}

/**
 * The error for unused outputs of a graph if one filter lacks just as many inputs: the client forgot the labels before that filter. For
 * `[a]palettegen[p];[b]paletteuse`, the fix is `[b][p]paletteuse`.
 *
 * @param loose The output labels that no filter uses.
 * @param mapped The maps of the request. undefined: it has none.
 * @param mapsFor Returns maps of the remaining outputs, for a request without maps.
 */
export function missingLinks(
  option: ArgvOption,
  graph: Graph,
  loose: readonly string[],
  mapped: readonly string[] | undefined,
  catalogue: Catalogue,
  mapsFor: (labels: readonly string[]) => readonly string[],
): ValueError | undefined {
  const unused = loose.filter((label) => mapped?.includes(`[${label}]`) !== true);
  const isSimple = option.name.name !== 'filter_complex';
  const [short, ...others] = unused.length === 0 ? [] : shortFilters(graph, catalogue, isSimple ? 1 : 0);
  if (short === undefined || others.length > 0) return undefined;
  const { filter, missing } = short;
  const after = fedBy(filter, graph);
  const taken = padMedia(filter, filter.inputs.length, catalogue);
  const added = unused.filter((label) => {
    const producer = walkOf(graph).producers.get(label);
    return (
      producer !== undefined &&
      !after.has(producer) &&
      taken !== undefined &&
      producedMedia(producer, producer.outputs.indexOf(label), catalogue) === taken
    );
  });
  const rest = unused.filter((label) => !added.includes(label));
  // The only output of a simple graph needs no map.
  const isComplete = rest.length === 0 || (isSimple ? rest.length === 1 : mapped === undefined);
  if (added.length !== missing || !isComplete) return undefined;
  const written = writtenGraph(option, graph);
  const inputs = joined(filter, added, graph);
  const text = printGraph(changeFilters(written, (one) => [one.at === filter.at ? { ...one, inputs } : one]));
  const labels = (all: readonly string[]): string => all.map((label) => `[${label}]`).join('');
  const count = padCount(filter, 'inputs', catalogue);
  return {
    code: 'UNUSED_LABEL',
    message: `The filter "${filter.name}" takes ${count} ${count === 1 ? 'input' : 'inputs'} and lacks ${missing}, and nothing uses "${labels(added)}".`,
    fix:
      rest.length === 0 || isSimple
        ? sendOption(sentName(option), text)
        : sendMembers({ [sentName(option)]: text, map: mapsFor(rest) }),
  };
}
