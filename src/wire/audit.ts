import { z } from 'zod';
import { AUDIT_ACTIONS, AUDIT_CHANNELS, AUDIT_OUTCOMES, type AuditRecord } from '../domain/audit.ts';
import { cursor, nextCursor, pageLimit } from './paging.ts';

const only = (what: string) =>
  z
    .string()
    .min(1)
    .max(4096)
    .exactOptional()
    .meta({ description: `Only records ${what}.` });

/** Query of `GET /api/audit`. */
export const auditQuery = z.strictObject({
  client: only('of this client'),
  action: z.enum(AUDIT_ACTIONS).exactOptional().meta({ description: 'Only this action.' }),
  target: only('with this target: the id of a job, client, worker or key, or the path of a file'),
  outcome: z.enum(AUDIT_OUTCOMES).exactOptional().meta({ description: 'Only records with this outcome.' }),
  from: z.iso.datetime().exactOptional().meta({ description: 'Only records from this time on.' }),
  to: z.iso.datetime().exactOptional().meta({ description: 'Only records before this time.' }),
  order: z.enum(['newest', 'oldest']).default('newest').meta({ description: 'Which records come first.' }),
  limit: pageLimit('Records', 1000, 100),
  cursor: cursor(),
});

export const auditRecordSchema = z
  .object({
    auditId: z.uuid().meta({ description: 'Records sort by it as by their time.' }),
    at: z.iso.datetime(),
    action: z.enum(AUDIT_ACTIONS),
    outcome: z.enum(AUDIT_OUTCOMES).meta({
      description:
        '`done`: it happened. `refused`: the caller may not do it. `failed`: an internal error or an outage ended it, perhaps halfway or after it.',
    }),
    via: z.enum(AUDIT_CHANNELS).optional().meta({
      description: 'How it was asked for. `service`: the service did it by itself. Absent for submissions.',
    }),
    client: z.string().optional().meta({ description: 'The client that acted, if it is known.' }),
    target: z.string().optional().meta({
      description: 'The id of a job, client, worker or key, or the path of a file in the media root of the client.',
    }),
    address: z.string().optional().meta({ description: 'The address of the caller.' }),
    requestId: z.string().optional().meta({ description: 'The id of the request in the log of the service.' }),
    code: z.string().optional().meta({ description: 'The problem code of an action that was not done.' }),
    details: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: 'AuditRecord', description: 'Who did what, and when.' });

export const auditListSchema = z.object({ records: z.array(auditRecordSchema), nextCursor }).meta({
  id: 'AuditList',
  description:
    'Records of the audit log. A page can have fewer than `limit`, even none, and still have a `nextCursor`.',
});

export type AuditRecordView = z.infer<typeof auditRecordSchema>;
export type AuditListView = z.infer<typeof auditListSchema>;

export const auditView = ({ clientId, details, ...record }: AuditRecord): AuditRecordView => ({
  ...record,
  ...(clientId !== undefined && { client: clientId }),
  ...(details !== undefined && { details: { ...details } }),
});
