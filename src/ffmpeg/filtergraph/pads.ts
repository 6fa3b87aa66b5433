import { type Catalogue, componentOf } from '../catalogue/catalogue.ts';
import type { GraphFilter } from './graph.ts';

export type PadSide = 'inputs' | 'outputs';

/** Filters whose option `inputs` or `outputs` sets the number of pads on that side. The default is two. */
const COUNTED: Readonly<Record<PadSide, ReadonlySet<string>>> = {
  inputs: new Set(['hstack', 'vstack', 'xstack', 'mix', 'amix', 'amerge']),
  outputs: new Set(['split', 'asplit']),
};

/** Whether the filter has an option that sets the number of its pads on this side. */
export const hasCountOption = ({ name }: GraphFilter, side: PadSide): boolean => COUNTED[side].has(name);

/**
 * Returns the number of pads on one side of a filter, or undefined if only ffmpeg knows it. Every option of the filter
 * must have its name.
 */
export function padCount(filter: GraphFilter, side: PadSide, catalogue: Catalogue): number | undefined {
  const pads = componentOf(catalogue, 'filter', filter.name)?.[side];
  if (pads !== undefined && pads !== 'dynamic') return pads.length;
  if (!hasCountOption(filter, side)) return undefined;
  const count = filter.options.findLast(({ key }) => key === side)?.value ?? '2';
  return /^\d{1,5}$/.test(count) ? Number(count) : undefined;
}
