import { expect, test } from 'vitest';
import { queuedText } from './queued-text.ts';

test('a queued preview says what it waits for', () => {
  expect(queuedText({ message: 'The job is queued for processing.' })).toBe('Queued. It starts when a worker is free.');
  expect(queuedText({ message: 'The job is queued for processing. The operator has paused the queue.' })).toBe(
    'Queued. The operator has paused the queue.',
  );
});
