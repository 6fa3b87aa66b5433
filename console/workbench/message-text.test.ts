import { expect, test } from 'vitest';
import { messageText } from './message-text.ts';

test('an error of an argument calls the field as its label does', () => {
  const message = '"end" must be a time: seconds, not "soon".';
  expect(messageText({ field: '/preset/arguments/end', message })).toBe('End must be a time: seconds, not "soon".');
  expect(messageText({ field: '/parameters/to', message })).toBe(message);
  expect(messageText({ message })).toBe(message);
});
