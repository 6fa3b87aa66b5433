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

test('a number that an argument of the recipe set is about that argument, once', () => {
  const preset = { name: 'fade', arguments: { seconds: 30, height: 720 }, argumentsOf: { vf: ['seconds', 'height'] } };
  const cutOff: Warning = {
    field: '/parameters/vf',
    code: 'CUT_OFF',
    message: 'The filter fade lasts 30 s, not frames.',
    fix: 'Send "vf": "fade=d=2".',
    number: { sent: 30, meant: 2, message: 'The filter fade lasts 30 s.' },
  };
  const own: Warning = { ...cutOff, field: '/parameters/af' };
  const { number: _, ...shown } = own;
  const found = warningsForClient({ output: 'b.mp4', preset } as unknown as ConversionRequest, [cutOff, own, cutOff]);
  expect(found).toEqual([
    {
      field: '/preset/arguments/seconds',
      code: 'CUT_OFF',
      message: 'The filter fade of the recipe "fade" lasts 30 s.',
      fix: 'Send "seconds": 2.',
    },
    shown,
  ]);
});
