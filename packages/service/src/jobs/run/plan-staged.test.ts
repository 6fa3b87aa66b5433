import type { Plan, Warning } from '@telecine/contract/domain/plan.ts';
import { NEVER } from '@telecine/contract/domain/steps.ts';
import { expect, test } from 'vitest';
import { draftOf } from '../../../../../test/support/planned-drafts.ts';
import { wholePlan } from '../../../../../test/support/planning.ts';
import type { ClientContext } from '../ports/ffmpeg.ts';
import type { StagedInput } from '../ports/media-store.ts';
import { planStaged } from './plan-staged.ts';

const request = { inputs: ['a.mp4', 'b.mp4'], output: 'c.mp4', join: 'encode' } as const;
const warning = (code: string): Warning => ({ field: '/parameters', code, message: `This is ${code}.` });

test('a fallback adds the warnings of its inputs, and not those of its own options', async () => {
  const plan = wholePlan(request);
  const planned = (...codes: string[]): { ok: true; plan: Plan } => ({
    ok: true,
    plan: { ...plan, warnings: codes.map(warning) },
  });
  const draft = {
    ...draftOf(plan),
    probes: [0, 1].map((input) => ({ input, start: 0, needsLength: true, needsHeaders: true as const })),
    finish: async (media: readonly unknown[]) =>
      media.length > 0 ? planned('OF_SUBMISSION', 'OF_FALLBACK', 'OF_INPUT') : planned('OF_SUBMISSION', 'OF_FALLBACK'),
  };
  const media = { format: { names: ['mp4'] }, streams: [] } as never;
  const { warnings } = await planStaged(
    { probeClip: async () => ({ ok: true, media }), planner: async () => draft },
    { warnings: [warning('OF_SUBMISSION')] },
    { request, draft, context: {} as ClientContext, replacedBecause: 'No device.' },
    [{}, {}] as StagedInput[],
    NEVER,
  );
  expect(warnings).toEqual([warning('OF_INPUT')]);
});
