import type { Warning } from '@telecine/contract/domain/plan.ts';
import { NEVER } from '@telecine/contract/domain/steps.ts';
import { expect, test } from 'vitest';
import { draftOf } from '../../../../../test/support/planned-drafts.ts';
import { wholePlan } from '../../../../../test/support/planning.ts';
import type { ClientContext } from '../ports/ffmpeg.ts';
import type { StagedInput } from '../ports/media-store.ts';
import { planStaged } from './plan-staged.ts';

const request = { inputs: ['a.mp4', 'b.mp4'], output: 'c.mp4', join: 'encode' } as const;
const warning = (code: string): Warning => ({ field: '/parameters', code, message: `This is ${code}.` });

test('a job adds the warnings of its inputs, and not those of its request, which another build or a fallback can have', async () => {
  const plan = wholePlan(request);
  const warnings = ['OF_SUBMISSION', 'OF_FALLBACK', 'OF_SUBMITTED_INPUT', 'OF_INPUT'].map(warning);
  const inputWarnings = ['OF_SUBMITTED_INPUT', 'OF_INPUT'].map(warning);
  const draft = {
    ...draftOf(plan),
    probes: [0, 1].map((input) => ({ input, start: 0, needsLength: true, needsHeaders: true as const })),
    finish: async () => ({ ok: true as const, plan: { ...plan, warnings, inputWarnings } }),
  };
  const media = { format: { names: ['mp4'] }, streams: [] } as never;
  const job = { warnings: ['OF_SUBMISSION', 'OF_SUBMITTED_INPUT'].map(warning) };
  const planned = await planStaged(
    { probeClip: async () => ({ ok: true, media }), planner: async () => draft },
    job,
    { request, draft, context: {} as ClientContext },
    [{}, {}] as StagedInput[],
    NEVER,
  );
  expect(planned.warnings).toEqual([warning('OF_INPUT')]);
});
