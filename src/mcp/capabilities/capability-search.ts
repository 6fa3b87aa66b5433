import { Problem } from '../../domain/problem.ts';
import type { CapabilityOperations } from '../../jobs/capabilities/capabilities.ts';
import type { Page } from '../../jobs/capabilities/search-page.ts';
import { type CapabilityItem, codecItem, filterItem, formatItem, type Kind, optionItem } from './capability-item.ts';

export interface CapabilityQuery {
  readonly query?: string;
  readonly use?: 'input' | 'output';
  readonly of?: string;
  readonly limit: number;
  readonly from: number;
}

/** Searches one kind and returns a page. Throws INVALID_REQUEST if `of` has no options. */
export async function searchCapabilities(
  capabilities: CapabilityOperations,
  kind: Kind,
  { query, use, of, limit, from }: CapabilityQuery,
): Promise<Page<CapabilityItem>> {
  const words = { limit, from, ...(query !== undefined && { q: query }) };
  switch (kind) {
    case 'formats':
      return mapped(
        await capabilities.formats({ ...words, ...(use && { use: use === 'input' ? 'read' : 'write' }) }),
        formatItem,
      );
    case 'codecs':
      return mapped(
        await capabilities.codecs({ ...words, ...(use && { use: use === 'input' ? 'decode' : 'encode' }) }),
        codecItem,
      );
    case 'filters':
      return mapped(await capabilities.filters(words), filterItem);
    case 'options':
      return mapped(await optionsOf(capabilities, words, use, of), optionItem);
  }
}

type Words = Parameters<CapabilityOperations['options']>[0];

/** Lists the options of the component `of`. Several kinds can have a component of this name; the first is used. */
async function optionsOf(
  capabilities: CapabilityOperations,
  words: Words,
  use: CapabilityQuery['use'],
  of: string | undefined,
): ReturnType<CapabilityOperations['options']> {
  if (of === undefined) return capabilities.options(words);
  const owners: readonly Partial<Words>[] =
    use === 'input'
      ? [{ decoder: of }, { inputFormat: of }, { filter: of }, { bsf: of }]
      : [{ encoder: of }, { filter: of }, { format: of }, { bsf: of }, { decoder: of }];
  let first: unknown;
  for (const owner of owners) {
    try {
      return await capabilities.options({ ...words, ...owner });
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      first ??= error;
    }
  }
  throw first;
}

const mapped = <T>({ items, ...rest }: Page<T>, item: (one: T) => CapabilityItem): Page<CapabilityItem> => ({
  ...rest,
  items: items.map(item),
});
