import { expect, test } from 'vitest';
import type { ConversionRequest } from '../../packages/contract/src/domain/conversion.ts';
import { corrected, mistakesIn, type Parameters } from '../support/mistakes.ts';

/** Requests whose times mean something else than they say, and what the fix makes of them. */

const part = (own: Parameters, parameters: Parameters): ConversionRequest => ({
  inputs: [{ input: 'a.mp4', parameters: own }],
  output: 'b.mp4',
  parameters,
});

test.each<[own: Parameters, sent: Parameters, meant: Parameters, end: string]>([
  [{ ss: '2' }, { to: '5' }, { t: '3' }, '7 s'],
  [{ ss: '00:01:00' }, { to: '00:01:30.5', c: 'copy' }, { t: '30.5', c: 'copy' }, '150.5 s'],
])('an end of the output after the start in the input is a position in the input: %j %j', (own, sent, meant, end) => {
  const [mistake, ...others] = mistakesIn(part(own, sent));
  expect(others).toEqual([]);
  expect(mistake).toMatchObject({ field: '/parameters/to', code: 'UNUSUAL_VALUE' });
  expect(mistake?.message).toContain(`the output ends at ${end}`);
  expect(corrected(part(own, sent))).toEqual(part(own, meant));
});

test.each<[own: Parameters, sent: Parameters]>([
  [{ ss: '2', to: '5' }, {}],
  [{ ss: '2', t: '3' }, { to: '5' }],
  [{ ss: '2' }, { t: '5' }],
  // A position before the start can only be meant as a duration.
  [{ ss: '60' }, { to: '30' }],
  [{ ss: '0' }, { to: '30' }],
  [{}, { ss: '2', to: '5' }],
  [{ ss: '2' }, { ss: '1', to: '5' }],
  // The times of the input go on in the output.
  [{ ss: '2' }, { to: '5', copyts: '' }],
])('the end is clear: %j %j', (own, sent) => {
  expect(mistakesIn(part(own, sent))).toEqual([]);
});
