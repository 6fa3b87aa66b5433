import { z } from 'zod';
import { healthSchema, readySchema } from '../system.ts';
import { jsonReply, type Operations, PUBLIC, type Reply } from './operation.ts';
import { etag } from './problem-replies.ts';

const OPEN = { tag: 'System', access: PUBLIC } as const;

const SAME: Reply = { description: 'The client has the current document (`If-None-Match`).', headers: etag };

export const SYSTEM_OPERATIONS = {
  getHealth: {
    ...OPEN,
    summary: 'Check that the process responds',
    description: 'Replies 200 while the process runs. Checks nothing else. Needs no token.',
    query: 'ignored',
    replies: {
      200: jsonReply('The process responds.', healthSchema, { status: 'ok', version: '0.1.0', uptimeSeconds: 12.5 }),
    },
  },
  getReadiness: {
    ...OPEN,
    summary: 'Check that the service can accept work',
    description: 'Load balancers should send requests only while this replies 200. Needs no token.',
    query: 'ignored',
    replies: {
      200: jsonReply('The service is ready.', readySchema, {
        status: 'ready',
        checks: { store: { status: 'ok' }, disk: { status: 'ok' } },
      }),
      503: jsonReply('A check fails, or the service is shutting down.', readySchema, {
        status: 'unavailable',
        checks: {
          disk: {
            status: 'failed',
            message:
              '312 MB are free under the media root; at least 524 MB (500 MiB) are required. Free space, or lower TELECINE_MIN_FREE_DISK.',
          },
        },
      }),
    },
  },
  getMetrics: {
    ...OPEN,
    summary: 'Read the metrics',
    description:
      'Returns the metrics of this process and the length of the queue, in the text format of Prometheus. Needs the token of TELECINE_METRICS_TOKEN_FILE. Without that setting, only callers on the same machine may read them, and not through a proxy.',
    query: 'ignored',
    replies: {
      200: {
        description: 'The metrics.',
        content: { 'text/plain': { schema: z.string(), example: 'telecine_queue_jobs{lane="full"} 3\n' } },
      },
    },
    problems: ['INVALID_TOKEN'],
  },
  getDocs: {
    ...OPEN,
    summary: 'Read the API reference as a page',
    description: 'Returns this document as an HTML page. The page loads nothing from other hosts. Needs no token.',
    query: 'ignored',
    replies: {
      200: { description: 'The page.', content: { 'text/html': { schema: z.string() } }, headers: etag },
      304: SAME,
    },
  },
  getOpenApi: {
    ...OPEN,
    summary: 'Read this document',
    description: 'Returns the API as an OpenAPI 3.1 document. Needs no token.',
    query: 'ignored',
    replies: {
      200: {
        ...jsonReply('The document.', z.looseObject({ openapi: z.string() }), { openapi: '3.1.1' }),
        headers: etag,
      },
      304: SAME,
    },
  },
} satisfies Operations;
