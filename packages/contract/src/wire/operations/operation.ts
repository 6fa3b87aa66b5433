import type { z } from 'zod';
import type { AuditAction } from '../../domain/audit.ts';
import type { Scope } from '../../domain/client.ts';
import type { ProblemCode } from '../../domain/problem.ts';
import type { OperationId } from '../endpoints.ts';

/** The credentials that an operation requires. */
export type Access =
  | { readonly by: 'nothing' }
  /** An access token, or the session of a browser, with all these scopes. */
  | { readonly by: 'token'; readonly scopes: readonly Scope[] }
  /** The session of a browser, and no token. */
  | { readonly by: 'session' }
  /** A signed link in the path: to the outputs of a job, or to upload a file. */
  | { readonly by: 'link'; readonly to: 'output' | 'upload' }
  /** Client id and secret, by HTTP Basic or in the form. */
  | { readonly by: 'client secret' };

/** The limit that is checked before the body of a request is read. It adds its 429 replies to the problems. */
export type Limit =
  /** The number of jobs that a client submits in a minute, and of its queued jobs. */
  | 'submissions'
  /** The number of concurrent uploads of a client. */
  | 'uploads'
  /** The number of failed token requests from one IP address. */
  | 'failed tokens'
  /** The number of concurrent probes. */
  | 'probes'
  /** The number of concurrent previews. */
  | 'previews';

/** Whether a request counts towards the limit `requests` of its client, because it has no limit of its own a minute. */
export const isCounted = ({ access, limit }: Pick<Operation, 'access' | 'limit'>): boolean =>
  (access.by === 'token' || access.by === 'session') && limit !== 'submissions';

export type Media = {
  readonly schema: z.ZodType;
  readonly example?: unknown;
};

export interface Reply {
  /** Omitted if problems have the same status: their titles describe it. */
  readonly description?: string;
  /** The bodies by content type. Omitted if the reply has no body. */
  readonly content?: Readonly<Record<string, Media>>;
  /** The header fields, except those of every reply (`EVERY_REPLY`). */
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
  /** Bytes of any content type; they are not parsed. */
  | { readonly type: '*/*'; readonly description: string }
  /** If the client sends a body, it is neither parsed nor checked. */
  | { readonly type: 'ignored' };

/** What the audit log records of an operation. */
export interface Audit {
  readonly action: AuditAction;
  /**
   * The parameter of the path that names the target. `handler`: the handler names what it acted on. `nothing`: the action has
   * no target. `new job`: the log reads the action from the stored job, so that it costs a submission nothing.
   */
  readonly target:
    | 'jobId'
    | 'batchId'
    | 'workerId'
    | 'webhookId'
    | 'clientId'
    | 'path'
    | 'handler'
    | 'nothing'
    | 'new job';
  /** Present if the handler records what it has done, and the declaration only refused and failed requests. */
  readonly isDoneByHandler?: true;
}

export type Tag =
  | 'Conversions'
  | 'Language models'
  | 'Jobs'
  | 'Files'
  | 'Webhooks'
  | 'Capabilities'
  | 'Recipes'
  | 'Tokens'
  | 'Operation'
  | 'System';

/** An operation of the API, without its method and path (`ENDPOINTS`). Routes, the OpenAPI document and client types follow from it. */
export interface Operation {
  readonly tag: Tag;
  readonly summary: string;
  /** The OpenAPI document appends the scopes that a token needs. */
  readonly description: string;
  readonly access: Access;
  /** The path parameters. This only documents them; handlers check them and reply with 404, not 400. */
  readonly params?: z.ZodObject;
  /** The query parameters. If omitted, the operation rejects any query parameter. */
  readonly query?: z.ZodObject | 'ignored';
  /** The request headers. This only documents them. */
  readonly headers?: z.ZodObject;
  /** If omitted, the operation needs no body; a body sent with POST or DELETE is still rejected if it is not JSON. */
  readonly body?: Body;
  /** A shell command with the operation, which the API page shows first. */
  readonly sample?: string;
  readonly limit?: Limit;
  /** Present if the audit log records the operation. */
  readonly audit?: Audit;
  /** The replies by status. For an error status: a reply that may come instead of a problem document. */
  readonly replies: Readonly<Record<number, Reply>>;
  /** The problems of this operation, except those that `problemsOf` derives from its access, body and limit. */
  readonly problems?: readonly ProblemCode[];
}

export type Operations = { readonly [id in OperationId]?: Operation };

/** A JSON body, of at most `maxBytes`, or of as many as any body may have. */
export const jsonBody = <S extends z.ZodType>(schema: S, example: unknown, maxBytes?: number) => ({
  type: 'application/json' as const,
  schema,
  example,
  ...(maxBytes !== undefined && { maxBytes }),
});

/** A reply with a JSON body. */
export const jsonReply = <S extends z.ZodType, H extends NonNullable<Reply['headers']> = Record<never, never>>(
  description: string,
  schema: S,
  example: unknown,
  headers?: H,
) => ({ description, content: { 'application/json': { schema, example } }, ...(headers && { headers }) });

/** Requires an access token with all these scopes. */
export const token = (...scopes: readonly Scope[]) => ({ by: 'token', scopes }) as const;

export const PUBLIC = { by: 'nothing' } as const;
