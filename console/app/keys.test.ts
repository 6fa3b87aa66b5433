import { expect, test } from 'vitest';
import { keyMeaning, keyText } from './keys.ts';

const press = (key: string, { hasControl = false, hasAlt = false, isTyping = false } = {}) =>
  keyMeaning({ key, hasControl, hasAlt }, isTyping);

test('a slash and a question mark are keys of the page, and letters in a text field', () => {
  expect([press('/'), press('?')]).toEqual(['search', 'keys']);
  expect([press('/', { isTyping: true }), press('?', { isTyping: true })]).toEqual([undefined, undefined]);
});

test('keys with Control work in a text field too, in either case', () => {
  expect(press('k', { hasControl: true, isTyping: true })).toBe('palette');
  expect(press('K', { hasControl: true })).toBe('palette');
  expect(press('Enter', { hasControl: true, isTyping: true })).toBe('run');
});

test('Enter alone, other letters and characters typed with Alt belong to the page', () => {
  expect([press('Enter'), press('k'), press('b', { hasControl: true })]).toEqual([undefined, undefined, undefined]);
  expect(press('/', { hasAlt: true })).toBeUndefined();
});

test('a key is shown as it is labelled', () => {
  expect(keyText('run')).toMatch(/^(?:Ctrl|⌘) Enter$/);
  expect(keyText('search')).toBe('/');
});
