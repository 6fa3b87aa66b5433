import type { Catalogue } from '../../packages/ffmpeg/src/catalogue/catalogue.ts';
import { CATALOGUE } from './planning.ts';

/** The recorded catalogue with filters that its build lacks. Each has the pads of `ssim`. */
export function withFilters(...names: readonly string[]): Catalogue {
  const { filters } = CATALOGUE.lists;
  const ssim = filters.get('ssim');
  if (ssim === undefined) throw new Error('The recording lacks the filter "ssim".');
  const more = names.map((name) => [name, { ...ssim, name }] as const);
  return { ...CATALOGUE, lists: { ...CATALOGUE.lists, filters: new Map([...filters, ...more]) } };
}
