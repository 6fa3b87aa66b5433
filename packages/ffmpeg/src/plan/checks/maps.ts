import { addOption, type Edits, sendOption, withMore } from '@telecine/contract/domain/edit.ts';
import type { Hint } from '@telecine/contract/domain/hint.ts';
import { type FieldError, hasEnough, MAX_FIELD_ERRORS } from '@telecine/contract/domain/problem.ts';
import { holdsNoAudio } from '../../allowlist/containers.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { type Graph, type GraphChain, isGraphError, printGraph } from '../../filtergraph/graph.ts';
import type { ValueError } from '../../values/value-error.ts';
import { type ArgvOption, allFilters, mapsOf, oneOrList } from '../request/argv-option.ts';
import { producedMedia } from './graph-labels.ts';
import { MAX_SUGGESTION, newFilter, sendChanged } from './suggested-graph.ts';

/**
 * Checks that maps use each open label of the filtergraphs once, and no unknown label. With several outputs, exactly one of them must map a
 * label.
 *
 * @param openLabels The labels that no filter reads, each with the option that has its graph.
 */
export function checkMaps(
  options: readonly ArgvOption[],
  openLabels: ReadonlyMap<string, ArgvOption>,
  { muxer, others, catalogue }: MapFacts,
  errors: FieldError[],
): void {
  const mapped = new Set<string>();
  const labels = [...openLabels.keys()];
  const maps = options.filter(({ name }) => name.name === 'map');
  const all = mapsOf(options);
  const used = new Set([...all, ...(others === undefined ? [] : [...others.mappedBefore, ...mapsOf(others.options)])]);
  const unused = labels.filter((label) => !used.has(`[${label}]`));
  // Search no more, because a reply shows only so many errors.
  const shown = unused.slice(0, MAX_FIELD_ERRORS + 1);
  const wrong = all.filter((value) => LABEL.test(value) && !openLabels.has(labelOf(value)));
  const [wrongMap] = wrong;
  const [option] = maps;
  if (wrongMap !== undefined && wrong.length === unused.length && option) {
    const meant = meantLabels(wrong, unused);
    const fix = all.map((value) => meant.get(value) ?? value);
    errors.push({ field: option.field, ...badLabel(labelOf(wrongMap), false, unused), fix: sendMaps(fix) });
    return;
  }
  const labelled = openLabels.size === 0 && unused.length === 0 ? withOutputs(options, wrong) : undefined;
  if (labelled !== undefined && wrongMap !== undefined) {
    const { field, fix } = labelled;
    errors.push({ field, ...badLabel(labelOf(wrongMap), false, []), fix });
    return;
  }
  for (const { field, values } of maps) {
    for (const value of values) {
      if (!LABEL.test(value) || hasEnough(errors)) continue;
      const label = labelOf(value);
      if (others?.mappedBefore.has(value) === true && openLabels.has(label)) {
        const fix = sendCopies(options, others, catalogue, field);
        errors.push({ field, ...mappedInTwo(label), ...(fix !== undefined && { fix }) });
        continue;
      }
      if (!openLabels.has(label) || mapped.has(label))
        errors.push({ field, ...badLabel(label, mapped.has(label), labels) });
      mapped.add(label);
    }
  }
  if (others !== undefined) {
    for (const label of shown) errors.push({ field: openLabels.get(label)?.field ?? '', ...unmappedByAll(label) });
    return;
  }
  if (unused.length === 0) return;
  const open = new Set(unused);
  const sent = maps.flatMap(({ values, sentMaps = values }) =>
    sentMaps.map((text, at) => ({ value: values[at] ?? text, label: open.has(text) ? text : undefined })),
  );
  // If a graph filters the stream of a map, the client means the filtered stream.
  const graphs = graphsOf(options);
  const filtered = sent.map(({ value, label }) => {
    const [only, ...others] = unused.filter((one) => readsStream(one, value, graphs));
    return label ?? (others.length === 0 ? only : undefined);
  });
  const named = new Set(filtered);
  const added = [
    // If the graph has an output `[v]`, a map `v` means that label, although ffmpeg reads it as all videos.
    ...new Set(sent.map(({ value }, at) => (filtered[at] === undefined ? value : `[${filtered[at]}]`))),
    ...unused.filter((label) => !named.has(label)).map((label) => `[${label}]`),
    ...(option === undefined ? audioBeside([...new Set(openLabels.values())], muxer) : []),
  ];
  const whole = eachAlone(options, added) ?? sendMaps(added, option === undefined);
  const isLong = JSON.stringify(whole).length > MAX_SUGGESTION;
  for (const label of shown) {
    const field = option?.field ?? openLabels.get(label)?.field ?? '';
    const fix = isLong ? `Add "[${label}]" to "map", as each of the others.` : whole;
    errors.push({ field, ...unusedLabel(label, fix) });
  }
}

