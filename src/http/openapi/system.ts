import { z } from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { problem } from '../../wire/problem.ts';
import { health, ready } from '../../wire/system.ts';
import { retryAfter } from './headers.ts';
import { always, json, reply } from './responses.ts';

const tags = ['System'];

export const systemPaths: ZodOpenApiPathsObject = {
  '/health': {
    get: {
      operationId: 'getHealth',
      tags,
      security: [],
      summary: 'Is the process alive',
      description: 'Needs no token and looks at nothing else.',
      responses: {
        ...always,
        200: json('It answers.', health, { status: 'ok', version: '0.1.0', uptimeSeconds: 12.5 }),
      },
    },
  },
  '/ready': {
    get: {
      operationId: 'getReadiness',
      tags,
      security: [],
      summary: 'Can the service take work',
      description: 'Needs no token. Load balancers should send work only while this answers 200.',
      responses: {
        ...always,
        200: json('It can.', ready, { status: 'ready', checks: { store: { status: 'ok' }, disk: { status: 'ok' } } }),
        503: reply(
          'It cannot: a check fails, or it is shutting down.',
          {
            'application/json': {
              schema: ready,
              example: {
                status: 'unavailable',
                checks: {
                  disk: { status: 'failed', message: '312 MiB are free under the media root; 500 MiB are wanted.' },
                },
              },
            },
            'application/problem+json': { schema: problem },
          },
          { 'Retry-After': retryAfter['Retry-After'].optional() },
        ),
      },
    },
  },
  '/docs': {
    get: {
      operationId: 'getDocs',
      tags,
      security: [],
      summary: 'Read this document as a page',
      description: 'The contract for people; the page loads nothing from elsewhere. Needs no token.',
      responses: { ...always, 200: reply('The page.', { 'text/html': { schema: z.string() } }) },
    },
  },
  '/openapi.json': {
    get: {
      operationId: 'getOpenApi',
      tags,
      security: [],
      summary: 'Read this document',
      description: 'The contract as OpenAPI 3.1. Needs no token.',
      responses: {
        ...always,
        200: json('The document.', z.looseObject({ openapi: z.string() }), { openapi: '3.1.1' }),
      },
    },
  },
};
