import { expect, test } from 'vitest';
import { planForAll, requestWith } from '../../../../test/support/planning.ts';
import { recordedCatalogue } from '../../../../test/support/recorded-catalogue.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { meetsNeed } from './plan-step.ts';

/** A build that lacks an encoder and some filters of `from`. */
function without(from: Catalogue, key: string, ...names: readonly string[]): Catalogue {
  const rest = <T>(map: ReadonlyMap<string, T>) => new Map([...map].filter(([name]) => !names.includes(name)));
  const lists = { ...from.lists, encoders: rest(from.lists.encoders), filters: rest(from.lists.filters) };
  return { ...from, build: { ...from.build, key }, lists };
}

const FULL = recordedCatalogue('5.1');
const NEWER = recordedCatalogue('7.1');
const SMALL = without(FULL, 'small', 'libx265', 'hue');

const X265 = requestWith({ 'c:v': 'libx265', crf: '28' });

test('a request that every build runs needs nothing of its worker', () => {
  expect(planForAll(requestWith({ 'c:v': 'libx264' }), [FULL, SMALL, NEWER])).toMatchObject({
    result: { ok: true },
    needs: [],
  });
});

test('a request that only some builds run needs what the others lack', () => {
  const { result, needs } = planForAll(X265, [SMALL, FULL]);
  expect(result).toMatchObject({ ok: true, plan: { outputs: [{ encoders: { video: ['libx265'] } }] } });
  expect(needs).toEqual(['encoder:libx265']);
  expect(needs.every((need) => meetsNeed(FULL, need))).toBe(true);
  expect(needs.every((need) => meetsNeed(SMALL, need))).toBe(false);
  expect(planForAll(requestWith({ 'c:v': 'libx265', 'filter:v': 'hue=s=0' }), [SMALL, FULL]).needs).toEqual([
    'encoder:libx265',
    'filter:hue',
  ]);
});

test('a request is rejected if two builds together run it, but neither alone', () => {
  const noHue = without(FULL, 'no-hue', 'hue');
  const noX265 = without(FULL, 'no-x265', 'libx265');
  const { result, needs } = planForAll(requestWith({ 'c:v': 'libx265', 'filter:v': 'hue=s=0' }), [noHue, noX265]);
  expect(result.ok).toBe(false);
  expect(needs).toEqual([]);
});

test('the errors are those of the build that has the fewest', () => {
  const request = requestWith({ 'c:v': 'libx265', 'filter:v': 'hue=s=0', nonsense: '1' });
  const { result } = planForAll(request, [SMALL, FULL]);
  expect(!result.ok && result.errors.map(({ field }) => field)).toEqual(['/parameters/nonsense']);
});

test('the plan is that of the newest build that runs the request', () => {
  const fields = (catalogue: Catalogue) => planForAll(requestWith({ 'c:v': 'libx264' }), [catalogue]).result;
  expect(planForAll(requestWith({ 'c:v': 'libx264' }), [FULL, NEWER]).result).toEqual(fields(NEWER));
  expect(planForAll(requestWith({ 'c:v': 'libx264' }), [NEWER, FULL]).result).toEqual(fields(NEWER));
});

test('what no name explains is a need for the build that runs the request', () => {
  // Both builds have the encoder. Only the older one knows the pixel format.
  const pixelFormats = new Set([...NEWER.lists.pixelFormats].filter((name) => name !== 'yuv444p'));
  const other = { ...NEWER, lists: { ...NEWER.lists, pixelFormats } };
  const { needs, buildNeed } = planForAll(requestWith({ 'c:v': 'rawvideo', pix_fmt: 'yuv444p' }, 'b.nut'), [
    FULL,
    other,
  ]);
  expect(needs).toEqual([buildNeed]);
  expect([FULL, other].map((one) => meetsNeed(one, buildNeed ?? ''))).toEqual([true, false]);
});

test('a request needs nothing of its worker that a build runs it without', () => {
  const noX264 = without(FULL, 'no-x264', 'libx264', 'libx264rgb');
  const neither = without(noX264, 'neither', 'hue');
  const { result, needs } = planForAll(requestWith({ 'filter:v': 'hue=s=0' }), [NEWER, noX264, neither]);
  expect(result).toMatchObject({ ok: true, plan: { outputs: [{ encoders: { video: ['libx264'] } }] } });
  expect(needs).toEqual(['filter:hue']);
});
