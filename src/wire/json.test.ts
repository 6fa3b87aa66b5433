import { expect, test } from 'vitest';
import { Problem } from '../domain/problem.ts';
import { parseJson } from './json.ts';

const parse = (text: string): unknown => parseJson(Buffer.from(text));

function problemOf(bytes: string | Buffer): Problem {
  try {
    parseJson(Buffer.from(bytes as string));
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  throw new Error('it was accepted');
}

test('parses JSON: the last of repeated keys counts, and a byte order mark is ignored', () => {
  expect(parse('{"a":1,"a":2}')).toEqual({ a: 2 });
  expect(parse('\ufeff{"a":"é😀"}')).toEqual({ a: 'é😀' });
  expect(parse('{"a":"\\ud83d\\ude00 constructor"}')).toEqual({ a: '😀 constructor' });
});

test.each([
  ['{"a": 1,}', 'line 1, column 9'],
  ['{\n  "a": tru\n}', 'line 2, column 8'],
  ["{'a': 1}", 'line 1, column 2'],
  ['{"a" 1}', 'a colon was expected at line 1, column 6'],
  ['{"a": "b', 'closing quote'],
  ['{"a": 1} x', 'line 1, column 10'],
  ['{"a": 1 /* one */}', 'a comment'],
  ['{"a": "\t"}', 'a raw control character'],
  ['{"a": "\\x"}', 'an unknown escape'],
  ['', 'it is empty'],
  [' \n', 'it is empty'],
])('rejects %j as JSON, with the position', (text, where) => {
  const problem = problemOf(text);
  expect(problem.code).toBe('INVALID_JSON');
  expect(problem.message).toContain(where);
  expect(problem.errors).toHaveLength(1);
});

test('rejects a document with extreme nesting, and does not crash', () => {
  const deep = 300_000;
  expect(problemOf('['.repeat(deep)).code).toBe('INVALID_JSON');
  expect(problemOf(`${'['.repeat(deep)}"\\u0000"${']'.repeat(deep)}`).code).toBe('INVALID_REQUEST');
});

test('rejects bytes that are not UTF-8, and does not replace them', () => {
  expect(problemOf(Buffer.from([0x22, 0xff, 0x22])).message).toContain('UTF-8');
});

test.each([
  ['{"__proto__":{"y":""}}', '/__proto__', 'FORBIDDEN_NAME'],
  ['{"a":[{"constructor":{"prototype":1}}]}', '/a/0/constructor', 'FORBIDDEN_NAME'],
  ['{"parameters":{"prototype":"1"}}', '/parameters/prototype', 'FORBIDDEN_NAME'],
  ['{"\\u005f_proto__":1}', '/__proto__', 'FORBIDDEN_NAME'],
  ['{"a":["\\ud83d"]}', '/a/0', 'BAD_ENCODING'],
  ['{"\\udc00":1}', '/\ufffd', 'BAD_ENCODING'],
  ['{"a/b":"\\u0000"}', '/a~1b', 'CONTROL_CHARACTER'],
])('rejects %s and points to it', (text, field, code) => {
  expect(problemOf(text).errors).toMatchObject([{ field, code }]);
  expect(Object.prototype).not.toHaveProperty('y');
});

test.each([
  ['a list', `{"inputs":["\\u0041"${',1'.repeat(1000)}]}`, '/inputs', 'TOO_MANY'],
  [
    'an object',
    JSON.stringify({ parameters: Object.fromEntries(Array.from({ length: 1001 }, (_, i) => [i, ''])) }),
    '/parameters',
    'TOO_MANY',
  ],
  ['lists together', JSON.stringify(Array.from({ length: 60 }, () => Array(100).fill(0))), '', 'TOO_MANY'],
  ['nesting', `${'['.repeat(40)}"\\u0041"${']'.repeat(40)}`, '/0'.repeat(32), 'TOO_DEEP'],
])('rejects a document with too much: %s', (_, text, field, code) => {
  expect(problemOf(text).errors).toMatchObject([{ field, code }]);
});

test('reports at most 20 of a thousand errors', () => {
  const many = JSON.stringify(Array.from({ length: 1000 }, () => '\0'));
  expect(problemOf(many).errors.length).toBeLessThanOrEqual(20);
});
