import { expect, test } from 'vitest';
import {
  changedLimits,
  defaultText,
  isFoundLimit,
  isOddLimit,
  LIMIT_GROUPS,
  LIMITS,
  limitsInWords,
  limitText,
  shownLimit,
} from './client-limits.ts';

const formOf = (fields: Readonly<Record<string, string>>) => ({ get: (name: string) => fields[name] ?? null });

test('the form has every limit that the service knows, once', async () => {
  const { CLIENT_LIMITS } = await import('../../../packages/contract/src/domain/client-limits.ts');
  expect(LIMITS.map(({ key }) => key).toSorted()).toEqual(Object.keys(CLIENT_LIMITS).toSorted());
});

test('only limits that differ are sent, and an empty field is the default of the service', () => {
  const before = { duration: 7200, memory: null, jobs: 5, urls: 0 };
  const form = formOf({ 'limits.duration': '1h', 'limits.memory': 'none', 'limits.jobs': ' ', 'limits.urls': 'deny' });
  expect(changedLimits(form, before)).toEqual({ duration: '1h', jobs: 'default' });
});

test('nothing is sent if nothing differs', () => {
  const before = { duration: 7200, priority: -3 };
  const fields = Object.entries(before).map(([key, value]) => [`limits.${key}`, shownLimit(key, value)]);
  expect(changedLimits(formOf(Object.fromEntries(fields)), before)).toEqual({});
});

test.each([
  ['memory', 8 * 2 ** 30, '8G'],
  ['storage', 300 * 2 ** 20, '300M'],
  ['storage', 314_572_801, '314572801'],
  ['duration', 7200, '2h'],
  ['duration', 90, '90s'],
  ['retention', 7 * 86_400, '7d'],
  ['jobs', null, 'none'],
  ['urls', 0, 'deny'],
] as const)('the limit %s of %s is read as %s', (key, value, text) => {
  expect(limitText(key, value)).toBe(text);
});

test('an empty field says what applies instead', () => {
  const text = (key: string, value?: number) => {
    const limit = LIMITS.find((one) => one.key === key);
    return limit && defaultText(limit, value);
  };
  expect([text('duration', 172_800), text('memory', 2 ** 32), text('jobs')]).toEqual(['2d', '4G', 'no limit']);
  expect([text('urls'), text('urls', 0)]).toEqual(['allowed', 'denied']);
});

test.each([
  ['jobs day', ['jobs']],
  ['Length', ['duration']],
  ['duration', ['duration']],
  ['may write', ['duration', 'output', 'scratch', 'files']],
  [' ', LIMITS.map(({ key }) => key)],
  ['nothing', []],
] as const)('a search for %j finds its limits', (search, keys) => {
  const found = LIMIT_GROUPS.flatMap(({ name, limits }) => limits.filter((limit) => isFoundLimit(limit, name, search)));
  expect(found.map(({ key }) => key)).toEqual(keys);
});

test('the limits of a client are listed in words', () => {
  expect(limitsInWords({ jobs: 2, memory: null, storage: 3 * 2 ** 30 })).toBe(
    'Jobs a day 2, Memory none, Stored files 3G',
  );
});

test('a word in the field of a number is marked before the service reads it', () => {
  for (const text of ['many', '-1', 'about 3']) expect(isOddLimit('count', text), text).toBe(true);
  for (const text of ['', ' 12 ', '8G', '1.5h', 'none', 'default']) expect(isOddLimit('bytes', text), text).toBe(false);
  expect(isOddLimit('deny', 'no')).toBe(false);
});
