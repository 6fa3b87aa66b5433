import { expect, test } from 'vitest';
import { settingsText } from './settings-text.ts';

test.each([
  [{ parameters: { 'c:v': 'libx265', crf: '28' } }, 'libx265, crf 28'],
  [{ parameters: { c: 'copy' } }, 'streams copied'],
  [{ parameters: { vn: '', 'c:a': 'aac', 'b:a': '96k', ar: '48000' } }, 'vn, aac, b:a 96k, 1 more'],
  [{ parameters: { map: ['0:v', '0:a'] } }, 'map 0:v 0:a'],
  // The same option of two outputs is named once.
  [
    {
      outputs: [
        { output: 'a', parameters: { crf: '20' } },
        { output: 'b', parameters: { crf: '20' } },
      ],
    },
    'crf 20',
  ],
  [{}, ''],
])('the settings %j are %j in words', (request, text) => {
  expect(settingsText(request)).toBe(text);
});
