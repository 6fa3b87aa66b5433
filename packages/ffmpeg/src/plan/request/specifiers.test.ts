import { expect, test } from 'vitest';
import { isMetadataSpecifier, isStreamSpecifier } from './specifiers.ts';

test.each([
  'v',
  'V',
  'a:0',
  's:12',
  '0',
  '7',
  'p:1',
  'p:1:v:2',
  'u',
  '#3',
  'i:0x1f',
  'm:language',
  'm:language:eng',
  'a:m:language:de',
  'v:p:2',
])('%s is a stream specifier', (text) => expect(isStreamSpecifier(text)).toBe(true));

test.each(['', 'x', 'video', 'a:', ':0', 'a:b', 'v:0:1', 'm:', 'p:', '-1', '0 ', 'g', 'i:x'])(
  '%j is not a stream specifier',
  (text) => expect(isStreamSpecifier(text)).toBe(false),
);

test.each(['g', 's', 's:a:0', 's:0', 'c', 'c:3', 'p:1'])('%s is a metadata specifier', (text) =>
  expect(isMetadataSpecifier(text)).toBe(true),
);

test.each(['v', 'a:0', 's:', 'c:x', 'g:0'])('%s is not a metadata specifier', (text) =>
  expect(isMetadataSpecifier(text)).toBe(false),
);
