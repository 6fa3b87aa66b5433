import { expect, test } from 'vitest';
import { progressText } from './progress-text.ts';

const job = (more: object) => ({ status: 'PROCESSING' as const, message: '', ...more });

test.each([
  [undefined, undefined, false, 'Starting…'],
  ['still', job({ phase: 'STAGING' }), false, 'Reading the source…'],
  ['still', job({ phase: 'STAGING', progress: 62.4 }), false, 'Reading the source… 62 %'],
  ['still', job({ phase: 'CONVERTING', progress: 40 }), false, 'Converting the first frame…'],
  ['still', job({ status: 'COMPLETED' }), true, 'Loading the first frame…'],
  ['sample', undefined, true, 'This is the first frame. Converting the rest…'],
  ['sample', job({ phase: 'CONVERTING', progress: 40.7 }), true, 'This is the first frame. Converting the rest… 40 %'],
  ['sample', job({ phase: 'CONVERTING', progress: 0 }), false, 'Converting the rest…'],
] as const)('while %s is converted, a person reads what happens', (what, running, hasStill, text) => {
  expect(progressText(what, running, hasStill)).toBe(text);
});

test('a preview that is queued says why', () => {
  const queued = { status: 'PENDING' as const, message: 'The operator has paused the queue.' };
  expect(progressText('still', queued, false)).toBe('Queued. The operator has paused the queue.');
});
