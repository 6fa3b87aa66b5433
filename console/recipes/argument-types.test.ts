import { expect, test } from 'vitest';
import { numberOf, retyped, withMember } from './argument-types.ts';

const HEIGHT = { type: 'number', min: 16, max: 4320, default: 540, description: 'The height.' } as const;

test('an argument of another type keeps its description, and its default where that is possible', () => {
  expect(retyped(HEIGHT, 'choice')).toEqual({
    ...{ type: 'choice', choices: { 540: '540' }, default: '540', description: 'The height.' },
  });
  expect(retyped({ type: 'text', maxLength: 9, default: '540', description: 'The height.' }, 'number')).toEqual({
    ...{ type: 'number', min: 0, max: 540, default: 540, description: 'The height.' },
  });
  expect(retyped({ type: 'text', maxLength: 9, default: 'tall', description: 'The height.' }, 'number')).toEqual({
    ...{ type: 'number', min: 0, max: 100, description: 'The height.' },
  });
  expect(retyped({ ...HEIGHT, required: true }, 'flag')).toEqual({
    ...{ type: 'flag', required: true, description: 'The height.' },
  });
});

test('a member is set, or left out', () => {
  expect(withMember(HEIGHT, 'max', 720)).toEqual({ ...HEIGHT, max: 720 });
  expect(withMember(HEIGHT, 'default', undefined)).not.toHaveProperty('default');
});

test('a number is sent as a number, and anything else as it is typed', () => {
  expect([numberOf('17,5'), numberOf(' 3 '), numberOf(''), numberOf('many')]).toEqual([17.5, 3, undefined, 'many']);
});
