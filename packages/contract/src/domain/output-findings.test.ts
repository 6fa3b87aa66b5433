import { expect, test } from 'vitest';
import { addIn, leaveOut, sendOption } from './edit.ts';
import { joinFindings, type OutputElement, type RequestFinding } from './output-findings.ts';

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

test('a value beside "outputs" that does not fit one of them has another value there', () => {
  const error = {
    field: '/parameters/c:v',
    code: 'CODEC_NOT_HELD',
    message: 'No picture.',
    fix: sendOption('c:v', 'mjpeg'),
  };
  expect(joinFindings(ELEMENTS, [[], [error]])).toEqual([
    {
      ...error,
      message: 'For the output "1.mp4": No picture.',
      fix: 'Send "c:v": "mjpeg" in the "parameters" of this output as well.',
    },
  ]);
  expect(joinFindings(ELEMENTS, [[], [{ ...error, fix: leaveOut() }]])[0]?.fix).toBe(
    'Send "c:v" in the "parameters" of each of "outputs" that needs it, not beside "outputs".',
  );
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

test('an option for a file that all outputs lack goes beside "outputs"', () => {
  const [first, second] = ['/outputs/0', '/outputs/1'].map(
    (output): RequestFinding => ({
      field: '/inputs/0',
      code: 'INTERLACED',
      message: 'It is interlaced.',
      fix: addIn({ output }, 'vf', 'bwdif'),
    }),
  );
  const found = [[first as RequestFinding], [second as RequestFinding]];
  expect(joinFindings(ELEMENTS, found)).toEqual([{ ...first, fix: addIn('parameters', 'vf', 'bwdif') }]);
  expect(joinFindings(ELEMENTS, [[], [second as RequestFinding]])).toEqual([
    { ...second, message: 'For the output "1.mp4": It is interlaced.' },
  ]);
  const own = ELEMENTS.map((one) => ({ ...one, names: new Set(['vf']) }));
  expect(joinFindings(own, found)).toEqual([second]);
});

test('an example of a value stays an example for one of the outputs', () => {
  const fix = { ...sendOption('b:v', '2M'), isExample: true };
  const error = { field: '/parameters/b:v', code: 'BAD_VALUE', message: 'It is wrong.', fix };
  const joined = joinFindings(ELEMENTS, [[], [error]]);
  expect(joined[0]?.fix).not.toHaveProperty('edits');
});
