import type { FastifyInstance } from 'fastify';
import { planners } from '../../../src/cli/compose/conversions.ts';
import { mcpEndpoint } from '../../../src/cli/compose/mcp.ts';
import { planSteps } from '../../../src/ffmpeg/plan/plan-step.ts';
import { buildApp } from '../../../src/http/app.ts';
import type { HttpDeps } from '../../../src/http/deps.ts';

import { toHistory } from '../../../src/jobs/history/read-history.ts';
import { dryRunRequest } from '../../../src/jobs/submit/dry-run.ts';
import { dryRunBatch } from '../../../src/jobs/submit/submit-batch.ts';
import { presetApplier } from '../../../src/recipes/apply-preset.ts';
import { BUILT_IN } from '../../../src/recipes/built-in/all.ts';
import { recipeOperations } from '../../../src/recipes/recipe-operations.ts';
import { recordedCapabilities } from '../../support/capabilities.ts';
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
} from '../../support/http-fakes.ts';
import { CATALOGUE } from '../../support/planning.ts';

/**
 * The app with all checks of requests, without what comes after them: nothing is stored and no file exists. Large requests are
 * planned in this thread, where they are counted. `onLarge` is called for each.
 */
export function openFuzzApp(onError: (error: unknown) => void, onLarge: () => void): FastifyInstance {
  const source = { current: CATALOGUE, ensure: async () => CATALOGUE };
  const { planner } = planners(async () => ({ recent: [source as never], away: [] }), {
    ofRequest: (_clientId, task) => {
      onLarge();
      return planSteps(task);
    },
  });
  const probes: HttpDeps['probes'] = {
    probe: async () => ({ format: { names: ['mp4'], tags: {} }, streams: [], chapters: [] }),
  };
  const recipesOf = async () => BUILT_IN;
  const deps = {
    planner,
    media: {
      statPaths: async (_root: unknown, paths: readonly unknown[]) => paths.map(() => ({ kind: 'missing' }) as const),
    },
    jobs: { getMany: async () => [] },
    applyPreset: presetApplier({ recipesOf, probe: probes.probe }),
  };
  const { jobs } = fakeJobs({
    dryRun: (caller, request, hangUp) => dryRunRequest(deps, caller, request, hangUp),
    dryRunBatch: (caller, batch, hangUp) => dryRunBatch(deps, caller, batch, hangUp),
    submit: async (caller, request, _idempotency, hangUp) => {
      await dryRunRequest(deps, caller, request, hangUp);
      return { jobId: '0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e10', status: 'PENDING' };
    },
  });
  const previews = fakePreviews();
  const capabilities = recordedCapabilities();
  const recipes = recipeOperations({
    recipesOf,
    own: { put: async () => 'created', remove: async () => false },
    sharedNames: new Set(BUILT_IN.map(({ name }) => name)),
  });
  const shared = {
    jobs,
    probes,
    previews,
    capabilities,
    recipes,
    files: fakeFiles(),
    links: fakeLinks(),
    linkSeconds: 900,
  };
  return buildApp({
    ...shared,
    tokens: fakeTokens(),
    sessions: fakeSessions(),
    history: async (span) => toHistory(span, '2026-01-31T12:00:00.000Z', []),
    uploads: fakeUploads(),
    mcp: mcpEndpoint({ ...shared, version: '0.1.0', hosts: ['localhost'], onInternalError: onError }),
    webhooks: fakeWebhooks(),
    workers: fakeWorkers(),
    audit: fakeAudit().audit,
    clients: fakeClients(),
    doctor: async () => [],
    health: { version: '0.1.0', uptimeSeconds: () => 1.5, ready: async () => ({ store: { ok: true } }) },
    metrics: {
      countRequest: () => undefined,
      countRefusal: () => undefined,
      text: async () => ({ contentType: 'text/plain', body: '' }),
    },
    logger: { error: onError, warn: () => undefined } as unknown as HttpDeps['logger'],
    logRequest: () => undefined,
  });
}
