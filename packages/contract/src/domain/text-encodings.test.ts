import { expect, test } from 'vitest';
import { encodingOfLanguage, iconvName, languageOfFileName } from './text-encodings.ts';

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

test.each<[name: string, meant: string | undefined]>([
  ['ANSI', 'CP1252'],
  ['Windows1252', 'CP1252'],
  ['Windows 1250', 'CP1250'],
  ['1251', 'CP1251'],
  ['CP-1252', 'CP1252'],
  ['latin-1', 'LATIN1'],
  ['UTF-8-BOM', 'UTF-8'],
  ['iso8859_15', 'ISO-8859-15'],
  ['cp1252', undefined],
  ['WINDOWS-1254', undefined],
  ['latin1', undefined],
  ['ISO-8859-1', undefined],
  ['shift_jis', undefined],
])('the encoding %s is %s in the names of iconv', (name, meant) => {
  expect(iconvName(name)).toBe(meant);
});