/**
 * The fix for unmapped copies that `split` makes: one output for each copy, because clients seldom want copies as streams of one output.
 * undefined: the graph makes more than copies.
 */
function eachAlone(options: readonly ArgvOption[], maps: readonly string[]): string | undefined {
  const labels = maps.filter((map) => LABEL.test(map));
  if (labels.length < 2 || labels.length > MAX_COPIES) return undefined;
  const graphs = graphsOf(options);
  if (!labels.every((label) => isCopy(labelOf(label), graphs))) return undefined;
  const rest = maps.filter((map) => !LABEL.test(map));
  const outputs = labels.map((label) => ({
    output: '…',
    parameters: { map: rest.length === 0 ? label : [label, ...rest] },
  }));
  return `For a file of each, send "outputs": ${JSON.stringify(outputs)} instead of "output". For one file with all of them: "map": ${JSON.stringify(maps)}. For one alone, leave "split" out.`;
}

const graphsOf = (options: readonly ArgvOption[]): readonly Graph[] =>
  options.flatMap(({ graphs = [] }) => graphs.flatMap((one) => (isGraphError(one) ? [] : [one])));

const chainTo = (label: string, graphs: readonly Graph[]): GraphChain | undefined =>
  graphs.flatMap(({ chains }) => chains).find((one) => one.at(-1)?.outputs.includes(label));

/** True if the filters before a label read the stream that a map selects. `0:v` and `0:v:0` count as the same. */
function readsStream(label: string, map: string, graphs: readonly Graph[], depth = 0): boolean {
  const chain = chainTo(label, graphs);
  if (chain === undefined || depth > MAX_DEPTH || !/^\d+:[va](?::0)?\??$/.test(map)) return false;
  const bare = (stream: string): string => stream.replace(/(?::0)?\??$/, '');
  return chain.some(({ inputs }) =>
    inputs.some((one) => bare(one) === bare(map) || readsStream(one, map, graphs, depth + 1)),
  );
}

/** True if a label is a copy that "split" makes. Filters with one input may come between "split" and the label. */
function isCopy(label: string, graphs: readonly Graph[], depth = 0): boolean {
  const chain = chainTo(label, graphs);
  if (chain === undefined || depth > MAX_DEPTH || chain.some(({ inputs }) => inputs.length > 1)) return false;
  if (chain.some(({ name }) => /^a?split$/.test(name))) return true;
  const [before] = chain[0]?.inputs ?? [];
  return before !== undefined && isCopy(before, graphs, depth + 1);
}

const MAX_DEPTH = 20;

/** The maximum number of copies for each of which a fix suggests an output. */
const MAX_COPIES = 4;

interface MapFacts {
  readonly catalogue: Catalogue;
  /** undefined: unknown. */
  readonly muxer: string | undefined;
  /** The other outputs of the same run of ffmpeg. undefined: there are none. */
  readonly others?: OtherOutputs | undefined;
}

/** A map that keeps the audio of the first input. Empty if a filtergraph reads audio, or the output cannot have audio. */
export const audioBeside = (graphs: readonly ArgvOption[], muxer: string | undefined): readonly string[] => {
  const streams = allFilters(graphs).flatMap(({ inputs }) => inputs.filter((one) => /^\d/.test(one)));
  const isVideo = streams.length > 0 && streams.every((stream) => /^\d+:[vV]/.test(stream));
  return isVideo && !(muxer !== undefined && holdsNoAudio(muxer)) ? ['0:a?'] : [];
};

/**
 * Returns a fix that adds the mapped labels to the last filter of the only filtergraph. undefined: the last filter has output
 * labels, or there are several graphs.
 */
