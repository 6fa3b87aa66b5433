import type { z } from 'zod';

/** Types that are derived from the declaration `O` of an operation. This file exports only types, because the client imports it. */

type SuccessStatus = 200 | 201 | 202 | 204 | 206 | 304;

/** The body after validation. undefined: the operation has no body. */
export type BodyOf<O> = O extends { readonly body: { readonly schema: infer S extends z.ZodType } }
  ? z.output<S>
  : undefined;

/** The body in the form that a client may send. */
export type SentBodyOf<O> = O extends { readonly body: { readonly schema: infer S extends z.ZodType } }
  ? z.input<S>
  : undefined;

/** The query after validation. */
export type QueryOf<O> = O extends { readonly query: infer S extends z.ZodType } ? z.output<S> : unknown;

/** The query parameters in the form that a client may send. */
export type SentQueryOf<O> = O extends { readonly query: infer S extends z.ZodType }
  ? { readonly [name in keyof z.output<S>]?: z.output<S>[name] | undefined }
  : Readonly<Record<never, never>>;

/** The parameters of the path. */
export type ParamsOf<O> = O extends { readonly params: infer S extends z.ZodType } ? z.output<S> : unknown;

type MediaOf<Content> = Content extends { readonly 'application/json': { readonly schema: infer S extends z.ZodType } }
  ? z.output<S>
  : Content extends { readonly 'text/plain; charset=utf-8': unknown }
    ? string
    : never;

/** The body of the replies with these statuses: a JSON document or a text. undefined: there is no body. */
export type ReplyOf<O, Status extends number = SuccessStatus> = O extends { readonly replies: infer R }
  ? {
      [S in keyof R & Status]: R[S] extends { readonly content: infer Content } ? MediaOf<Content> : undefined;
    }[keyof R & Status]
  : never;
