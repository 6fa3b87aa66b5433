import type { z } from 'zod';
import type { Scope } from '../../domain/client.ts';
import type { ProblemCode } from '../../domain/problem.ts';
import type { OperationId } from '../endpoints.ts';

/** What a caller must present. */
export type Access =
  | { readonly by: 'nothing' }
  /** An access token with all these scopes. */
  | { readonly by: 'token'; readonly scopes: readonly Scope[] }
  /** Such a token, or the parameters of a signed link in the query. */
  | { readonly by: 'token or link'; readonly scopes: readonly Scope[] }
  /** Client id and secret, by HTTP Basic or in the form. */
  | { readonly by: 'client secret' };

/** Which counter a request goes through before its body is read. Each adds its 429 to the problems. */
export type Limit =
  /** Jobs submitted in a minute, and jobs queued. */
  | 'submissions'
  /** Uploads of one client at the same time. */
  | 'uploads'
  /** Failed token requests of one address. */
  | 'failed tokens'
  /** Probes at the same time. */
  | 'probes';

export type Media = {
  readonly schema: z.ZodType;
  readonly example?: unknown;
};

export interface Reply {
  /** Left out where problems share the status: their titles describe it. */
  readonly description?: string;
  /** By content type; left out: no body. */
  readonly content?: Readonly<Record<string, Media>>;
  /** Header fields other than those of every reply. */
  readonly headers?: Readonly<Record<string, z.ZodType>>;
}

export type Body =
  | {
      readonly type: 'application/json';
      readonly schema: z.ZodType;
      readonly example: unknown;
      readonly maxBytes?: number;
      /** Another document that the handler recognizes before `schema` is checked. */
      readonly alternative?: { readonly schema: z.ZodType; readonly examples: Readonly<Record<string, unknown>> };
    }
  | {
      readonly type: 'application/x-www-form-urlencoded';
      readonly schema: z.ZodType;
      readonly example: unknown;
      readonly maxBytes: number;
    }
  /** Bytes of any type, as they are sent. */
  | { readonly type: '*/*'; readonly description: string }
  /** A body is neither parsed nor checked. */
  | { readonly type: 'ignored' };

export type Tag = 'Conversions' | 'Language models' | 'Jobs' | 'Files' | 'Capabilities' | 'Tokens' | 'System';

/**
 * One operation of the API, less its method and path (`ENDPOINTS`). Routes, the OpenAPI document and the types of the
 * client follow from it.
 */
export interface Operation {
  readonly tag: Tag;
  readonly summary: string;
  /** The scopes that a token needs are appended to it. */
  readonly description: string;
  readonly access: Access;
  /** Documents the parameters of the path; handlers check them, to answer 404 and not 400. */
  readonly params?: z.ZodObject;
  /** Left out: the operation has no query parameters and rejects any. */
  readonly query?: z.ZodObject | 'ignored';
  /** Documents request headers. */
  readonly headers?: z.ZodObject;
  /** Left out: no body. A body that is sent with POST or DELETE is still parsed, and rejected if it is not JSON. */
  readonly body?: Body;
  readonly limit?: Limit;
  /** By status. At an error status, what may come instead of a problem document. */
  readonly replies: Readonly<Record<number, Reply>>;
  /** Problems of this operation; those that follow from its access, body and limit are added. */
  readonly problems?: readonly ProblemCode[];
}

/** Some operations by their ids. */
export type Operations = { readonly [id in OperationId]?: Operation };

/** A reply with a JSON body. */
export const jsonReply = <S extends z.ZodType, H extends NonNullable<Reply['headers']> = Record<never, never>>(
  description: string,
  schema: S,
  example: unknown,
  headers?: H,
) => ({ description, content: { 'application/json': { schema, example } }, ...(headers && { headers }) });

/** A token with these scopes. */
export const token = (...scopes: readonly Scope[]) => ({ by: 'token', scopes }) as const;

export const PUBLIC = { by: 'nothing' } as const;
