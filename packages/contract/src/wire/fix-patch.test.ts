import { expect, test } from 'vitest';
import { type Edits, leaveOut, rename, replacePart, sendMember, sendOption, sendValue } from '../domain/edit.ts';
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

test('a part of one text in a list is replaced only if the list has no other', () => {
  const patchIn = (sent: string | readonly string[]) =>
    patchOf('/parameters/filter_complex', replacePart('scael', 'scale'), { parameters: { filter_complex: sent } });
  expect(patchIn(['[0:v]scael=2:2[a]', '[0:v]hflip[b]'])).toBeUndefined();
  expect(patchIn('[0:v]scael=2:2[a]')).toHaveLength(1);
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
