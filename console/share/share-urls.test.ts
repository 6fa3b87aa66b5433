import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { forgetUrl, rememberUrl, urlOf } from './share-urls.ts';

const stored = new Map<string, string>();

beforeEach(() => {
  stored.clear();
  vi.stubGlobal('window', {
    sessionStorage: {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => stored.set(key, value),
    },
  });
});

// Remove the window, because other test files of this process have none.
afterEach(() => void vi.unstubAllGlobals());

test('the address of a link is known to its client until the link is revoked', () => {
  rememberUrl('amy', 'a', 'http://host/s/tcl_a');
  rememberUrl('amy', 'b', 'http://host/s/tcl_b');
  expect([urlOf('amy', 'a'), urlOf('amy', 'b'), urlOf('amy', 'c')]).toEqual([
    'http://host/s/tcl_a',
    'http://host/s/tcl_b',
    undefined,
  ]);
  expect(urlOf('bob', 'a'), 'another client').toBeUndefined();
  forgetUrl('amy', 'a');
  expect([urlOf('amy', 'a'), urlOf('amy', 'b')]).toEqual([undefined, 'http://host/s/tcl_b']);
  expect([...stored.values()].join()).not.toContain('tcl_a');
});

test('only the newest addresses are remembered, and what another version has stored is ignored', () => {
  for (let number = 0; number < 60; number += 1) rememberUrl('amy', String(number), `http://host/s/${number}`);
  expect([urlOf('amy', '9'), urlOf('amy', '10')]).toEqual([undefined, 'http://host/s/10']);
  for (const text of ['{', '{}', '[1, ["x"], ["y", 2]]']) {
    for (const key of stored.keys()) stored.set(key, text);
    expect(urlOf('amy', 'y'), text).toBeUndefined();
  }
});

test('a storage that is full loses the address, and is not an error', () => {
  vi.stubGlobal('window', {
    sessionStorage: {
      getItem: () => null,
      setItem: () => {
        throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
      },
    },
  });
  expect(() => rememberUrl('amy', 'a', 'http://host/s/tcl_a')).not.toThrow();
  expect(urlOf('amy', 'a')).toBeUndefined();
});
