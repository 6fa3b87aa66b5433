import { expect, test } from 'vitest';
import { fillTemplate, renameInTemplate, wrongSection } from './recipe-template.ts';

/** The text in which only `known` names are set or not, and only these have texts. */
const filled = (text: string, known: Readonly<Record<string, boolean>>) =>
  fillTemplate(
    text,
    (name) => known[name],
    (name) => (name in known ? `<${name}>` : `{{${name}}}`),
  );

test.each([
  ['x{{#a}}1{{#b}}2{{/b}}{{/a}}', { a: true }, 'x1{{#b}}2{{/b}}'],
  ['x{{#a}}1{{#b}}2{{/b}}{{/a}}', { b: true }, 'x{{#a}}12{{/a}}'],
  ['x{{#a}}1{{#b}}2{{/b}}{{/a}}', { a: false }, 'x'],
  ['x{{#a|b|c}}1{{/a|b|c}}', { b: false }, 'x{{#a|c}}1{{/a|c}}'],
  ['x{{#a|b}}1{{/a|b}}', { b: true }, 'x1'],
  ['x{{^a|b}}1{{/a|b}}', { b: true }, 'x'],
  ['x{{^a|b}}{{c}}{{/a|b}}', { b: false }, 'x{{^a}}{{c}}{{/a}}'],
])('the sections of %s that depend on other names than %j stay', (text, known, rest) => {
  expect(filled(text, known)).toBe(rest);
});

test('a text of which nothing stays, or whose name has no value, is no text', () => {
  expect(filled('{{#a}}x{{/a}}', { a: false })).toBe(undefined);
  expect(
    fillTemplate(
      'x{{a}}',
      () => true,
      () => undefined,
    ),
  ).toBe(undefined);
  expect(filled('{{#a}}x{{/a}},y', { a: false })).toBe('y');
});

test('a name is renamed where a text refers to it and where a section tests it', () => {
  const rename = (name: string): string => (name === 'a' ? 'z' : name);
  expect(renameInTemplate('{{ a }}{{#a|b}}{{b}}{{/a|b}}{{ab}}', rename)).toBe('{{z}}{{#z|b}}{{b}}{{/z|b}}{{ab}}');
});

test('a section that does not end, or ends another one, is wrong', () => {
  expect(wrongSection('{{^a}}x')).toBe('"{{^a}}" has no "{{/a}}"');
  expect(wrongSection('{{#a}}x{{/b}}')).toBe('"{{/b}}" does not end the section before it');
});
