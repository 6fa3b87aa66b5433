import { expect, test } from 'vitest';
import { MAX_FIELD_ERRORS } from '../domain/problem.ts';
import { conversionBody } from './conversion.ts';
import { fieldErrors } from './explain.ts';

const fields = (count: number): Readonly<Record<string, string>> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`crf:${index}`, 'x'.repeat(100)]));

/** How often the errors of a body read the members of its objects, and how many errors there are. */
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

test('"each" outside a batch names the route that has it', () => {
  const body = { each: 'wavs/*.wav', output: 'mp3/{name}.mp3' };
  const { issues = [] } = conversionBody.safeParse(body).error ?? {};
  const error = fieldErrors(conversionBody, issues, body).find(({ field }) => field === '/each');
  expect(error).toMatchObject({
    code: 'UNKNOWN_FIELD',
    message: 'Unknown field "each".',
    fix: 'Send the request to POST /api/conversions, as one of "requests": "each" makes several jobs.',
  });
});
