import { auditListSchema, auditQuery } from '../audit.ts';
import { jsonReply, type Operations, token } from './operation.ts';

export const AUDIT_OPERATIONS = {
  listAudit: {
    tag: 'Operation',
    summary: 'Read the audit log',
    description:
      'Lists who did what. A page looks at 10,000 records at most, so with a filter it can have fewer than `limit`, even ' +
      'none, and still have a `nextCursor`. Submissions have no address: the access log has it, in the line with their `jobId`.',
    access: token('admin'),
    query: auditQuery,
    replies: {
      200: jsonReply('One page.', auditListSchema, {
        records: [
          {
            auditId: '0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e12',
            at: '2026-01-31T12:00:00.000Z',
            action: 'job.cancel',
            outcome: 'done',
            via: 'rest',
            client: 'shop',
            target: '0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e10',
            address: '203.0.113.7',
            requestId: 'q1Zk0v8T-1f',
          },
        ],
        nextCursor: 'MDE5OWE3YzI',
      }),
    },
  },
} satisfies Operations;
