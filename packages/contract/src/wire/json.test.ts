import { expect, test } from 'vitest';
import { seeded } from '../../../../test/support/random-graphs.ts';
import { Problem } from '../domain/problem.ts';
import { parseJson } from './json.ts';
import { describeJsonError } from './json-error.ts';

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

test('parses JSON: names may be repeated with the same value, and a byte order mark is ignored', () => {
  expect(parse('{"a":[1],"a":[1]}')).toEqual({ a: [1] });
  expect(parse('{"a\\\\":"\\"b\\":","b":{"a":2}}')).toEqual({ 'a\\': '"b":', b: { a: 2 } });
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

test.each([
  ['[1, 2', 'a closing bracket was expected at line 1, column 6'],
  ['{"a": 1', 'a closing brace was expected at line 1, column 8'],
  ['{"a":', 'a value was expected at line 1, column 6'],
  ['[1 2]', 'a comma was expected at line 1, column 4'],
  ['[1}', 'a comma was expected at line 1, column 3'],
  ['[,1]', 'a value was expected at line 1, column 2'],
  ['{"a": [01]}', 'a malformed number at line 1, column 8'],
  ['[1.]', 'a malformed number at line 1, column 2'],
  ['[1e+]', 'a malformed number at line 1, column 2'],
  ['[-]', 'a malformed number at line 1, column 2'],
  ['["a",\n "\\u00g0"]', 'a malformed \\u escape at line 2, column 3'],
  ['[truer]', 'an unknown word or sign (names and strings need double quotes) at line 1, column 2'],
  ['["a\n"]', 'a string without its closing quote at line 1, column 2'],
  ['{"a" // b', 'a comment, which JSON does not allow at line 1, column 6'],
])('says where and what the first error of %j is', (text, what) => {
  expect(describeJsonError(text)).toBe(what);
});

test('finds an error in each text that JSON.parse rejects, and in no other', () => {
  const random = seeded(1);
  const parts = [
    '[',
    ']',
    '{',
    '}',
    ',',
    ':',
    '"a"',
    '"',
    '1',
    '-',
    '0',
    '.',
    'e',
    '+',
    'true',
    'null',
    ' ',
    '\n',
    '\\',
    'u00e9',
    '/',
  ];
  const wrong: string[] = [];
  let valid = 0;
  for (let i = 0; i < 10_000; i++) {
    const text = Array.from({ length: 1 + random() * 7 }, () => parts[Math.floor(random() * parts.length)]).join('');
    const isValid = isJson(text);
    if (isValid) valid += 1;
    if ((describeJsonError(text) === 'it cannot be parsed') !== isValid) wrong.push(text);
  }
  expect(wrong).toEqual([]);
  expect(valid).toBeGreaterThan(100);
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

test('rejects a document with extreme nesting, and does not crash', () => {
  const deep = 300_000;
  expect(problemOf('['.repeat(deep)).errors).toMatchObject([{ field: '', code: 'TOO_DEEP' }]);
  expect(problemOf('{"a":'.repeat(deep)).errors).toMatchObject([{ field: '', code: 'TOO_DEEP' }]);
  expect(problemOf(`${'['.repeat(deep)}"\\u0000"${']'.repeat(deep)}`).code).toBe('INVALID_REQUEST');
});

test.each([
  ['{"parameters":{"map":"0:v","map":"0:a"}}', '/parameters/map'],
  ['{"parameters":{"vf":"scale=640:-2","an":"","vf":"hflip"}}', '/parameters/vf'],
  ['{"inputs":[{"input":"a","parameters":{"t":"1","t":"2"}}]}', '/inputs/0/parameters/t'],
  ['{"output":"a.mp4","output":"b.mp4"}', '/output'],
  ['{"parameters":{"an":""},"parameters":{"sn":""}}', '/parameters'],
])('rejects a name with two values, of which one would get lost: %s', (text, field) => {
  expect(problemOf(text).errors).toMatchObject([{ field, code: 'REPEATED_NAME' }]);
});

test('brackets in texts are no nesting', () => {
  const text = { a: '['.repeat(5000), b: `${'\\"'.repeat(1000)}[`, c: ['{"'.repeat(3000)] };
  expect(parse(JSON.stringify(text))).toEqual(text);
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

test('does not look for the syntax error behind more values than a document may have', () => {
  const values = '1,'.repeat(6000);
  expect(problemOf(`{"inputs":[${values}`).errors).toMatchObject([{ field: '', code: 'TOO_MANY' }]);
  expect(problemOf(`{"metadata":{"note":"${values}"},}`).code).toBe('INVALID_JSON');
});

test('reports at most 20 of a thousand errors', () => {
  const many = JSON.stringify(Array.from({ length: 1000 }, () => '\0'));
  expect(problemOf(many).errors.length).toBeLessThanOrEqual(20);
});
