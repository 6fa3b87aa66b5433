import type { Scope } from '@telecine/contract/domain/client.ts';
import { expect, test } from 'vitest';
import { mediaRoot } from '../../../../test/support/media-root.ts';
import { fairSlots } from './call-quota.ts';
import { checkProbe, type ProbeDeps, probeFile } from './probe.ts';

const callerWith = (scopes: readonly Scope[]) => ({
  clientId: 'amy',
  root: { ...mediaRoot('/media'), urls: { check: () => undefined } },
  policy: {},
  scopes,
});

test('a token that only reads lets the service fetch nothing from a URL', async () => {
  const media = { statPaths: async () => [{ kind: 'url' }] } as unknown as ProbeDeps['media'];
  const input = 'https://example.org/a.mp4';
  const check = checkProbe(media, callerWith(['jobs:read', 'files:read']), { input });
  await expect(check).rejects.toMatchObject({
    code: 'INSUFFICIENT_SCOPE',
    scopes: ['jobs:read', 'files:read', 'jobs:write'],
  });
  for (const scope of ['jobs:write', 'admin'] as const)
    expect((await checkProbe(media, callerWith([scope]), { input })).path).toBe(input);
});

test('a file that was fetched for a probe keeps its slot until it is removed', async () => {
  const steps: string[] = [];
  const probing = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const deps = {
    media: {
      statPaths: async () => [{ kind: 'url' }],
      stageFile: async () => Promise.reject(new Error('not reached')),
      stageUrl: async () => void steps.push('fetched'),
      removeInput: async () => void steps.push('removed'),
    },
    prober: async () => {
      probing.resolve();
      await goOn.promise;
      return { ok: true, info: { streams: [] } };
    },
    probeSlots: (_client: string, _signal: AbortSignal, work: () => Promise<unknown>) => work(),
    fetchSlots: fairSlots({ slots: 1 }),
    quotas: { ofFiles: (_: string, work: () => unknown) => work(), ofUrls: (_: string, work: () => unknown) => work() },
    fetchSeconds: 1,
  } as unknown as ProbeDeps;
  const caller = callerWith(['jobs:write']);
  const probe = () => probeFile(deps, caller, { input: 'https://example.org/a.mp4' }, AbortSignal.timeout(10_000));
  const both = [probe(), probe()];
  await probing.promise;
  expect(steps).toEqual(['fetched']);
  goOn.resolve();
  await Promise.all(both);
  expect(steps).toEqual(['fetched', 'removed', 'fetched', 'removed']);
});
