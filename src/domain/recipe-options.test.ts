import { expect, test } from 'vitest';
import type { ConversionRequest } from './conversion.ts';
import type { Warning } from './plan.ts';
import { warningsForClient } from './recipe-options.ts';

const request = { output: 'b.mp4', preset: { name: 'film', options: ['vf', 'c:v'] } } as unknown as ConversionRequest;
const IDLE: Warning = { field: '/parameters/map', code: 'NO_EFFECT', message: 'They have no effect.' };
const withOptions = (...names: readonly string[]): Warning => ({
  ...IDLE,
  options: names.map((name) => `/parameters/${name}`),
});

test('drops a warning about options without effect if the recipe set all of them', () => {
  expect(warningsForClient(request, [withOptions('vf', 'c:v'), { ...IDLE, field: '/parameters/vf' }])).toEqual([]);
});

test('keeps a warning about an option of the client, whatever its message names', () => {
  const own = { ...IDLE, message: '"vf" has no effect: "c:v" is "copy".' };
  expect(warningsForClient(request, [withOptions('vf', 'b:v'), own])).toEqual([IDLE, own]);
});

test('a client gets nothing that only the service uses', () => {
  const internal = { ...withOptions('b:v'), causes: ['/parameters/c:v'], failsWith: 'video' } as const;
  const [warning] = warningsForClient({ output: 'b.mp4' } as ConversionRequest, [internal]);
  expect(warning).toEqual(IDLE);
  expect(warning).not.toHaveProperty('options');
});
