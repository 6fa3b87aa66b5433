/** Everything that the audit log records. A released name never changes, because exports of the log use it. */
export const AUDIT_ACTIONS = [
  'token.issue',
  'token.refresh',
  'session.start',
  'session.end',
  'client.add',
  'client.change',
  'client.rotate',
  'client.revoke',
  'key.rotate',
  'job.submit',
  'job.retry',
  'job.cancel',
  'job.delete',
  'job.key',
  'batch.cancel',
  'file.write',
  'file.delete',
  'link.create',
  'webhook.add',
  'webhook.change',
  'webhook.delete',
  'webhook.rotate',
  'webhook.test',
  'webhook.replay',
  'recipe.write',
  'recipe.delete',
  'queue.pause',
  'queue.resume',
  'worker.drain',
  'worker.resume',
  // Refused requests that were not recorded one by one, because there were too many.
  'audit.skip',
] as const;

export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** `done`: it happened. `refused`: the caller may not do it. `failed`: an error or an outage ended it, perhaps halfway or after it. */
export const AUDIT_OUTCOMES = ['done', 'refused', 'failed'] as const;

export type AuditOutcome = (typeof AUDIT_OUTCOMES)[number];

/** How the request arrived. `service`: the service acted by itself. Unknown for submissions. */
export const AUDIT_CHANNELS = ['rest', 'mcp', 'command line', 'service'] as const;

export type AuditChannel = (typeof AUDIT_CHANNELS)[number];

/** One action. It never contains a secret, a token or the query of a URL. */
export interface AuditEvent {
  readonly action: AuditAction;
  readonly outcome: AuditOutcome;
  readonly via?: AuditChannel;
  /** The client that acted. Absent if it is unknown, and for the service and the command line. */
  readonly clientId?: string;
  /** What it acted on: the id of a job, client, worker or key, or the path of a file in the media root of the client. */
  readonly target?: string;
  /** The address of the caller, as in the access log. */
  readonly address?: string;
  readonly requestId?: string;
  /** The problem code of a refused or failed action. */
  readonly code?: string;
  /** Other facts for an auditor, such as the new scopes of a client. */
  readonly details?: Readonly<Record<string, unknown>>;
}

export interface AuditRecord extends AuditEvent {
  /** A UUID version 7: records sort by it as by their time. */
  readonly auditId: string;
  /** ISO 8601. */
  readonly at: string;
}
