import type { FastifyInstance } from 'fastify';
import { onTestFinished } from 'vitest';
import { mcpEndpoint } from '../../src/cli/compose/mcp.ts';
import { buildApp } from '../../src/http/app.ts';
import type { HttpDeps } from '../../src/http/deps.ts';
import { capabilityOperations } from '../../src/jobs/capabilities/capabilities.ts';
import { toHistory } from '../../src/jobs/history/read-history.ts';
import { BUILT_IN } from '../../src/recipes/built-in/all.ts';
import { recipeOperations } from '../../src/recipes/recipe-operations.ts';
import {
  fakeAudit,
  fakeClients,
  fakeFiles,
  fakeJobs,
  fakeLinks,
  fakePreviews,
  fakeSessions,
  fakeTokens,
  fakeUploads,
  fakeWebhooks,
  fakeWorkers,
} from './http-fakes.ts';
import { checkedInject } from './openapi-contract.ts';

/** A line of the app's log. */
export interface AppLogLine {
  readonly level: 'info' | 'warn' | 'error';
  readonly fields: Readonly<Record<string, unknown>>;
}

/** The HTTP app on fakes. Closed after the test. Checks each injected response against /openapi.json. */
export function httpApp(change: Partial<HttpDeps> & { jobsChange?: Parameters<typeof fakeJobs>[0] } = {}) {
  const { jobsChange, ...deps } = change;
  const fakes = fakeJobs(jobsChange);
  const audits = fakeAudit();
  const lines: AppLogLine[] = [];
  const logger = {
    error: (fields: object) => {
      lines.push({ level: 'error', fields: { ...fields } });
    },
    warn: (fields: object, msg: string) => {
      lines.push({ level: 'warn', fields: { ...fields, msg } });
    },
  } as unknown as HttpDeps['logger'];
  const probes: HttpDeps['probes'] = {
    probe: async () => ({ format: { names: ['mp4'], tags: {} }, streams: [], chapters: [] }),
  };
  const previews = fakePreviews();
  const capabilities = capabilityOperations(async () => {
    throw new Error('No ffmpeg was found.');
  });
  const recipes = recipeOperations({
    recipesOf: async () => BUILT_IN,
    own: { put: async () => 'created', remove: async () => false },
    sharedNames: new Set(BUILT_IN.map(({ name }) => name)),
  });
  const app: FastifyInstance = buildApp({
    jobs: fakes.jobs,
    probes,
    previews,
    capabilities,
    recipes,
    tokens: fakeTokens(),
    sessions: fakeSessions(),
    history: async (span) => toHistory(span, '2026-01-31T12:00:00.000Z', []),
    files: fakeFiles(),
    uploads: fakeUploads(),
    links: fakeLinks(),
    linkSeconds: 900,
    mcp: mcpEndpoint({
      jobs: fakes.jobs,
      probes,
      previews,
      capabilities,
      recipes,
      files: fakeFiles(),
      links: fakeLinks(),
      linkSeconds: 900,
      version: '0.1.0',
      hosts: ['localhost'],
      onInternalError: (error) => lines.push({ level: 'error', fields: { err: error } }),
    }),
    webhooks: fakeWebhooks(),
    workers: fakeWorkers(),
    audit: audits.audit,
    clients: fakeClients(),
    doctor: async () => [{ name: 'node', state: 'ok', says: '24.0.0' }],
    health: { version: '0.1.0', uptimeSeconds: () => 1.5, ready: async () => ({ store: { ok: true } }) },
    metrics: {
      countRequest: () => undefined,
      countRefusal: () => undefined,
      text: async () => ({ contentType: 'text/plain', body: '' }),
    },
    logger,
    logRequest: (fields) => lines.push({ level: 'info', fields: { ...fields, msg: 'request' } }),
    ...deps,
  });
  onTestFinished(() => app.close());
  const { health, publicUrl, oauth } = deps;
  const settings = JSON.stringify([health?.version, publicUrl, oauth !== undefined]);
  return { app, inject: checkedInject(app, settings), lines, audited: audits.events, ...fakes };
}

export const BEARER = { authorization: 'Bearer good' };

export const BODY = { input: 'in.mov', output: 'out.mp4', format: 'mp4', parameters: { 'c:v': 'libx264' } };
