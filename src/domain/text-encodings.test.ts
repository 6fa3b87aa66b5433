import { expect, test } from 'vitest';
import { encodingOfLanguage, languageOfFileName } from './text-encodings.ts';

test.each([
  ['tur', 'WINDOWS-1254'],
  ['POL', 'WINDOWS-1250'],
  ['russian', 'WINDOWS-1251'],
  ['de', 'WINDOWS-1252'],
  ['jpn', 'SHIFT_JIS'],
  ['und', undefined],
])('the language %s is usually in %s', (language, encoding) => {
  expect(encodingOfLanguage(language)).toBe(encoding);
});

test.each([
  ['subs/film.tr.srt', 'tr'],
  ['german.srt', 'german'],
  ['film_el.ass', 'el'],
  ['words.srt', undefined],
])('the file name %s says the language %s', (path, language) => {
  expect(languageOfFileName(path)).toBe(language);
});
