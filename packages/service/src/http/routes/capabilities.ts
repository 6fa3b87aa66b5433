import type { CAPABILITY_OPERATIONS } from '@telecine/contract/wire/operations/capabilities.ts';
import type { HttpDeps } from '../deps.ts';
import type { Handlers } from './handler.ts';

export const capabilityHandlers = ({ capabilities }: HttpDeps): Handlers<typeof CAPABILITY_OPERATIONS> => ({
  listFormats: async ({ query }) => {
    const { items: formats, ...page } = await capabilities.formats(query);
    return { formats, ...page };
  },
  listCodecs: async ({ query }) => {
    const { items: codecs, ...page } = await capabilities.codecs(query);
    return { codecs, ...page };
  },
  listFilters: async ({ query }) => {
    const { items: filters, ...page } = await capabilities.filters(query);
    return { filters, ...page };
  },
  listOptions: async ({ query }) => {
    const { items: options, ...page } = await capabilities.options(query);
    return { options, ...page };
  },
  getFormat: ({ params }) => capabilities.format(params.name),
  getCodec: ({ params }) => capabilities.codec(params.name),
  getFilter: ({ params }) => capabilities.filter(params.name),
  getOption: async ({ params: { name } }) => ({ name, meanings: await capabilities.option(name) }),
});
