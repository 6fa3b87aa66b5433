import type { BodyOf, ParamsOf, QueryOf, ReplyOf } from '@telecine/contract/wire/operations/types.ts';
import type { DeepReadonly } from '@telecine/contract/wire/shape.ts';
import type { FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify';

/** The request of a declared operation `O`, with a validated body and query. */
type RequestOf<O> = FastifyRequest<{
  /** `path` can contain slashes: in Fastify, such a parameter is the wildcard `*`. */
  Params: ParamsOf<O> extends { readonly path: string }
    ? Omit<ParamsOf<O>, 'path'> & { readonly '*': string }
    : ParamsOf<O>;
  Querystring: QueryOf<O>;
  Body: BodyOf<O>;
}>;

/** A check that runs before the body is read. Returns a promise only if it has to wait. */
export type Hook = (request: FastifyRequest, reply: FastifyReply) => Promise<void> | undefined;

/** Handles a request. Returns a body of a declared type, or sends the reply itself and returns `reply`. */
type Handle<O> = (request: RequestOf<O>, reply: FastifyReply) => Promise<DeepReadonly<ReplyOf<O>> | FastifyReply>;

/** A handler with hooks of its own, which replace those that `routes.ts` derives from the declaration. */
interface CustomHandler<O> {
  readonly hooks: Pick<RouteShorthandOptions, 'onRequest' | 'preValidation' | 'errorHandler'>;
  readonly handle: Handle<O>;
}

export type Handler<O> = Handle<O> | CustomHandler<O>;

/** One handler for each operation in `Declared`. */
export type Handlers<Declared> = { readonly [id in keyof Declared]: Handler<Declared[id]> };
