import { expect, test } from 'vitest';
import type { ConversionRequest } from '../domain/conversion.ts';
import { type FieldError, invalidRequest } from '../domain/problem.ts';
import { allErrors } from './all-errors.ts';
import { conversionBody } from './conversion.ts';
import { fieldErrors } from './explain.ts';

/** Returns the errors of `body` if the plan of its corrected form throws the errors `planned`. Also returns the form that was planned. */
async function errorsOf(body: unknown, planned: readonly FieldError[] = []) {
  const result = conversionBody.safeParse(body);
  const own = result.success ? [] : fieldErrors(conversionBody, result.error.issues, body);
  let seen: ConversionRequest | undefined;
  const errors = await allErrors(conversionBody, body, own, async (one) => {
    seen = one;
    if (planned.length > 0) throw invalidRequest(planned);
  });
  return { errors: errors.map(({ field, code }) => `${field} ${code}`), seen };
}

const FILES = { input: 'a.mp4', output: 'b.mp4' };
const wrong = (option: string, code = 'BAD_VALUE'): FieldError => ({
  field: `/parameters/${option}`,
  code,
  message: `"${option}" is wrong.`,
});

test('wrong types do not hide unknown options and wrong values', async () => {
  const parameters = { crf: {}, preset: null, foo: '1', r: 'abc' };
  const { errors, seen } = await errorsOf({ ...FILES, parameters }, [wrong('foo', 'UNKNOWN_OPTION'), wrong('r')]);
  expect(seen?.parameters).toEqual({ foo: '1', r: 'abc' });
  expect(errors).toEqual([
    '/parameters/crf WRONG_TYPE',
    '/parameters/preset WRONG_TYPE',
    '/parameters/foo UNKNOWN_OPTION',
    '/parameters/r BAD_VALUE',
  ]);
});

test('options of inputs and unknown fields are left out too', async () => {
  const inputs = [{ input: 'a.mp4', parameters: { ss: 5, t: null } }];
  const { seen } = await errorsOf({ inputs, output: 'b.mp4', colour: 'red', parameters: { an: true } });
  expect(seen).toEqual({
    inputs: [{ input: 'a.mp4', parameters: { ss: '5' } }],
    output: 'b.mp4',
    parameters: { an: true },
  });
});

test.each([
  ['an output of a wrong type', { ...FILES, output: 5, parameters: { crf: '999' } }],
  ['a graph that is no text', { ...FILES, parameters: { filter_complex: { scale: '1' }, map: '[v]' } }],
  ['a body that is no object', 'text'],
])('%s leaves nothing to plan', async (_title, body) => {
  const { errors, seen } = await errorsOf(body, [wrong('crf')]);
  expect(seen).toBeUndefined();
  expect(errors.length).toBeGreaterThan(0);
});
