import { expect, test } from 'vitest';
import { fixText, type Hint } from './hint.ts';
import { type Nearest, suggest } from './suggest.ts';

const fixOf = (nearest: Nearest): string | undefined => fixText(suggest<{ nearest: Nearest; fix?: Hint }>({ nearest }).fix);

test.each<[what: string, Nearest, string | undefined]>([
  ['a similar name', { given: 'libx246', names: ['libx264', 'libx265'], is: 'value' }, 'Send "libx264".'],
  ['another spelling', { given: 'Frame Rate', names: ['framerate', 'rate'], is: 'name' }, 'Send "framerate".'],
  ['a common word', { given: 'bitrate', names: ['b:v', 'crf'], is: 'name' }, 'Send "b:v".'],
  ['the nearest number', { given: '4.3', names: ['1.3', '4.1', '4.2', '5'], is: 'value' }, 'Send "4.2".'],
  ['the only name', { given: 'first', names: ['2'], is: 'value' }, 'Send "2".'],
  ['a word of a value', { given: 'mv5', names: ['mv4', 'qpel'], is: 'word' }, 'Send "mv4".'],
  ['the nearest bound', { bound: '51', others: 'less' }, 'Send "51", or less.'],
  ['nothing, if no name is near', { given: 'banana', names: ['libx264', 'libx265'], is: 'value' }, undefined],
])('suggests %s', (_what, nearest, fix) => expect(fixOf(nearest)).toBe(fix));

test('lists the names, or of many names the nearest, or the usual ones that the check lists', () => {
  const allowedOf = (names: readonly string[], allowed?: readonly string[]): readonly string[] | undefined =>
    suggest({ allowed, nearest: { given: 'n25', names, is: 'value' } } as Parameters<typeof suggest>[0]).allowed;
  const many = Array.from({ length: 30 }, (_, at) => `n${at}`);
  expect(allowedOf(['a', 'b'], ['a form'])).toEqual(['a form', 'a', 'b']);
  expect(allowedOf(many)).toHaveLength(20);
  expect(allowedOf(many)?.[0]).toBe('n25');
  expect(allowedOf(many, ['n1', 'n2'])).toEqual(['n1', 'n2']);
});

test('replies do not have the names', () => {
  expect(suggest({ nearest: { given: 'a', names: ['b'], is: 'value' } }).nearest).toBeUndefined();
});
