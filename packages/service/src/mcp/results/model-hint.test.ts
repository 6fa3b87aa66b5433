import { expect, test } from 'vitest';
import { ALL_TOOLS } from '../tool-names.ts';
import { modelWarnings } from './model-hint.ts';

const unread = (index: number) => ({
  code: 'INPUT_NOT_READ' as const,
  field: `/inputs/${index}`,
  message: `Reading "${index}.mp4" took too long, so nothing is known of it.`,
});

test('warnings that differ only by the file are shown once, with the fields of the others', () => {
  const other = { code: 'NO_EFFECT', field: '/parameters/to', message: '"to" has no effect.', fix: 'Leave it out.' };
  expect(modelWarnings([unread(0), unread(1), other, unread(2)], ALL_TOOLS)).toEqual([
    {
      ...unread(0),
      message: 'Reading "0.mp4" took too long, so nothing is known of it. The same holds for /inputs/1, /inputs/2.',
    },
    other,
  ]);
});
