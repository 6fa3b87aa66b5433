import type { AuditAction, AuditEvent, AuditOutcome, AuditRecord } from '@telecine/contract/domain/audit.ts';
import type { Audit, Operation } from '@telecine/contract/wire/operations/operation.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type AuditOperations, auditRecord } from '../../audit/audit-log.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** What the handler knows about the action, for the audit log. */
    auditFacts: AuditFacts | null;
  }
}

/** Facts about an action that the declaration of its operation does not contain. */
export interface AuditFacts extends Pick<AuditEvent, 'clientId' | 'target' | 'details'> {
  readonly action?: AuditAction;
  /** The client that a request without a token names, as at a login. It is recorded only if such a client exists. */
  readonly namedClient?: string;
}

/** Actions whose replies do not wait until the audit record is stored, because clients do these actions all day. */
const FREQUENT: ReadonlySet<AuditAction> = new Set(['token.issue', 'token.refresh', 'link.create']);

/** The maximum length of the target of an action, in characters: the length of the longest path at `/api/files`. */
const MAX_TARGET = 4096;

/** Records an action of the caller of a request. Waits until the record is stored, unless the action is frequent. */
export async function recordAction(audit: AuditOperations, request: FastifyRequest, event: AuditEvent): Promise<void> {
  const full = eventOf(request, event);
  // If the action failed because the database is down, do not wait for the database again.
  if (FREQUENT.has(event.action) || isOutage(event.code)) audit.note(full);
  else await audit.record(full);
}

/** Returns the record of an action of the caller of a request, to store it in the transaction of the action. */
export const recordOf = (request: FastifyRequest, event: AuditEvent): AuditRecord =>
  auditRecord(eventOf(request, event));

function eventOf(request: FastifyRequest, event: AuditEvent): AuditEvent {
  const clientId = event.clientId ?? request.caller?.clientId;
  const { callerAddress: address } = request;
  return {
    ...event,
    requestId: request.id,
    ...(clientId !== undefined && { clientId }),
    ...(address !== '' && { address }),
  };
}

/**
 * Returns the hook that records an audited operation before its reply is sent. Returns no hook for an operation that is
 * not audited, or that stores its record with its job.
 */
export function auditHooks(audit: AuditOperations, operation: Operation) {
  const { audit: declared } = operation;
  if (declared === undefined || declared.target === 'new job') return {};
  return {
    onSend: async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
      if (declared.isExempt?.(request)) return;
      const outcome = outcomeOf(reply.statusCode, request);
      if (outcome === undefined || (outcome === 'done' && declared.isDoneByHandler)) return;
      const { action = declared.action, namedClient, ...facts } = request.auditFacts ?? {};
      const target = facts.target ?? targetOf(declared, request);
      const clientId =
        facts.clientId ??
        (namedClient !== undefined && (await audit.isClient(namedClient).catch(() => false)) ? namedClient : undefined);
      await recordAction(audit, request, {
        ...facts,
        action,
        outcome,
        via: 'rest',
        ...(clientId !== undefined && { clientId }),
        ...(target !== undefined && { target: target.slice(0, MAX_TARGET) }),
        ...(request.problemCode !== null && { code: request.problemCode }),
      });
    },
  };
}

function targetOf({ target }: Audit, { params, body }: FastifyRequest): string | undefined {
  if (target === 'handler' || target === 'nothing' || target === 'new job') return undefined;
  const named = { ...Object(body), ...Object(params) }[target === 'path' ? '*' : target];
  return typeof named === 'string' ? named : undefined;
}

/**
 * Error codes that are recorded as refusals, from the REST API and from `/oauth/token`. INVALID_TOKEN is not among
 * them: clients renew an expired access token all the time.
 */
const REFUSALS: ReadonlySet<string> = new Set([
  'INSUFFICIENT_SCOPE',
  'INVALID_CLIENT',
  'invalid_client',
  'invalid_grant',
  'invalid_scope',
]);

const isOutage = (code: string | null | undefined): boolean => code === 'UNAVAILABLE';

/**
 * Returns the outcome to record. undefined: the reply is not recorded, for example because the request was malformed.
 */
function outcomeOf(status: number, { caller, problemCode, routeOptions }: FastifyRequest): AuditOutcome | undefined {
  if (status < 400) return 'done';
  // Record this: the action may have happened, and only the reply to its commit may have been lost.
  if (status === 500 || (isOutage(problemCode) && caller !== null)) return 'failed';
  const isRefusal =
    REFUSALS.has(problemCode ?? '') || (problemCode === 'INVALID_TOKEN' && routeOptions.url === '/api/auth/refresh');
  return isRefusal ? 'refused' : undefined;
}
