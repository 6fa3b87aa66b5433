import { askOperator, hint, RETRY_JOB } from '@telecine/contract/domain/hint.ts';
import { expect, test } from 'vitest';
import { fixWords } from './fix-words.ts';

test('a fix names commands of ffmpeg instead of operations of the service', () => {
  const show = { do: 'show-capability', kind: 'filters', name: 'scale' } as const;
  expect(fixWords(hint`For its options: ${show}.`)).toBe('For its options: ffmpeg -h filter=scale.');
  expect(fixWords(hint`For a list: ${{ do: 'list-capabilities', kind: 'codecs' }}.`)).toBe(
    'For a list: ffmpeg -codecs.',
  );
});

test('a fix for the operator is for the caller of the library', () => {
  expect(fixWords(hint`${askOperator('check the memory')}, then ${RETRY_JOB}.`)).toBe(
    'Check the memory, then try again.',
  );
});
