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

test('a value that was sent under the right name stays', () => {
  expect(patchOf('/parameters/bv', 'There is no option "bv".', 'Send "crf".', 'UNKNOWN_OPTION')).toBeUndefined();
});

test('of a word that is there twice, nobody knows which one is wrong', () => {
  const vf = "drawtext=text='grean tea',drawbox=color=grean";
  const error = { field: '/parameters/vf', code: 'BAD_VALUE', message: '"grean" is no color.', fix: 'Send "green".' };
  expect(fixPatch({ parameters: { vf } }, error)).toBeUndefined();
});

test('a path is replaced as a whole', () => {
  const error = { field: '/input', code: 'FOREIGN_PATH', message: 'No "file:" here.', fix: 'Send "a/b.mp4".' };
  expect(fixPatch({ input: 'file:///a/b.mp4' }, error)).toEqual([{ op: 'replace', path: '/input', value: 'a/b.mp4' }]);
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

test('an argument of a recipe is corrected, or all of them', () => {
  const body = { preset: { name: 'target-size', arguments: { siz: 1, size: -1 } }, priority: 99, metadata: ['a'] };
  const of = (field: string, fix: string) => fixPatch(body, { field, code: 'BAD_ARGUMENT', message: '', fix });
  expect(of('/preset/arguments/size', 'Send 0.1.')).toEqual([
    { op: 'replace', path: '/preset/arguments/size', value: 0.1 },
  ]);
  expect(of('/preset/arguments/size', 'Send "size": 0.45.')).toEqual([
    { op: 'replace', path: '/preset/arguments/size', value: 0.45 },
  ]);
  expect(of('/preset/arguments/siz', 'Send "arguments": {"size":1}.')).toEqual([
    { op: 'replace', path: '/preset/arguments', value: { size: 1 } },
  ]);
  expect(of('/preset', 'Send "preset": {"name": "gif"}.')).toEqual([
    { op: 'replace', path: '/preset', value: { name: 'gif' } },
  ]);
  expect(of('/priority', 'Send 10, or less.')).toEqual([{ op: 'replace', path: '/priority', value: 10 }]);
  for (const fix of ['Send "preset": {"name":"gif"}.', 'Send "priority": 1 as well.'])
    expect(of('/priority', fix), fix).toBeUndefined();
});

test('one file is sent as one, several as a list, and other values with their types', () => {
  const body = { input: ['a.mp4', 'b.mp4'], outputs: 'c.mp4', after: 'x', strict: 'true', output: undefined };
  const of = (field: string, fix: string, sent: object = body) =>
    fixPatch(sent, { field, code: 'WRONG_TYPE', message: '', fix });
  expect(of('/input', 'Send "inputs": ["a.mp4","b.mp4"].')).toEqual([
    { op: 'remove', path: '/input' },
    { op: 'add', path: '/inputs', value: ['a.mp4', 'b.mp4'] },
  ]);
  expect(of('/outputs', 'Send "output": "c.mp4".')).toEqual([
    { op: 'remove', path: '/outputs' },
    { op: 'add', path: '/output', value: 'c.mp4' },
  ]);
  expect(of('/input', 'Send "inputs": ["a.mp4"].', { input: 'a.mp4', inputs: ['b.mp4'] })).toBeUndefined();
  expect(of('/after', 'Send ["x"].')).toEqual([{ op: 'replace', path: '/after', value: ['x'] }]);
  expect(of('/strict', 'Send true.')).toEqual([{ op: 'replace', path: '/strict', value: true }]);
});

test.each([
  ['/parameters/crf', 'Send 23.'],
  ['/parameters/map/1', 'Send ["0:v"] or ["0:a"].'],
  ['/parameters/crf', 'Send the file in "input".'],
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

test('a file for a filter is an input, and its path in the filter is corrected', () => {
  const fix = 'Send "inputs": ["a.mov","talk.srt"], and "vf": "subtitles=talk.srt" in "parameters".';
  expect(patchOf('/parameters/vf', 'The filter reads the file "/media/talk.srt".', fix)).toEqual([
    { op: 'remove', path: '/input' },
    { op: 'add', path: '/inputs', value: ['a.mov', 'talk.srt'] },
    { op: 'add', path: '/parameters/vf', value: 'subtitles=talk.srt' },
  ]);
});

test('a file for a filter of one of several outputs is an input of the request', () => {
  const fix = 'Send "inputs": ["a.mov","talk.srt"], and "vf": "subtitles=talk.srt" in "parameters".';
  const request = { input: 'a.mov', outputs: [{ output: 'b.mp4', parameters: { vf: 'subtitles=/media/talk.srt' } }] };
  const of = (body: object, place: string) =>
    fixPatch(body, { field: `${place}/outputs/0/parameters/vf`, code: 'BAD_VALUE', message: '', fix });
  for (const place of ['', '/requests/0'])
    expect(of(place === '' ? request : { requests: [request] }, place)).toEqual([
      { op: 'remove', path: `${place}/input` },
      { op: 'add', path: `${place}/inputs`, value: ['a.mov', 'talk.srt'] },
      { op: 'add', path: `${place}/outputs/0/parameters/vf`, value: 'subtitles=talk.srt' },
    ]);
});
