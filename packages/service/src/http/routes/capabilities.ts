import type { CAPABILITY_OPERATIONS } from '@telecine/contract/wire/operations/capabilities.ts';
import { readOffset, writeOffset } from '@telecine/contract/wire/paging.ts';
import type { Page } from '../../jobs/capabilities/search-page.ts';
import type { HttpDeps } from '../deps.ts';
import type { Handlers } from './handler.ts';

export const capabilityHandlers = ({ capabilities }: HttpDeps): Handlers<typeof CAPABILITY_OPERATIONS> => ({
  listFormats: async ({ query }) => {
    const { items, ...page } = await capabilities.formats(searchOf(query));
    return { formats: items, ...pageView(page) };
  },
  listCodecs: async ({ query }) => {
    const { items, ...page } = await capabilities.codecs(searchOf(query));
    return { codecs: items, ...pageView(page) };
  },
  listFilters: async ({ query }) => {
    const { items, ...page } = await capabilities.filters(searchOf(query));
    return { filters: items, ...pageView(page) };
  },
  listOptions: async ({ query }) => {
    const { items, ...page } = await capabilities.options(searchOf(query));
    return { options: items, ...pageView(page) };
  },
  getFormat: ({ params }) => capabilities.format(params.name),
  getCodec: ({ params }) => capabilities.codec(params.name),
  getFilter: ({ params }) => capabilities.filter(params.name),
  getOption: async ({ params: { name } }) => ({ name, meanings: await capabilities.option(name) }),
});

const searchOf = <T extends { readonly cursor?: string }>({ cursor, ...query }: T) => ({
  ...query,
  from: readOffset(cursor),
});

const pageView = ({ next, note }: Omit<Page<unknown>, 'items'>) => ({
  ...(next !== undefined && { nextCursor: writeOffset(next) }),
  ...(note !== undefined && { note }),
});