function withOutputs(
  options: readonly ArgvOption[],
  maps: readonly string[],
): { field: string; fix: Hint } | undefined {
  const option = options.find(({ name }) => name.name === 'filter_complex');
  const [graph] = option?.graphs ?? [];
  const last = graph === undefined || isGraphError(graph) ? undefined : graph.chains.at(-1)?.at(-1);
  if (option?.graphs?.length !== 1 || graph === undefined || isGraphError(graph) || last?.outputs.length !== 0)
    return undefined;
  const named = { ...last, outputs: maps.map(labelOf) };
  return { field: option.field, fix: sendChanged(option, graph, (filter) => (filter === last ? named : filter)) };
}

/** The open label that each wrong map probably means: a label that contains its name (`[outv]` for `[v]`), or else the next open label. */
function meantLabels(wrong: readonly string[], open: readonly string[]): ReadonlyMap<string, string> {
  const left = new Map(open.map((label) => [label, label.toLowerCase()]));
  const similar = wrong.map((map, index) => {
    if (index >= MAX_SIMILAR) return undefined;
    const name = labelOf(map).toLowerCase();
    const [label] = [...left].find(([, lower]) => lower.includes(name)) ?? [];
    if (label !== undefined) left.delete(label);
    return label;
  });
  const others = left.keys();
  return new Map(wrong.map((map, index) => [map, `[${similar[index] ?? others.next().value}]`]));
}

/** The maximum number of wrong maps for which a similar label is searched. */
const MAX_SIMILAR = 20;

const LABEL = /^\[.*\]$/s;
const labelOf = (map: string): string => map.slice(1, -1);

/** Returns the fix that sends all these maps of the request, so that no stream is lost. */
const sendMaps = (maps: readonly string[], isNew = false): Edits =>
  (isNew ? addOption : sendOption)('map', oneOrList(maps));

/** The maximum number of labels that a message lists. */
const MAX_LABELS = 20;

const quotedLabel = (label: string): string => `"[${label.slice(0, 64)}]"`;

const badLabel = (label: string, isMapped: boolean, open: readonly string[]): ValueError => ({
  code: 'UNKNOWN_LABEL',
  message: isMapped
    ? `${quotedLabel(label)} is mapped twice.`
    : `No filtergraph has an output ${quotedLabel(label)} that no filter reads.`,
  ...(open.length > 0 && { allowed: open.slice(0, MAX_LABELS).map((one) => `[${one}]`) }),
  fix: 'Map each output label that no filter reads, and each only once. To use a stream twice, copy it with "split" (video) or "asplit" (audio).',
});

const mappedInTwo = (label: string): ValueError => ({
  code: 'LABEL_TWICE',
  message: `${quotedLabel(label)} is mapped in two outputs, but ffmpeg uses each stream of a filtergraph once.`,
  fix: `Add ";[${label}]split[${label}_1][${label}_2]" to the end of "filter_complex" ("asplit" for audio), and map "[${label}_1]" in one output and "[${label}_2]" in the other.`,
});

/** The index of the output that a field belongs to. undefined: the whole request. */
const outputOf = (field: string): number | undefined => {
  const [, number] = /^\/outputs\/(\d+)\//.exec(field) ?? [];
  return number === undefined ? undefined : Number(number);
};

/**
 * The fix for labels that several outputs map: the graph gets a copy of each label for each output, and this output maps its copies.
 * undefined: a chain has further labels at its end.
 */
