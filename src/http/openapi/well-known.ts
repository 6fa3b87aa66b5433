import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { protectedResource } from '../../wire/protected-resource.ts';
import { METADATA_PATH, resourceMetadata } from '../protected-resource.ts';
import { always, json } from './responses.ts';

const example = { publicUrl: 'https://media.example.org', issuer: 'https://login.example.org', scopePrefix: '' };

const shared = { tags: ['Tokens'], security: [] };

/** Only where tokens of an external issuer are taken. */
export const wellKnownPaths: ZodOpenApiPathsObject = {
  [METADATA_PATH]: {
    get: {
      ...shared,
      operationId: 'getProtectedResource',
      summary: 'Which issuer gives tokens for this service',
      description: 'For OAuth 2.0 clients (RFC 9728). Needs no token.',
      responses: { ...always, 200: json('The metadata.', protectedResource, resourceMetadata(example, '')) },
    },
  },
  [`${METADATA_PATH}/mcp`]: {
    get: {
      ...shared,
      operationId: 'getMcpProtectedResource',
      summary: 'Which issuer gives tokens for `/mcp`',
      description: 'The same for clients of the Model Context Protocol. Needs no token.',
      responses: { ...always, 200: json('The metadata.', protectedResource, resourceMetadata(example, '/mcp')) },
    },
  },
};
