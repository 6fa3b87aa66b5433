import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Pad, Pads } from '../catalogue/component.ts';
import { componentOf } from '../catalogue/components.ts';
import type { GraphFilter } from './graph.ts';

export type PadKind = Pad['media'];

/**
 * A filter with an option for the number of its inputs. `keys`: the names of the option. `fallback`: its default. `more`: inputs besides
 * this number.
 */
interface Counted {
  readonly kind: PadKind;
  readonly keys: readonly string[];
  readonly fallback: number;
  readonly more?: number;
}

const COUNTED: ReadonlyMap<string, Counted> = new Map<string, Counted>([
  ...['hstack', 'vstack', 'xstack', 'mix'].map((name): [string, Counted] => [
    name,
    { kind: 'video', keys: ['inputs'], fallback: 2 },
  ]),
  ...['amix', 'amerge', 'join'].map((name): [string, Counted] => [
    name,
    { kind: 'audio', keys: ['inputs'], fallback: 2 },
  ]),
  ['xmedian', { kind: 'video', keys: ['inputs'], fallback: 3 }],
  ['interleave', { kind: 'video', keys: ['nb_inputs', 'n'], fallback: 2 }],
  ['ainterleave', { kind: 'audio', keys: ['nb_inputs', 'n'], fallback: 2 }],
  ['afir', { kind: 'audio', keys: ['nbirs'], fallback: 1, more: 1 }],
]);

/**
 * The kinds of streams on one side of a filter, in the order of its pads. undefined: only ffmpeg knows them. Call this only with a filter
 * whose options all have names.
 */
export function padKinds(filter: GraphFilter, side: PadSide, catalogue: Catalogue): readonly PadKind[] | undefined {
  const { name } = filter;
  const pads = staticPads(filter, side, catalogue);
  if (pads !== undefined && pads !== 'dynamic') return pads.map(({ media }) => media);
  if (name === 'concat') {
    const [parts, video, audio] = [number(filter, ['n'], 2), number(filter, ['v'], 1), number(filter, ['a'], 0)];
    const part = [...repeat<PadKind>('video', video), ...repeat<PadKind>('audio', audio)];
    return side === 'outputs' ? part : repeat(part, Math.min(parts, Math.ceil(MAX_JOINED_PADS / part.length))).flat();
  }
  if (side === 'outputs') return OUTPUTS[name]?.(filter);
  const counted = COUNTED.get(name);
  return counted && repeat(counted.kind, number(filter, counted.keys, counted.fallback) + (counted.more ?? 0));
}

const OUTPUTS: Readonly<Record<string, (filter: GraphFilter) => readonly PadKind[]>> = {
  split: (filter) => repeat('video', number(filter, ['outputs'], 2)),
  asplit: (filter) => repeat('audio', number(filter, ['outputs'], 2)),
  afir: () => ['audio'],
};

/** The maximum number of pads of a filter that are counted. Real graphs have fewer. */
const MAX_PADS = 100;
/** The maximum number of inputs of a `concat` that are counted. */
const MAX_JOINED_PADS = 300;

const repeat = <T>(one: T, count: number): readonly T[] =>
  Array.from({ length: Number.isInteger(count) ? Math.min(Math.max(count, 0), MAX_PADS) : 0 }, () => one);

const number = ({ options }: GraphFilter, keys: readonly string[], fallback: number): number =>
  Number(options.findLast(({ key }) => keys.includes(key ?? ''))?.value ?? fallback);

export type PadSide = 'inputs' | 'outputs';

/** Filters with an option for the number of pads on one side, two by default. */
const COUNT_OPTIONS: Readonly<Record<PadSide, ReadonlySet<string>>> = {
  inputs: new Set(['hstack', 'vstack', 'xstack', 'mix', 'amix', 'amerge']),
  outputs: new Set(['split', 'asplit']),
};

export const hasCountOption = ({ name }: GraphFilter, side: PadSide): boolean => COUNT_OPTIONS[side].has(name);

/** Matches names in expressions of `scale` that refer to a second input (since ffmpeg 7.1). */
const REFERENCE = /\b(?:ref_[a-z]+|r[wh]|rdar)\b/;

/** Returns the pads on one side of a filter by the catalogue. `dynamic`: an option sets their number. */
function staticPads({ name, options }: GraphFilter, side: PadSide, catalogue: Catalogue): Pads | undefined {
  const pads = componentOf(catalogue, 'filter', name)?.[side];
  const isReferring = name === 'scale' && side === 'inputs' && options.some(({ value }) => REFERENCE.test(value));
  return isReferring && pads !== undefined && pads !== 'dynamic' && pads.length === 1
    ? [...pads, { name: 'ref', media: 'video' }]
    : pads;
}

/** The number of pads on one side of a filter, whose options must all have names. undefined: only ffmpeg knows the number. */
export function padCount(filter: GraphFilter, side: PadSide, catalogue: Catalogue): number | undefined {
  const pads = staticPads(filter, side, catalogue);
  if (pads !== undefined && pads !== 'dynamic') return pads.length;
  if (!hasCountOption(filter, side)) return undefined;
  const count = filter.options.findLast(({ key }) => key === side)?.value ?? '2';
  return /^\d{1,5}$/.test(count) ? Number(count) : undefined;
}
