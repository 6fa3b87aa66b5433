import type { DryRun } from '@telecine/client';
import { expect, test } from 'vitest';
import { withoutExpected } from './expected-inputs.ts';

const missing = (field: string): DryRun['warnings'][number] => ({
  field,
  code: 'INPUT_NOT_FOUND',
  message: 'Missing.',
  fix: '',
});

const checked = (...warnings: DryRun['warnings']): DryRun => ({
  argv: [],
  plan: { inputs: [], outputs: [], passes: 1 },
  warnings,
});

test('a file that is being uploaded is not missing', () => {
  const found = checked(missing('/input'), { ...missing('/output'), code: 'OUTPUT_EXISTS' });
  const request = { input: 'big.mov', output: 'big.mp4' };
  expect(withoutExpected(found, request, ['big.mov']).warnings).toMatchObject([{ code: 'OUTPUT_EXISTS' }]);
  expect(withoutExpected(found, request, ['other.mov']).warnings).toEqual(found.warnings);
});

test('of several inputs, the one that nobody uploads is missing', () => {
  const found = checked(missing('/inputs/0'), missing('/inputs/1/input'), missing('/inputs/2'));
  const request = { inputs: ['a.mov', { input: 'b.mov', parameters: { ss: '1' } }, 'c.mov'], output: 'all.mp4' };
  expect(withoutExpected(found, request, ['a.mov', 'b.mov']).warnings.map(({ field }) => field)).toEqual(['/inputs/2']);
});
