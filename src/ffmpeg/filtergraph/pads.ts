import { type Catalogue, componentOf } from '../catalogue/catalogue.ts';
import type { Pads } from '../catalogue/component.ts';
import type { GraphFilter } from './graph.ts';

export type PadSide = 'inputs' | 'outputs';

/** Filters whose option `inputs` or `outputs` sets the number of pads on that side. The default is two. */
const COUNTED: Readonly<Record<PadSide, ReadonlySet<string>>> = {
  inputs: new Set(['hstack', 'vstack', 'xstack', 'mix', 'amix', 'amerge']),
  outputs: new Set(['split', 'asplit']),
};

/** Whether the filter has an option that sets the number of its pads on this side. */
export const hasCountOption = ({ name }: GraphFilter, side: PadSide): boolean => COUNTED[side].has(name);

/** Names in expressions of "scale" that read its second input. It has that input from ffmpeg 7.1 on. */
const REFERENCE = /\b(?:ref_[a-z]+|r[wh]|rdar)\b/;

/** The pads on one side of a filter, or 'dynamic' if options set their number. Every option of the filter must have its name. */
export function staticPads({ name, options }: GraphFilter, side: PadSide, catalogue: Catalogue): Pads | undefined {
  const pads = componentOf(catalogue, 'filter', name)?.[side];
  const isReferring = name === 'scale' && side === 'inputs' && options.some(({ value }) => REFERENCE.test(value));
  return isReferring && pads !== undefined && pads !== 'dynamic' && pads.length === 1
    ? [...pads, { name: 'ref', media: 'video' }]
    : pads;
}

/**
 * Returns the number of pads on one side of a filter, or undefined if only ffmpeg knows it. Every option of the filter
 * must have its name.
 */
export function padCount(filter: GraphFilter, side: PadSide, catalogue: Catalogue): number | undefined {
  const pads = staticPads(filter, side, catalogue);
  if (pads !== undefined && pads !== 'dynamic') return pads.length;
  if (!hasCountOption(filter, side)) return undefined;
  const count = filter.options.findLast(({ key }) => key === side)?.value ?? '2';
  return /^\d{1,5}$/.test(count) ? Number(count) : undefined;
}
