import { expect, test } from 'vitest';
import { sendOption } from './edit.ts';
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

test('a value beside "outputs" that does not fit one of them is reported with this output, and without another value', () => {
  const error = {
    field: '/parameters/c:v',
    code: 'CODEC_NOT_HELD',
    message: 'No picture.',
    fix: sendOption('c:v', 'mjpeg'),
  };
  expect(joinFindings(ELEMENTS, [[], [error]])).toEqual([
    { field: '/parameters/c:v', code: 'CODEC_NOT_HELD', message: 'For the output "1.mp4": No picture.' },
  ]);
});

test('the work grows with the number of findings, not with its square', () => {
  const reads = (size: number): number => {
    let count = 0;
    const finding = (at: number) => ({
      field: '/parameters/vf',
      message: `Value ${at}.`,
      get code() {
        count += 1;
        return `CODE_${at}`;
      },
    });
    const found = ELEMENTS.map((_element, output) => Array.from({ length: size }, (_, at) => finding(at + output)));
    joinFindings(ELEMENTS, found);
    return count;
  };
  expect(reads(400)).toBeLessThanOrEqual(4 * reads(100));
});
