import { z } from 'zod';
import { AUDIT_ACTIONS, AUDIT_CHANNELS, AUDIT_OUTCOMES, type AuditRecord } from '../domain/audit.ts';
import { choice, text } from './described-schemas.ts';
import { cursor, nextCursor, pageLimit } from './paging.ts';
import type { Shape } from './shape.ts';

const only = (what: string) => text(`Only records ${what}.`).min(1).max(4096).exactOptional();

export const auditQuery = z.strictObject({
  client: only('of this client'),
  action: choice(AUDIT_ACTIONS, 'Only this action.').exactOptional(),
  target: only('with this target: the id of a job, client, worker or key, or the path of a file'),
  outcome: choice(AUDIT_OUTCOMES, 'Only records with this outcome.').exactOptional(),
  from: z.iso.datetime().exactOptional().meta({ description: 'Only records from this time on.' }),
  to: z.iso.datetime().exactOptional().meta({ description: 'Only records before this time.' }),
  order: choice(['newest', 'oldest'], 'Which records come first.').default('newest'),
  limit: pageLimit('Records', 1000, 100),
  cursor: cursor(),
});

const auditRecordSchema = z
  .object({
    auditId: z.uuid().meta({ description: 'The id of the record. Ids sort by time.' }),
    at: z.iso.datetime(),
    action: z.enum(AUDIT_ACTIONS),
    outcome: choice(
      AUDIT_OUTCOMES,
      '`done`: the action happened. `refused`: the caller may not do it. `failed`: an internal error or an outage ended the request, perhaps halfway or after the action.',
    ),
    via: choice(AUDIT_CHANNELS, '`service`: the service acted by itself. Absent for submissions.').optional(),
    client: text('The client that acted, if it is known.').optional(),
    target: text('The id of a job, client, worker or key, or the path of a file of the client.').optional(),
    address: text('The address of the caller.').optional(),
    requestId: text('The id of the request in the log of the service.').optional(),
    code: text('The problem code of an action that was not done.').optional(),
    details: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: 'AuditRecord', description: 'Who did what, and when.' });

export const auditListSchema = z.object({ records: z.array(auditRecordSchema), nextCursor }).meta({
  id: 'AuditList',
  description:
    'Records of the audit log. A page can have fewer than `limit`, even none, and still have a `nextCursor`.',
});

export type AuditRecordView = Shape<typeof auditRecordSchema>;
export type AuditListView = Shape<typeof auditListSchema>;

export const auditView = ({ clientId, details, ...record }: AuditRecord): AuditRecordView => ({
  ...record,
  ...(clientId !== undefined && { client: clientId }),
  ...(details !== undefined && { details }),
});
