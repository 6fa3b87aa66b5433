import { expect, test } from 'vitest';
import type { MediaPath } from '../../domain/media-path.ts';
import type { ProbePlan } from './plan-probe.ts';
import type { ProbeOutcome } from './probe.ts';
import { probeClip } from './probe-clip.ts';

/** A film whose timestamps begin at 1 s, with a key frame at each even second of them. */
function film() {
  const plans: ProbePlan[] = [];
  const probe = async (plan: ProbePlan): Promise<ProbeOutcome> => {
    plans.push(plan);
    const interval = plan.argv[plan.argv.indexOf('-read_intervals') + 1] ?? '';
    const asked = Number.parseFloat(interval) || 1;
    const format = { names: ['mpegts'], tags: {}, startSeconds: 1, durationSeconds: 60 };
    const streams = [{ index: 0, type: 'video' as const, dispositions: [], tags: {} }];
    const packets = [{ stream: 0, seconds: Math.max(1, Math.floor(asked / 2) * 2) }];
    return {
      ok: true,
      info: { format, streams, chapters: [] } as unknown as Extract<ProbeOutcome, { ok: true }>['info'],
      clip: { packets, headers: new Map() } as unknown as NonNullable<Extract<ProbeOutcome, { ok: true }>['clip']>,
    };
  };
  return { plans, probe };
}

const clip = { path: 'a.ts' as MediaPath, logical: 'in/0.ts', options: [], needsLength: false };

test('the starts of further parts take one probe each, and none at the start of the film', async () => {
  const { plans, probe } = film();
  const whole = await probeClip({ ...clip, start: 0 }, probe);
  expect(whole).toMatchObject({ ok: true, media: { keySeconds: 1 } });
  expect(plans).toHaveLength(1);
  if (!whole.ok) return;
  const known = whole.media;
  expect(await probeClip({ ...clip, start: 20.5, known }, probe)).toMatchObject({ media: { keySeconds: 20 } });
  expect(plans).toHaveLength(2);
  expect(await probeClip({ ...clip, start: 0, known }, probe)).toEqual(whole);
  expect(plans).toHaveLength(2);
});

test('a file without a header is read with the options that describe it', async () => {
  const { plans, probe } = film();
  const options = ['-f', 's16le', '-sample_rate', '16000'];
  await probeClip({ ...clip, start: 3, options }, probe);
  expect(plans).toHaveLength(2);
  for (const { argv } of plans) expect(argv.join(' ')).toMatch(/ -f s16le -sample_rate 16000 .*-i file:in\/0\.ts$/);
});
