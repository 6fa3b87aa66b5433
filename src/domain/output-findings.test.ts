import { expect, test } from 'vitest';
import { joinFindings, type OutputElement } from './output-findings.ts';

const element = (index: number): OutputElement => ({
  pointer: `/outputs/${index}`,
  path: `${index}.mp4`,
  hasFormat: false,
  names: new Set(['map']),
});
const ELEMENTS = [element(0), element(1)];
const SILENT = { field: '/parameters/map', code: 'SOUND_LEFT_OUT', message: 'The output has no sound.' };

test('a film without its sound keeps its warning beside a picture, which has none', () => {
  expect(joinFindings(ELEMENTS, [[SILENT], []])).toEqual([{ ...SILENT, field: '/outputs/0/parameters/map' }]);
});

test('outputs of which none has sound each have a warning', () => {
  expect(joinFindings(ELEMENTS, [[SILENT], [SILENT]]).map(({ field }) => field)).toEqual([
    '/outputs/0/parameters/map',
    '/outputs/1/parameters/map',
  ]);
});
