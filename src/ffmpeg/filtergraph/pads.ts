import { type Catalogue, componentOf } from '../catalogue/catalogue.ts';
import type { GraphFilter } from './graph.ts';

export type PadSide = 'inputs' | 'outputs';

/** Filters with as many pads on that side as the option of its name says, two where it is left out. */
const COUNTED: Readonly<Record<PadSide, ReadonlySet<string>>> = {
  inputs: new Set(['hstack', 'vstack', 'xstack', 'mix', 'amix', 'amerge']),
  outputs: new Set(['split', 'asplit']),
};

/** Whether the caller says how many pads a filter has there. */
export const hasCountOption = ({ name }: GraphFilter, side: PadSide): boolean => COUNTED[side].has(name);

/** How many pads a filter has, its options named in full; undefined where only ffmpeg can tell. */
export function padCount(filter: GraphFilter, side: PadSide, catalogue: Catalogue): number | undefined {
  const pads = componentOf(catalogue, 'filter', filter.name)?.[side];
  if (pads !== undefined && pads !== 'dynamic') return pads.length;
  if (!hasCountOption(filter, side)) return undefined;
  const count = filter.options.findLast(({ key }) => key === side)?.value ?? '2';
  return /^\d{1,5}$/.test(count) ? Number(count) : undefined;
}
