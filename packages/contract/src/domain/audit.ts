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
  'job.change',
  'job.key',
  'batch.cancel',
  'file.write',
  'file.move',
  'file.delete',
  'file.restore',
  'folder.create',
  'bin.delete',
  'bin.empty',
  'link.create',
  'share.create',
  'share.revoke',
  'webhook.add',
  'webhook.change',
  'webhook.delete',
  'webhook.rotate',
  'webhook.test',
  'webhook.replay',
  'watch.create',
  'watch.change',
  'watch.delete',
  'watch.retry',
  'recipe.write',
  'recipe.delete',
  'queue.pause',
  'queue.resume',
  'worker.drain',
  'worker.resume',
  // Stands for many refused requests, if too many arrive to record each of them. `details.refusals` is their number.
  'audit.skip',
] as const;

export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/**
 * `done`: the action happened. `refused`: the caller may not do it. `failed`: an error or an outage ended the action, perhaps halfway or
 * after it took effect.
 */
export const AUDIT_OUTCOMES = ['done', 'refused', 'failed'] as const;

export type AuditOutcome = (typeof AUDIT_OUTCOMES)[number];

/** How a request arrived. `service`: the service acted by itself. A submission has no channel: its record comes from the stored job. */
export const AUDIT_CHANNELS = ['rest', 'mcp', 'command line', 'service'] as const;

export type AuditChannel = (typeof AUDIT_CHANNELS)[number];

/** One action. It never contains a secret, a token or the query of a URL. */
export interface AuditEvent {
  readonly action: AuditAction;
  readonly outcome: AuditOutcome;
  readonly via?: AuditChannel;
  /** The client that acted. Absent if the client is unknown, and if the service or the command line acted. */
  readonly clientId?: string;
  /** The target of the action: the id of a job, client, worker or key, or the path of a file in the media root of the client. */
  readonly target?: string;
  /** The address of the caller, as in the access log. */
  readonly address?: string;
  readonly requestId?: string;
  /** The problem code of a refused or failed action. */
  readonly code?: string;
  /** Additional facts for an auditor, such as the new scopes of a client. */
  readonly details?: Readonly<Record<string, unknown>>;
}

export interface AuditRecord extends AuditEvent {
  /** A UUID version 7. Sorting records by this id sorts them by time. */
  readonly auditId: string;
  /** ISO 8601. */
  readonly at: string;
}
