import type { z } from 'zod';
import type { AuditAction } from '../../domain/audit.ts';
import type { Scope } from '../../domain/client.ts';
import type { ProblemCode } from '../../domain/problem.ts';
import type { OperationId } from '../endpoints.ts';

/** The credentials that an operation requires. */
export type Access =
  | { readonly by: 'nothing' }
  /** An access token, or the session of a browser, with all these scopes. */
  | {
      readonly by: 'token';
      readonly scopes: readonly Scope[];
      /** The secret of a share for uploads is accepted in place of the token. */
      readonly orShare?: true;
    }
  /** The session of a browser. A token is not accepted. */
  | { readonly by: 'session' }
  /** A signed link in the path: to the outputs of a job, or for the upload of a file; or the secret of a share. */
  | { readonly by: 'link'; readonly to: 'output' | 'upload' | 'share' }
  /** Client id and secret, in HTTP Basic or in the form. */
  | { readonly by: 'client secret' };

/** The limit that is checked before the request body is read. It adds its 429 replies to the problems of the operation. */
export type Limit =
  /** The number of jobs that a client submits per minute, and the number of its queued jobs. */
  | 'submissions'
  /** The number of dry runs of a client per minute, together with its submissions. They need no room in the queue. */
  | 'dry runs'
  /** The number of concurrent uploads of a client. */
  | 'uploads'
  /** The number of failed token requests from one IP address. */
  | 'failed tokens'
  /** The number of concurrent probes. */
  | 'probes'
  /** The number of concurrent previews. */
  | 'previews'
  /** The number of concurrent downloads of zips. */
  | 'zips';

/** Whether a request counts towards the limit `submissions` of its client. */
export const isCountedSubmission = ({ limit }: Pick<Operation, 'limit'>): boolean =>
  limit === 'submissions' || limit === 'dry runs';

/** Whether a request counts towards the limit `requests` of its client. It does not if it has another limit per minute. */
export const isCounted = (operation: Pick<Operation, 'access' | 'limit'>): boolean =>
  (operation.access.by === 'token' || operation.access.by === 'session') && !isCountedSubmission(operation);

export type Media = {
  readonly schema: z.ZodType;
  readonly example?: unknown;
};

export interface Reply {
  /** Omitted if the status is used only for problems. Their titles describe it. */
  readonly description?: string;
  /** The bodies by content type. Omitted if the reply has no body. */
  readonly content?: Readonly<Record<string, Media>>;
  /** The header fields of this reply. The fields of every reply are in `EVERY_REPLY`. */
  readonly headers?: Readonly<Record<string, z.ZodType>>;
}

export type Body =
  | {
      readonly type: 'application/json';
      readonly schema: z.ZodType;
      readonly example: unknown;
      readonly maxBytes?: number;
      /** Another form of body that the handler recognizes before `schema` is checked. */
      readonly alternative?: { readonly schema: z.ZodType; readonly examples: Readonly<Record<string, unknown>> };
    }
  | {
      readonly type: 'application/x-www-form-urlencoded';
      readonly schema: z.ZodType;
      readonly example: unknown;
      readonly maxBytes: number;
    }
  /** Bytes of any content type. The service does not parse them. */
  | { readonly type: '*/*'; readonly description: string }
  /** A body is neither parsed nor checked if the client sends one. */
  | { readonly type: 'ignored' };

/** What the audit log records of an operation. */
export interface Audit {
  readonly action: AuditAction;
  /**
   * What names the target of the action: a parameter of the path, or else a member of the body. `handler`: the handler sets the target. `nothing`: the action has no
   * target. `new job`: the log reads the action from the stored job, so that the record costs a submission nothing.
   */
  readonly target:
    | 'jobId'
    | 'batchId'
    | 'workerId'
    | 'webhookId'
    | 'clientId'
    | 'shareId'
    | 'watchId'
    | 'path'
    | 'handler'
    | 'nothing'
    | 'new job';
  /** Present if the handler itself records successful actions. The service then records only refused and failed requests. */
  readonly isDoneByHandler?: true;
  /**
   * True for a request that changes nothing, such as a dry run. It is not recorded, whatever becomes of it. The body is undefined or null if
   * the request was refused before its body was read.
   */
  readonly isExempt?: (request: { readonly query: unknown; readonly body: unknown }) => boolean;
}

export type Tag =
  | 'Conversions'
  | 'Language models'
  | 'Jobs'
  | 'Files'
  | 'Webhooks'
  | 'Watches'
  | 'Capabilities'
  | 'Recipes'
  | 'Tokens'
  | 'Operation'
  | 'System';

/**
 * An operation of the API. `ENDPOINTS` has its method and path. The routes, the OpenAPI document and the client types are derived from it.
 */
export interface Operation {
  readonly tag: Tag;
  readonly summary: string;
  /** The OpenAPI document appends the scopes that a token needs. */
  readonly description: string;
  readonly access: Access;
  /** The path parameters, only for the documentation. Handlers check them and reply with 404, not 400. */
  readonly params?: z.ZodObject;
  /** The query parameters. Omitted: the operation rejects every query parameter. */
  readonly query?: z.ZodObject | 'ignored';
  /** With `query: 'ignored'`: the parameters that the handler reads nevertheless, only for the documentation. No value is rejected. */
  readonly readQuery?: z.ZodObject;
  /** The request headers, only for the documentation. */
  readonly headers?: z.ZodObject;
  /** The body. Omitted: the operation needs no body. A body of POST or DELETE that is not JSON is still rejected. */
  readonly body?: Body;
  /**
   * The verb of the command line that calls the operation, such as `webhook test`. Its arguments and options are the parameters and the
   * members of the body. An object: several verbs, and the bodies that they send.
   */
  readonly verb?: string | Readonly<Record<string, object>>;
  /** A shell command for the operation. The API page shows it first. */
  readonly sample?: string;
  readonly limit?: Limit;
  /** Present if the audit log records the operation. */
  readonly audit?: Audit;
  /** The replies by status. A reply with an error status can come instead of a problem document. */
  readonly replies: Readonly<Record<number, Reply>>;
  /** The problems of this operation. `problemsOf` adds problems that follow from its access, body and limit. */
  readonly problems?: readonly ProblemCode[];
}

export type Operations = { readonly [id in OperationId]?: Operation };

/** A JSON body of at most `maxBytes` bytes. Default: the limit for every body. */
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