function sendCopies(
  options: readonly ArgvOption[],
  others: OtherOutputs,
  catalogue: Catalogue,
  field: string,
): Edits | undefined {
  const graphOption = options.find(({ field: at }) => at === '/parameters/filter_complex');
  const [graph, ...otherGraphs] = graphOption?.graphs ?? [];
  if (graphOption === undefined || graph === undefined || isGraphError(graph) || otherGraphs.length > 0)
    return undefined;
  const own = options.find((one) => one.field === field);
  const number = outputOf(field);
  const places = [...options, ...others.options].flatMap(({ name, field: at, values }) =>
    name.name === 'map' ? values.map((value) => ({ value, output: outputOf(at) })) : [],
  );
  if (own === undefined || number === undefined || places.some(({ output }) => output === undefined)) return undefined;
  const outputsOf = (map: string) =>
    places.flatMap(({ value, output = 0 }) => (value === map ? [output] : [])).sort((a, b) => a - b);
  const shared = [...new Set(places.map(({ value }) => value))].filter(
    (map) => LABEL.test(map) && outputsOf(map).length > 1,
  );
  const names = new Set(graph.chains.flat().flatMap((one) => [...one.inputs, ...one.outputs]));
  const copiesOf = new Map(shared.map((map) => [map, copyNames(labelOf(map), outputsOf(map).length, names)]));
  let chains = graph.chains;
  for (const map of shared) {
    const label = labelOf(map);
    const chain = chainTo(label, [{ ...graph, chains }]);
    const last = chain?.at(-1);
    const media = last?.outputs.length === 1 ? producedMedia(last, 0, catalogue) : undefined;
    if (chain === undefined || last === undefined || media === undefined) return undefined;
    const copies = copiesOf.get(map) ?? [];
    const split = newFilter(media === 'audio' ? 'asplit' : 'split', {
      options: copies.length === 2 ? [] : [{ value: String(copies.length) }],
      outputs: copies,
    });
    chains = chains.map((one) => (one === chain ? [...one.slice(0, -1), { ...last, outputs: [] }, split] : one));
  }
  const maps = own.values.map((map) => {
    const name = copiesOf.get(map)?.[outputsOf(map).indexOf(number)];
    return name === undefined ? map : `[${name}]`;
  });
  const text = printGraph({ ...graph, chains });
  if (text.length > MAX_SUGGESTION) return undefined;
  return withMore(sendMaps(maps), { do: 'send', name: 'filter_complex', value: text, in: 'parameters' });
}

/** The names for copies of a label. The first copy keeps the label. Adds the new names to `taken`. */
function copyNames(label: string, count: number, taken: Set<string>): readonly string[] {
  const copies = [label];
  for (let number = 2; copies.length < count; number += 1) {
    const name = `${label}_${number}`;
    if (!taken.has(name)) copies.push(name);
    taken.add(name);
  }
  return copies;
}

const unmappedByAll = (label: string): ValueError => ({
  code: 'UNUSED_LABEL',
  message: `The filtergraph has an output ${quotedLabel(label)} that none of "outputs" maps.`,
  fix: `Send "map": "[${label}]" in the "parameters" of one of "outputs", or leave out the filters that make this output.`,
});

const unusedLabel = (label: string, fix: Hint): ValueError => ({
  code: 'UNUSED_LABEL',
  message: `The filtergraph has an output ${quotedLabel(label)} that nothing uses.`,
  fix,
});

/** What the checks of one output need to know about the other outputs of the same run of ffmpeg. */
export interface OtherOutputs {
  /** The options of the other outputs, without the options that this output has too. */
  readonly options: readonly ArgvOption[];
  /** How the filtergraphs of all outputs use the inputs. Computed at the first call, for the whole run. */
  graphUse(): GraphUse;
  /** The values of `map` in the outputs before this one. */
  readonly mappedBefore: ReadonlySet<string>;
}

export interface GraphUse {
  /** The indexes of the inputs that filters read as files. */
  readonly files: ReadonlySet<number>;
  /** The logical names of files whose format a filter detects by content. */
  readonly byContent: ReadonlySet<string>;
  /** The numbers of the inputs that maps and labels name. */
  readonly numbers: ReadonlySet<number>;
}

/** For each output, the facts about the other outputs. `all`: the options of every output. */
export function otherOutputs(
  all: readonly (readonly ArgvOption[])[],
  findUse: (options: readonly ArgvOption[]) => GraphUse,
): readonly OtherOutputs[] {
  const options = [...new Map(all.flat().map((option) => [option.field, option])).values()];
  let use: GraphUse | undefined;
  let mappedBefore: ReadonlySet<string> = new Set();
  return all.map((own) => {
    const fields = new Set(own.map(({ field }) => field));
    const before = mappedBefore;
    const maps = mapsOf(own).filter((map) => !before.has(map));
    if (maps.length > 0) mappedBefore = new Set([...before, ...maps]);
    return {
      options: options.filter(({ field }) => !fields.has(field)),
      mappedBefore: before,
      graphUse() {
        use ??= findUse(options);
        return use;
      },
    };
  });
}
