import { expect, test } from 'vitest';
import { MAX_FIELD_ERRORS } from '../domain/problem.ts';
import { batchBody, conversionBody } from './conversion.ts';
import { fieldErrors } from './explain.ts';
import { fixPatch } from './fix-patch.ts';

const fields = (count: number): Readonly<Record<string, string>> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`crf:${index}`, 'x'.repeat(100)]));

/** Returns how often the making of field errors reads members of the objects in `body`, and the number of errors. */
function readsOf(body: object) {
  let reads = 0;
  const counted = <T extends object>(value: T): T =>
    new Proxy(value, {
      get: (target, key, receiver) => {
        reads += 1;
        const member: unknown = Reflect.get(target, key, receiver);
        return typeof member === 'object' && member !== null ? counted(member) : member;
      },
    });
  const { issues = [] } = conversionBody.safeParse(body).error ?? {};
  return { errors: fieldErrors(conversionBody, issues, counted(body)).length, reads };
}

const inputsWith = (count: number) => Array.from({ length: 50 }, () => ({ input: 'a.mp4', ...fields(count) }));

test.each([
  ['of the request', { input: 'a.mp4', output: 'b.mp4', ...fields(990) }],
  ['of each input', { inputs: inputsWith(97), output: 'b.mp4' }],
])('explains one more unknown field %s than a reply has, and reads the others once', (_what, body) => {
  const { errors, reads } = readsOf(body);
  expect(errors).toBe(MAX_FIELD_ERRORS + 1);
  expect(reads).toBeLessThan(5000);
});

const errorsOf = (schema: typeof conversionBody | typeof batchBody, body: unknown) =>
  fieldErrors(schema, schema.safeParse(body).error?.issues ?? [], body);

test.each<[sent: Readonly<Record<string, unknown>>, error: object, applied?: readonly object[]]>([
  // An unknown field: the nearest name, an alias, or what is allowed.
  [
    { paramters: { crf: '23' } },
    {
      field: '/paramters',
      code: 'UNKNOWN_FIELD',
      message: 'Unknown field "paramters". Did you mean "parameters"?',
      fix: 'Send "parameters".',
    },
    [
      { op: 'remove', path: '/paramters' },
      { op: 'add', path: '/parameters', value: { crf: '23' } },
    ],
  ],
  [
    { ffmpeg_options: { crf: '23' } },
    { field: '/ffmpeg_options', fix: 'Send "parameters".' },
    [
      { op: 'remove', path: '/ffmpeg_options' },
      { op: 'add', path: '/parameters', value: { crf: '23' } },
    ],
  ],
  [
    { formt: 'mp4' },
    { message: 'Unknown field "formt". Did you mean "format"?' },
    [
      { op: 'remove', path: '/formt' },
      { op: 'add', path: '/format', value: 'mp4' },
    ],
  ],
  // The body has "input" already.
  [{ source: 'c.mp4' }, { field: '/source', message: 'Unknown field "source".', fix: 'Send "input".' }],
  [
    { crf: '23' },
    { field: '/crf', code: 'UNKNOWN_FIELD', message: 'Unknown field "crf". Options of ffmpeg belong in "parameters".' },
  ],
  // A wrong type: the same value in the right type, or an example.
  [
    { preset: 'web-h264' },
    { field: '/preset', code: 'WRONG_TYPE', message: '"preset" must be an object, not a string.' },
    [{ op: 'replace', path: '/preset', value: { name: 'web-h264' } }],
  ],
  [{ parameters: '-c:v libx264 -crf 28' }, { field: '/parameters', code: 'WRONG_TYPE' }],
  [{ parameters: { crf: { value: 23 } } }, { field: '/parameters/crf', code: 'WRONG_TYPE' }],
  [
    { quality: 0.97 },
    { field: '/quality', code: 'WRONG_TYPE' },
    [{ op: 'replace', path: '/quality', value: { target: 0.97 } }],
  ],
  [{ cut: [1, 2] }, { field: '/cut', code: 'WRONG_TYPE' }],
  // A bound leaves the choice of any value within the range.
  [{ priority: 9999 }, { field: '/priority', code: 'OUT_OF_RANGE' }],
  [
    { join: 'encoed' },
    { field: '/join', code: 'NOT_ALLOWED', allowed: ['copy', 'encode'] },
    [{ op: 'replace', path: '/join', value: 'encode' }],
  ],
])('%j has the error %j', (sent, expected, applied) => {
  const body = { input: 'a.mp4', output: 'b.mp4', ...sent };
  const [error, ...others] = errorsOf(conversionBody, body);
  expect(others).toEqual([]);
  expect(error).toMatchObject(expected);
  expect(error && fixPatch(body, error)).toEqual(applied);
});

test('an unknown field has the list of allowed fields', () => {
  const [error] = errorsOf(batchBody, { requests: [{ input: 'a.mp4', output: 'b.mp4', colour: 'red' }] });
  expect(error).toMatchObject({
    field: '/requests/0/colour',
    allowed: expect.arrayContaining(['input', 'parameters']),
  });
});

test('a field under the name of another tool is not missing', () => {
  const body = { source: 'a.mp4', destination: 'b.mp4' };
  expect(errorsOf(conversionBody, body).map(({ field }) => field)).toEqual(['/source', '/destination']);
});
