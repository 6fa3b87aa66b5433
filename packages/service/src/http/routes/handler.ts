import type { BodyOf, ParamsOf, QueryOf, ReplyOf } from '@telecine/contract/wire/operations/types.ts';
import type { DeepReadonly } from '@telecine/contract/wire/shape.ts';
import type { FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify';

/** The request of the declared operation `O`. Its body and query are validated. */
type RequestOf<O> = FastifyRequest<{
  /** `path` can contain slashes. In Fastify, such a parameter is the wildcard `*`. */
  Params: ParamsOf<O> extends { readonly path: string }
    ? Omit<ParamsOf<O>, 'path'> & { readonly '*': string }
    : ParamsOf<O>;
  Querystring: QueryOf<O>;
  Body: BodyOf<O>;
}>;

/** A check that runs before the body is read. Returns a promise only if it has to wait. */
export type Hook = (request: FastifyRequest, reply: FastifyReply) => Promise<void> | undefined;

/** Handles a request. Returns a body of a declared type, or sends the reply itself and returns the reply. */
type Handle<O> = (request: RequestOf<O>, reply: FastifyReply) => Promise<DeepReadonly<ReplyOf<O>> | FastifyReply>;

/** A handler that has its own hooks. `routes.ts` then does not derive hooks from the declaration. */
interface CustomHandler<O> {
  readonly hooks: Pick<RouteShorthandOptions, 'onRequest' | 'preValidation' | 'errorHandler'>;
  readonly handle: Handle<O>;
}

export type Handler<O> = Handle<O> | CustomHandler<O>;

/** Has exactly one handler for each operation in `Declared`. */
export type Handlers<Declared> = { readonly [id in keyof Declared]: Handler<Declared[id]> };
