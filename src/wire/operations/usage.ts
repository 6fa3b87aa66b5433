import { usageQuery, usageSchema } from '../usage.ts';
import { jsonReply, type Operations, token } from './operation.ts';

export const USAGE_OPERATIONS = {
  getUsage: {
    tag: 'Jobs',
    summary: 'Read what a client uses of its quotas',
    description: 'Quotas without `limit` are counted too. A client sees its own usage, an administrator that of all.',
    access: token('jobs:read'),
    query: usageQuery,
    replies: {
      200: jsonReply('The usage.', usageSchema, {
        client: 'shop',
        day: '2026-01-31',
        resetsAt: '2026-02-01T00:00:00.000Z',
        slots: 4,
        quotas: [
          { name: 'jobs', used: 12, limit: 1000 },
          { name: 'media', used: 5400.5 },
          { name: 'storage', used: 52_428_800, limit: 1_073_741_824 },
        ],
      }),
    },
    problems: ['NOT_FOUND'],
  },
} satisfies Operations;
