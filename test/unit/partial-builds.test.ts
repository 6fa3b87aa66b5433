import { expect, test } from 'vitest';
import { AttemptDeferred } from '../../packages/contract/src/domain/failure.ts';
import { BuildUnavailable } from '../../packages/ffmpeg/src/catalogue/build.ts';
import type { Catalogue } from '../../packages/ffmpeg/src/catalogue/catalogue.ts';
import type { CatalogueSource } from '../../packages/ffmpeg/src/catalogue/registered-catalogue.ts';
import { findNeedsElsewhere, planners } from '../../packages/service/src/jobs/ffmpeg/conversions.ts';
import { mediaRoot } from '../support/media-root.ts';
import { ON_THE_LOOP } from '../support/planning.ts';
import { freshCatalogue, recordedCatalogue } from '../support/recorded-catalogue.ts';

const [OLD, NEW] = [recordedCatalogue('7.1'), freshCatalogue('9.0')];
const CONTEXT = { clientId: 'amy', root: mediaRoot('/'), policy: {} };
const REQUEST = { input: 'a.mp4', output: 'b.mkv', parameters: { 'c:v': 'libx264', crf: '20' } };

const complete = (current: Catalogue) => ({ current, ensure: async () => current }) as unknown as CatalogueSource;

/** A build whose workers do not answer until the test rejects `answer`, and that counts who waits. */
function silent(current: Catalogue) {
  const fault = new BuildUnavailable(current.build, { what: 'does not answer' }, 5);
  const answer = Promise.withResolvers<Catalogue>();
  const waits: string[] = [];
  const ensure = () => {
    waits.push(current.build.key);
    return answer.promise;
  };
  return { source: { current, isPartial: true, ensure } as unknown as CatalogueSource, answer, fault, waits };
}

/** What accepts requests for these builds. */
const planner = (recent: readonly CatalogueSource[], away: readonly CatalogueSource[] = []) =>
  planners(async () => ({ recent, away }), ON_THE_LOOP).submissionPlanner;

const INVALID = { ...REQUEST, parameters: { ...REQUEST.parameters, nonsense: '1' } };

test('a request that one build runs does not wait for a partial one, and its job may run on both', async () => {
  const { source, waits } = silent(NEW);
  for (const recent of [
    [complete(OLD), source],
    [source, complete(OLD)],
  ])
    expect(await planner(recent)(REQUEST, CONTEXT)).toMatchObject({ ok: true, plan: { requirements: { needs: [] } } });
  expect(waits).toEqual([]);
});

test('a plan without a partial build is not kept for the next request', async () => {
  const [old, { source }] = [complete(OLD), silent(NEW)];
  const recent = [old, source];
  const submissionPlanner = planner(recent);
  await submissionPlanner(REQUEST, CONTEXT);
  let reads = 0;
  recent[0] = {
    ...old,
    get current() {
      reads += 1;
      return OLD;
    },
  };
  await submissionPlanner(REQUEST, CONTEXT);
  expect(reads, 'once to look it up, and again to plan').toBeGreaterThan(1);
});

test('partial builds are asked at the same time, and only if no other runs the request', async () => {
  const both = [silent(NEW), silent(freshCatalogue('7.1'))];
  const reply = planner([complete(OLD), ...both.map(({ source }) => source)])(INVALID, CONTEXT);
  await expect.poll(() => both.flatMap(({ waits }) => waits)).toHaveLength(2);
  for (const { answer, fault } of both) answer.reject(fault);
  await expect(reply).rejects.toMatchObject({ code: 'UNAVAILABLE' });
});

test('a request is queued for a build that is away while the only recent one does not answer', async () => {
  const { source, answer, fault } = silent(NEW);
  answer.reject(fault);
  expect(await planner([source], [complete(OLD)])(REQUEST, CONTEXT)).toMatchObject({
    ok: true,
    plan: { requirements: { needs: [] } },
  });
  await expect(planner([source], [complete(OLD)])(INVALID, CONTEXT)).rejects.toBe(fault);
});

test('a job that needs what only a partial catalogue of the build allows is not bound to the build', async () => {
  const foreign = { ...OLD, cli: new Map([...OLD.cli].filter(([name]) => name !== 'crf')), avOptions: new Map() };
  const source = { current: OLD, isPartial: true, ensure: async () => OLD } as unknown as CatalogueSource;
  expect(await planner([complete(foreign), source])(REQUEST, CONTEXT)).toMatchObject({
    ok: true,
    plan: { requirements: { needs: [] } },
  });
});

test('a job goes back to the queue while it is not known whether another worker runs it', async () => {
  const { source, answer, fault } = silent(NEW);
  answer.reject(fault);
  const needsElsewhere = findNeedsElsewhere(planner([source]), () => false);
  await expect(needsElsewhere(REQUEST, CONTEXT)).rejects.toThrow(AttemptDeferred);
});
