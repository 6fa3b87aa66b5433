import { expect, test } from 'vitest';
import { graphPoint } from './graph-point.ts';

test.each([
  ['', { kind: 'filter', from: 0, typed: '' }],
  ['sca', { kind: 'filter', from: 0, typed: 'sca' }],
  ['scale=1280:-2, fp', { kind: 'filter', from: 15, typed: 'fp' }],
  ['[0:v] [1:v] over', { kind: 'filter', from: 12, typed: 'over' }],
  ['scale=', { kind: 'option', filter: 'scale', from: 6, typed: '' }],
  ['scale=1280:fl', { kind: 'option', filter: 'scale', from: 11, typed: 'fl' }],
  ['scale@big=w=1280:fl', { kind: 'option', filter: 'scale', from: 17, typed: 'fl' }],
  ['scale=flags=', { kind: 'value', filter: 'scale', option: 'flags', from: 12, typed: '' }],
  ['scale=flags=lancz', { kind: 'value', filter: 'scale', option: 'flags', from: 12, typed: 'lancz' }],
  ["drawtext=text='a,b=c:d':x=1,cr", { kind: 'filter', from: 28, typed: 'cr' }],
  ['drawtext=text=a\\\\:b:x', { kind: 'option', filter: 'drawtext', from: 20, typed: 'x' }],
  ['select=eq(n\\,3):', { kind: 'option', filter: 'select', from: 16, typed: '' }],
])('finds the word that is typed: %s', (before, point) => {
  expect(graphPoint(before)).toEqual(point);
});

test.each(['[0', "drawtext=text='12:", 'scale ', 'eq=gamma=1*('])('knows no word here: %s', (before) => {
  expect(graphPoint(before)).toBe(undefined);
});
