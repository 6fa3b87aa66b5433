import { expect, test } from 'vitest';
import { applyPatch, patchText } from './apply-patch.ts';

const REQUEST = { input: 'a.mov', parameters: { bv: '1M', map: ['0:v', 'a'] } };

test('a patch renames, replaces and removes', () => {
  const rename = [
    { op: 'remove' as const, path: '/parameters/bv' },
    { op: 'add' as const, path: '/parameters/b:v', value: '1M' },
  ];
  expect(applyPatch(REQUEST, rename).parameters).toEqual({ map: ['0:v', 'a'], 'b:v': '1M' });
  expect(applyPatch(REQUEST, [{ op: 'replace', path: '/parameters/map/1', value: '0:a' }]).parameters.map).toEqual([
    '0:v',
    '0:a',
  ]);
  expect(applyPatch(REQUEST, [{ op: 'remove', path: '/parameters/map/0' }]).parameters.map).toEqual(['a']);
  expect(applyPatch(REQUEST, [{ op: 'remove', path: '/gone/crf' }])).toEqual(REQUEST);
});

test('a button says what it does', () => {
  expect(patchText([{ op: 'remove', path: '/parameters/x~1y' }])).toBe('Remove x/y');
  expect(patchText([{ op: 'replace', path: '/parameters/map/1', value: '0:a' }])).toBe('Use map: 0:a');
  expect(patchText([{ op: 'add', path: '/parameters/an', value: '' }])).toBe('Use an: on');
});
