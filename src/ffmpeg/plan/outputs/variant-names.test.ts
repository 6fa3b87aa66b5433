import { expect, test } from 'vitest';
import { checkVariantNames } from './variant-names.ts';

test.each([
  'v:0,a:0 v:1,a:1',
  'v:0,name:high v:1,name:low',
  'v:0,name:1 v:1,name:0',
  'v:0 a:0,agroup:x',
  '  v:0  v:1 ',
  'v:0',
])('accepts "%s"', (map) => expect(checkVariantNames(map)).toBeUndefined());

test.each([
  ['v:0,name:.. v:1', 'dots'],
  ['v:0,name:', 'dots'],
  ['v:0,name:1/2 v:1', 'slash'],
  ['v:0,name:a v:1,name:a', '"a"'],
  ['v:0,name:1 v:1', '"1"'],
  ['v:0,name:a v:1,name:b,name:a', '"a"'],
  ['v:0,name:c v:1,name:b v:1,name:b v:1,name:c', '"b"'],
])('rejects "%s"', (map, message) => {
  expect(checkVariantNames(map)).toMatchObject({ code: 'BAD_VALUE', message: expect.stringContaining(message) });
});
