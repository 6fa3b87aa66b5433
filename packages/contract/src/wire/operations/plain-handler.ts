import type { AuditAction, AuditEvent, AuditRecord } from '../../domain/audit.ts';
import type { Caller } from '../../domain/client.ts';
import type { Hint } from '../../domain/hint.ts';
import type { DeepReadonly } from '../shape.ts';
import type { BodyOf, ParamsOf, QueryOf, ReplyOf } from './types.ts';

/** A call of an operation that HTTP and MCP offer alike: it has a JSON body or none. */
export interface PlainCall<O> {
  readonly caller: Caller;
  readonly params: ParamsOf<O>;
  readonly query: QueryOf<O>;
  readonly body: BodyOf<O>;
  readonly signal: AbortSignal;
  /** The text of a fix for this client. */
  readonly words: (hint: Hint) => string;
  /** The URL of the service in links. '': links are paths. */
  readonly origin: string;
  /** Returns the record of an action that is stored together with what the action changes. */
  readonly auditRecord: (action: AuditAction, facts: AuditFacts) => AuditRecord;
  /** The `llmId` of jobs whose request has none. */
  readonly llmId?: string;
}

type AuditFacts = Pick<AuditEvent, 'target' | 'details'>;

export interface PlainReply<O> {
  readonly status: keyof (O extends { readonly replies: infer R } ? R : never) & number;
  readonly body?: DeepReadonly<NonNullable<ReplyOf<O>>>;
  readonly location?: string;
  /** What the audit log records. Default of `target`: the parameter that the operation declares. */
  readonly facts?: AuditFacts;
}

export type PlainHandlers<Declared> = {
  readonly [id in keyof Declared]: (call: PlainCall<Declared[id]>) => Promise<PlainReply<Declared[id]>>;
};
