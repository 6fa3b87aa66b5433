import { expect, test } from 'vitest';
import type { Parameters } from '../../packages/contract/src/domain/conversion.ts';
import { errorsOf, requestWith, validPlan } from '../support/planning.ts';

const KEY = '76a6c65c5ea762046bd749a2e632ccbb';
const WHOLE = { encryption_scheme: 'cenc-aes-ctr', encryption_key: KEY, encryption_kid: KEY };

test.each<[Parameters, field: string, code: string]>([
  [{ ...WHOLE, encryption_scheme: 'cbcs' }, 'encryption_scheme', 'BAD_VALUE'],
  [{ encryption_scheme: 'cenc-aes-ctr', encryption_key: KEY }, 'encryption_scheme', 'NEEDS_KEY'],
  [{ encryption_scheme: 'cenc-aes-ctr' }, 'encryption_scheme', 'NEEDS_KEY'],
  [{ ...WHOLE, encryption_key: 'secret' }, 'encryption_key', 'BAD_VALUE'],
])('%j is rejected before a job runs', (parameters, field, code) => {
  expect(errorsOf(requestWith(parameters))).toMatchObject([{ field: `/parameters/${field}`, code }]);
});

test('a key without a scheme has a warning, because the output is not encrypted', () => {
  const { warnings } = validPlan(requestWith({ encryption_key: KEY, encryption_kid: KEY }));
  expect(warnings).toMatchObject([
    {
      field: '/parameters/encryption_key',
      code: 'NO_EFFECT',
      message: expect.stringContaining('without "encryption_scheme": "cenc-aes-ctr"'),
    },
  ]);
});

test.each<Parameters>([WHOLE, { encryption_scheme: 'none' }, {}])('%j has no warning', (parameters) => {
  expect(validPlan(requestWith(parameters)).warnings).toEqual([]);
});
