import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Page } from '../../jobs/capabilities/operations.ts';
import {
  type CodecsQuery,
  codecsQuery,
  type FiltersQuery,
  type FormatsQuery,
  filtersQuery,
  formatsQuery,
  type OptionsQuery,
  optionsQuery,
} from '../../wire/capabilities.ts';
import { readOffset, writeOffset } from '../../wire/offset-cursor.ts';
import { noQuery } from '../../wire/queries.ts';
import { authenticate } from '../caller.ts';
import type { HttpDeps } from '../deps.ts';

const AT = '/api/capabilities';

interface Named {
  readonly Params: { readonly name: string };
}

/** What can be converted, and how: the installed ffmpeg as far as it may be used. */
export function addCapabilities(app: FastifyInstance, { capabilities, tokens }: HttpDeps): void {
  const onRequest = authenticate(tokens, 'jobs:read');
  const one = { schema: { querystring: noQuery }, onRequest };
  const nameOf = (request: FastifyRequest<Named>): string => request.params.name;

  app.get<{ Querystring: FormatsQuery }>(
    `${AT}/formats`,
    { schema: { querystring: formatsQuery }, onRequest },
    async ({ query }) => {
      const { items, ...rest } = await capabilities.formats(searchOf(query));
      return { formats: items, ...restOf(rest) };
    },
  );
  app.get<{ Querystring: CodecsQuery }>(
    `${AT}/codecs`,
    { schema: { querystring: codecsQuery }, onRequest },
    async ({ query }) => {
      const { items, ...rest } = await capabilities.codecs(searchOf(query));
      return { codecs: items, ...restOf(rest) };
    },
  );
  app.get<{ Querystring: FiltersQuery }>(
    `${AT}/filters`,
    { schema: { querystring: filtersQuery }, onRequest },
    async ({ query }) => {
      const { items, ...rest } = await capabilities.filters(searchOf(query));
      return { filters: items, ...restOf(rest) };
    },
  );
  app.get<{ Querystring: OptionsQuery }>(
    `${AT}/options`,
    { schema: { querystring: optionsQuery }, onRequest },
    async ({ query }) => {
      const { items, ...rest } = await capabilities.options(searchOf(query));
      return { options: items, ...restOf(rest) };
    },
  );

  app.get<Named>(`${AT}/formats/:name`, one, (request) => capabilities.format(nameOf(request)));
  app.get<Named>(`${AT}/codecs/:name`, one, (request) => capabilities.codec(nameOf(request)));
  app.get<Named>(`${AT}/filters/:name`, one, (request) => capabilities.filter(nameOf(request)));
  app.get<Named>(`${AT}/options/:name`, one, async (request) => {
    const name = nameOf(request);
    return { name, meanings: await capabilities.option(name) };
  });
}

const searchOf = <T extends { readonly cursor?: string }>({ cursor, ...query }: T) => ({
  ...query,
  from: readOffset(cursor),
});

const restOf = ({ next, note }: Omit<Page<unknown>, 'items'>) => ({
  ...(next !== undefined && { nextCursor: writeOffset(next) }),
  ...(note !== undefined && { note }),
});
