import { expect, test } from 'vitest';
import { fixPatch } from './fix-patch.ts';

const BODY = {
  input: 'a.mov',
  output: 'b.mp4',
  parameters: { crf: 23, bv: '1M', 'c:v': 'libx246', vf: 'scale=640:-2,volum=2', map: ['0:v', 'a'], 'x/y': '1' },
};
const patchOf = (field: string, message: string, fix: string, code = 'BAD_VALUE') =>
  fixPatch(BODY, { field, code, message, fix });

test('a value is replaced, or the wrong word in it', () => {
  expect(patchOf('/parameters/crf', '"crf" must be a string, not the number 23.', 'Send "23".')).toEqual([
    { op: 'replace', path: '/parameters/crf', value: '23' },
  ]);
  expect(patchOf('/parameters/vf', 'There is no filter "volum".', 'Send "volume".')).toEqual([
    { op: 'replace', path: '/parameters/vf', value: 'scale=640:-2,volume=2' },
  ]);
  expect(patchOf('/parameters/map/1', '"a" is no stream.', 'Send "0:a".')).toEqual([
    { op: 'replace', path: '/parameters/map/1', value: '0:a' },
  ]);
});

test('an option with a wrong name is renamed', () => {
  expect(patchOf('/parameters/bv', 'There is no option "bv".', 'Send "b:v".', 'UNKNOWN_OPTION')).toEqual([
    { op: 'remove', path: '/parameters/bv' },
    { op: 'add', path: '/parameters/b:v', value: '1M' },
  ]);
  expect(patchOf('/parameters/x~1y', 'There is no option "x/y".', 'Send "b:v": "2M".', 'UNKNOWN_OPTION')).toEqual([
    { op: 'remove', path: '/parameters/x~1y' },
    { op: 'add', path: '/parameters/b:v', value: '2M' },
  ]);
});

test('an option is added to the others', () => {
  expect(patchOf('/parameters/crf', 'It needs a bit rate.', 'Send "b:v": "8M" as well.')).toEqual([
    { op: 'add', path: '/parameters/b:v', value: '8M' },
  ]);
  expect(patchOf('/parameters/crf', 'Both are wrong.', 'Send "preset": "slow" and "tune": "film".')).toEqual([
    { op: 'remove', path: '/parameters/crf' },
    { op: 'add', path: '/parameters/preset', value: 'slow' },
    { op: 'add', path: '/parameters/tune', value: 'film' },
  ]);
});

test('a member is left out', () => {
  expect(patchOf('/parameters/bv', '"bv" has no effect.', 'Leave it out.')).toEqual([
    { op: 'remove', path: '/parameters/bv' },
  ]);
});

test.each([
  ['/parameters/crf', 'Send "crf", or "b:v" with a bit rate.'],
  ['/parameters/crf', 'Send, for example, "ss": "5".'],
  ['/parameters/vf', 'Send "inputs": ["a.mov","b.srt"].'],
  ['/preset/arguments/size', 'Send "8".'],
  ['/parameters/map/1', 'Send "vf": "null".'],
  ['', 'Send "8".'],
  ['/parameters/constructor/name', 'Leave it out.'],
])('a fix of %s that leaves a choice or a place open has no patch: %s', (field, fix) => {
  expect(patchOf(field, 'It is wrong.', fix)).toBeUndefined();
});
