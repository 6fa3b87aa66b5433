import { expect, test } from 'vitest';
import { type Edits, leaveOut, rename, sendMember, sendMembers, sendOption, sendValue } from '../domain/edit.ts';
import type { Hint } from '../domain/hint.ts';
import { fixPatch } from './fix-patch.ts';

const BODY = {
  input: 'a.mov',
  output: 'b.mp4',
  parameters: { crf: 23, bv: '1M', 'c:v': 'libx246', vf: 'scale=640:-2,volum=2', map: ['0:v', 'a'], 'x/y': '1' },
};
const patchOf = (field: string, fix: Hint, body: unknown = BODY) =>
  fixPatch(body, { field, code: 'BAD_VALUE', message: 'It is wrong.', fix });

test('a field whose name has a slash is renamed', () => {
  expect(patchOf('/parameters/x~1y', rename('b:v'))).toEqual([
    { op: 'remove', path: '/parameters/x~1y' },
    { op: 'add', path: '/parameters/b:v', value: '1' },
  ]);
});

test('a path is replaced as a whole', () => {
  expect(patchOf('/input', sendValue('a/b.mp4'), { input: 'file:///a/b.mp4' })).toEqual([
    { op: 'replace', path: '/input', value: 'a/b.mp4' },
  ]);
});

test('options are sent in place of the field, in their order', () => {
  expect(patchOf('/parameters/crf', sendMembers({ preset: 'slow', tune: 'film' }))).toEqual([
    { op: 'remove', path: '/parameters/crf' },
    { op: 'add', path: '/parameters/preset', value: 'slow' },
    { op: 'add', path: '/parameters/tune', value: 'film' },
  ]);
});

test('an argument of a recipe is corrected, or all of them', () => {
  const body = { preset: { name: 'target-size', arguments: { siz: 1, size: -1 } }, priority: 99, metadata: ['a'] };
  const of = (field: string, fix: Edits) => patchOf(field, fix, body);
  expect(of('/preset/arguments/size', sendValue(0.1))).toEqual([
    { op: 'replace', path: '/preset/arguments/size', value: 0.1 },
  ]);
  expect(of('/preset/arguments/size', sendMember('size', 0.45))).toEqual([
    { op: 'replace', path: '/preset/arguments/size', value: 0.45 },
  ]);
  expect(of('/preset/arguments/siz', sendMember('arguments', { size: 1 }))).toEqual([
    { op: 'replace', path: '/preset/arguments', value: { size: 1 } },
  ]);
  expect(of('/preset', sendMember('preset', { name: 'gif' }))).toEqual([
    { op: 'replace', path: '/preset', value: { name: 'gif' } },
  ]);
  expect(of('/priority', sendMember('preset', { name: 'gif' })), 'another recipe was sent').toBeUndefined();
});

test('one file is sent as one, several as a list, and other values with their types', () => {
  const body = { input: ['a.mp4', 'b.mp4'], outputs: 'c.mp4', after: 'x', strict: 'true' };
  expect(patchOf('/input', sendMember('inputs', ['a.mp4', 'b.mp4']), body)).toEqual([
    { op: 'remove', path: '/input' },
    { op: 'add', path: '/inputs', value: ['a.mp4', 'b.mp4'] },
  ]);
  expect(patchOf('/outputs', sendMember('output', 'c.mp4'), body)).toEqual([
    { op: 'remove', path: '/outputs' },
    { op: 'add', path: '/output', value: 'c.mp4' },
  ]);
  expect(patchOf('/after', sendValue(['x']), body)).toEqual([{ op: 'replace', path: '/after', value: ['x'] }]);
  expect(patchOf('/strict', sendValue(true), body)).toEqual([{ op: 'replace', path: '/strict', value: true }]);
});

test('of several filtergraphs, none is left out', () => {
  const fix = sendOption('filter_complex', '[0:v]scale=2:2[a]');
  const patchIn = (sent: string | readonly string[]) =>
    patchOf('/parameters/filter_complex', fix, { parameters: { filter_complex: sent } });
  expect(patchIn(['[0:v]scael=2:2[a]', '[0:v]hflip[b]'])).toBeUndefined();
  expect(patchIn(['[0:v]scael=2:2[a]'])).toHaveLength(1);
  expect(patchIn('[0:v]scael=2:2[a]')).toHaveLength(1);
});

test('outputs that were sent stay when a fix sends another one', () => {
  const body = { output_file: 'a.mp4', outputs: [{ output: 'b.mp4' }] };
  expect(patchOf('/output_file', sendMember('output', 'a.mp4'), body)).toBeUndefined();
});

test.each<[field: string, fix: Hint]>([
  ['/parameters/crf', 'Send "crf", or "b:v" with a bit rate.'],
  ['/parameters/crf', 'Leave it out.'],
  ['/parameters/crf', sendValue(23)],
  ['/parameters/vf', sendMember('inputs', ['a.mov', 'b.srt'])],
  ['/parameters/map/1', sendOption('vf', 'null')],
  ['/parameters/map/2', sendValue('0:a')],
  ['/preset/arguments/size', sendValue('8')],
  ['', sendValue('8')],
  ['/parameters/constructor/name', leaveOut()],
  ['/parameters/nice', leaveOut()],
])('a fix of %s that is a text or has no place has no patch: %j', (field, fix) => {
  expect(patchOf(field, fix)).toBeUndefined();
});

test('a file for a filter of one of several outputs is an input of the request', () => {
  const fix: Edits = {
    edits: [
      { do: 'send', name: 'inputs', value: ['a.mov', 'talk.srt'], in: 'request' },
      { do: 'send', name: 'vf', value: 'subtitles=talk.srt' },
    ],
  };
  const request = { input: 'a.mov', outputs: [{ output: 'b.mp4', parameters: { vf: 'subtitles=/media/talk.srt' } }] };
  for (const place of ['', '/requests/0'])
    expect(patchOf(`${place}/outputs/0/parameters/vf`, fix, place === '' ? request : { requests: [request] })).toEqual([
      { op: 'remove', path: `${place}/input` },
      { op: 'add', path: `${place}/inputs`, value: ['a.mov', 'talk.srt'] },
      { op: 'replace', path: `${place}/outputs/0/parameters/vf`, value: 'subtitles=talk.srt' },
    ]);
});
