import type { FastifyInstance } from 'fastify';
import { draftOrPlan } from '../../../packages/ffmpeg/src/plan/plan-step.ts';
import { buildApp } from '../../../packages/service/src/http/app.ts';
import type { HttpDeps } from '../../../packages/service/src/http/deps.ts';
import { planners } from '../../../packages/service/src/jobs/ffmpeg/conversions.ts';
import { dryRunRequest } from '../../../packages/service/src/jobs/submit/dry-run.ts';
import { probingPlanner } from '../../../packages/service/src/jobs/submit/probed-plans.ts';
import { dryRunBatch } from '../../../packages/service/src/jobs/submit/submit-batch.ts';
import { presetApplier } from '../../../packages/service/src/recipes/apply-preset.ts';
import { BUILT_IN } from '../../../packages/service/src/recipes/built-in/all.ts';
import { recordedCapabilities } from '../../support/capabilities.ts';
import { EMPTY_PROBES, fakeHttpDeps } from '../../support/http-deps.ts';
import { fakeJobs } from '../../support/http-fakes.ts';
import { CATALOGUE } from '../../support/planning.ts';

/**
 * The app with all checks of requests, without what comes after them: nothing is stored and no file exists. Large requests are
 * planned in this thread, where they are counted. `onLarge` is called for each.
 */
export function openFuzzApp(onError: (error: unknown) => void, onLarge: () => void): FastifyInstance {
  const { planner } = planners(async () => ({ recent: [CATALOGUE], away: [] }), {
    ofRequest: async (_clientId, task, catalogues) => {
      onLarge();
      return draftOrPlan(task, catalogues);
    },
  });
  const deps = {
    planner: probingPlanner(planner, undefined),
    media: {
      statPaths: async (_root: unknown, paths: readonly unknown[]) => paths.map(() => ({ kind: 'missing' }) as const),
    },
    jobs: { getMany: async () => [] },
    applyPreset: presetApplier({ recipesOf: async () => BUILT_IN, probe: EMPTY_PROBES.probe }),
  };
  const { jobs } = fakeJobs({
    dryRun: (caller, request, hangUp, { unstored } = {}) => dryRunRequest(deps, caller, request, hangUp, { unstored }),
    dryRunBatch: (caller, batch, hangUp) => dryRunBatch(deps, caller, batch, hangUp),
    submit: async (caller, request) => {
      await dryRunRequest(deps, caller, request);
      return { jobId: '0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e10', status: 'PENDING' };
    },
  });
  return buildApp({
    ...fakeHttpDeps({ jobs, capabilities: recordedCapabilities(), onInternalError: onError }),
    logger: { error: onError, warn: () => undefined } as unknown as HttpDeps['logger'],
    logRequest: () => undefined,
  });
}
