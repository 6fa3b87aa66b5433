import { z } from 'zod';
import {
  clientChangesBody,
  clientListSchema,
  clientSchema,
  clientWithSecretSchema,
  doctorSchema,
  newClientBody,
} from '../clients.ts';
import { flag } from '../query.ts';
import { clientLocationHeader } from './headers.ts';
import { jsonReply, type Operations, token } from './operation.ts';

const CLIENT_EXAMPLE = {
  clientId: 'shop',
  scopes: ['jobs:read', 'jobs:write'] as const,
  root: 'shop',
  limits: { duration: 7200 },
  createdAt: '2026-01-31T12:00:00.000Z',
};

const WITH_SECRET_EXAMPLE = { ...CLIENT_EXAMPLE, clientSecret: 'tcs_the-secret' };

const params = z.object({
  clientId: z.string().meta({ description: 'The name of the client.', examples: ['shop'] }),
});

/** The client commands for administrators: `telecine client`, `telecine doctor`. */
export const CLIENT_OPERATIONS = {
  listClients: {
    tag: 'Operation',
    summary: 'List the clients',
    description: 'Lists all clients, also revoked ones.',
    access: token('admin'),
    replies: { 200: jsonReply('The clients.', clientListSchema, { clients: [CLIENT_EXAMPLE] }) },
  },
  addClient: {
    tag: 'Operation',
    summary: 'Add a client',
    description:
      'Returns its secret, once. If the reply is lost, rotate the secret. Without `scopes`: all except `admin`. Without ' +
      '`root`: a folder with its name in the media root of the service.',
    access: token('admin'),
    audit: { action: 'client.add', target: 'handler' },
    body: {
      type: 'application/json',
      schema: newClientBody,
      example: { clientId: 'shop', scopes: ['jobs:read', 'jobs:write'], limits: { duration: '2h' } },
    },
    replies: {
      201: jsonReply('The client and its secret.', clientWithSecretSchema, WITH_SECRET_EXAMPLE, clientLocationHeader),
    },
  },
  getClient: {
    tag: 'Operation',
    summary: 'Get a client',
    description: 'Returns a client without its secret.',
    access: token('admin'),
    params,
    replies: { 200: jsonReply('The client.', clientSchema, CLIENT_EXAMPLE) },
    problems: ['NOT_FOUND'],
  },
  changeClient: {
    tag: 'Operation',
    summary: 'Change a client',
    description:
      'Changes its folder, scopes or limits. Tokens lose a scope within a second; a new scope needs a new token. Running ' +
      'jobs keep their folder and limits.',
    access: token('admin'),
    audit: { action: 'client.change', target: 'clientId' },
    params,
    body: { type: 'application/json', schema: clientChangesBody, example: { limits: { time: '1h' } } },
    replies: { 200: jsonReply('The client.', clientSchema, CLIENT_EXAMPLE) },
    problems: ['NOT_FOUND', 'LAST_ADMIN'],
  },
  rotateClient: {
    tag: 'Operation',
    summary: 'Give a client a new secret',
    description: 'Returns the new secret, once. The old one and all tokens and links of the client become invalid.',
    access: token('admin'),
    audit: { action: 'client.rotate', target: 'clientId' },
    params,
    replies: { 200: jsonReply('The client and its secret.', clientWithSecretSchema, WITH_SECRET_EXAMPLE) },
    problems: ['NOT_FOUND'],
  },
  revokeClient: {
    tag: 'Operation',
    summary: 'Revoke a client',
    description:
      'Revokes the client for good: its tokens stop working within a second, its jobs are cancelled, and its name stays ' +
      'taken. Its files and jobs stay. A repeated request changes nothing.',
    access: token('admin'),
    audit: { action: 'client.revoke', target: 'clientId' },
    params,
    query: z.strictObject({ lastAdmin: flag('`true`: even if no client with the scope `admin` is left.') }),
    replies: {
      200: jsonReply('The revoked client.', clientSchema, { ...CLIENT_EXAMPLE, revokedAt: '2026-01-31T13:00:00.000Z' }),
    },
    problems: ['NOT_FOUND', 'LAST_ADMIN'],
  },
  runDoctor: {
    tag: 'Operation',
    summary: 'Check the service',
    description:
      'Runs the checks of `telecine doctor` in this service: Node, settings, ffmpeg, sandbox, store and media, and says how ' +
      'to fix each. It takes some seconds.',
    access: token('admin'),
    replies: {
      200: jsonReply('The results.', doctorSchema, { findings: [{ name: 'node', state: 'ok', says: '24.21.0' }] }),
    },
  },
} satisfies Operations;
