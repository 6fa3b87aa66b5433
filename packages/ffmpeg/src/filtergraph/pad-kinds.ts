import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Pad, Pads } from '../catalogue/component.ts';
import { componentOf } from '../catalogue/components.ts';
import type { GraphFilter } from './graph.ts';

export type PadKind = Pad['media'];
export type PadSide = 'inputs' | 'outputs';

/** A filter with an option for the number of its pads. `keys`: the names of the option. `fallback`: its default. `more`: pads besides this number. */
interface Counted {
  readonly kind: PadKind;
  readonly keys: readonly string[];
  readonly fallback: number;
  readonly more?: number;
}

const two = (side: PadSide, kind: PadKind, names: string): [string, Counted][] =>
  names.split(' ').map((name) => [name, { kind, keys: [side], fallback: 2 }]);

const COUNTED: Readonly<Record<PadSide, ReadonlyMap<string, Counted>>> = {
  inputs: new Map<string, Counted>([
    ...two('inputs', 'video', 'hstack vstack xstack mix'),
    ...two('inputs', 'audio', 'amix amerge join'),
    ['xmedian', { kind: 'video', keys: ['inputs'], fallback: 3 }],
    ['interleave', { kind: 'video', keys: ['nb_inputs', 'n'], fallback: 2 }],
    ['ainterleave', { kind: 'audio', keys: ['nb_inputs', 'n'], fallback: 2 }],
    ['afir', { kind: 'audio', keys: ['nbirs'], fallback: 1, more: 1 }],
  ]),
  outputs: new Map<string, Counted>([
    ...two('outputs', 'video', 'split'),
    ...two('outputs', 'audio', 'asplit'),
    ['afir', { kind: 'audio', keys: [], fallback: 1 }],
  ]),
};

/** True if the filter has an option with the name of the side, which sets the number of its pads there. */
export const hasCountOption = ({ name }: GraphFilter, side: PadSide): boolean =>
  COUNTED[side].get(name)?.keys.includes(side) === true;

/**
 * The kinds of streams on one side of a filter, in the order of its pads. undefined: only ffmpeg knows them. Call this only with a filter
 * whose options all have names.
 */
export function padKinds(filter: GraphFilter, side: PadSide, catalogue: Catalogue): readonly PadKind[] | undefined {
  const pads = staticPads(filter, side, catalogue);
  if (pads !== undefined && pads !== 'dynamic') return pads.map(({ media }) => media);
  const kind = COUNTED[side].get(filter.name)?.kind;
  if (kind !== undefined) return repeat(kind, padCount(filter, side, catalogue) ?? 0);
  if (filter.name !== 'concat') return undefined;
  const [parts, video, audio] = [number(filter, ['n'], 2), number(filter, ['v'], 1), number(filter, ['a'], 0)];
  const part = [...repeat<PadKind>('video', video), ...repeat<PadKind>('audio', audio)];
  return side === 'outputs' ? part : repeat(part, Math.min(parts, Math.ceil(MAX_JOINED_PADS / part.length))).flat();
}

/** The number of pads on one side of a filter, whose options must all have names. undefined: only ffmpeg knows the number. */
export function padCount(filter: GraphFilter, side: PadSide, catalogue: Catalogue): number | undefined {
  const pads = staticPads(filter, side, catalogue);
  if (pads !== undefined && pads !== 'dynamic') return pads.length;
  const { keys, fallback, more = 0 } = COUNTED[side].get(filter.name) ?? {};
  const count = keys === undefined ? Number.NaN : number(filter, keys, fallback ?? 0);
  return Number.isInteger(count) && count >= 0 ? count + more : undefined;
}

/** The maximum number of pads of a filter whose kinds are listed. Real graphs have fewer. */
const MAX_PADS = 100;
/** The maximum number of inputs of a `concat` that are listed. */
const MAX_JOINED_PADS = 300;

const repeat = <T>(one: T, count: number): readonly T[] =>
  Array.from({ length: Number.isInteger(count) ? Math.min(Math.max(count, 0), MAX_PADS) : 0 }, () => one);

const number = ({ options }: GraphFilter, keys: readonly string[], fallback: number): number =>
  Number(options.findLast(({ key }) => keys.includes(key ?? ''))?.value ?? fallback);

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
