import type { FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify';
import type { BodyOf, DeepReadonly, ParamsOf, QueryOf, ReplyOf } from '../../wire/operations/types.ts';

/** The request of a declared operation `O`, with its checked body and query. */
export type RequestOf<O> = FastifyRequest<{
  /** Fastify's wildcard stands for a parameter that may hold slashes. */
  Params: ParamsOf<O> extends { readonly path: string } ? { readonly '*': string } : ParamsOf<O>;
  Querystring: QueryOf<O>;
  Body: BodyOf<O>;
}>;

/** Returns a value that the declaration allows, or sends the reply itself. */
type Handle<O> = (request: RequestOf<O>, reply: FastifyReply) => Promise<DeepReadonly<ReplyOf<O>> | FastifyReply>;

/** A handler that needs hooks other than those that follow from the declaration. */
export interface CustomHandler<O> {
  readonly hooks: Pick<RouteShorthandOptions, 'onRequest' | 'preValidation' | 'errorHandler'>;
  readonly handle: Handle<O>;
}

export type Handler<O> = Handle<O> | CustomHandler<O>;

/** One handler for each of some declared operations: a missing one is a type error, and so is one too many. */
export type Handlers<Declared> = { readonly [id in keyof Declared]: Handler<Declared[id]> };
