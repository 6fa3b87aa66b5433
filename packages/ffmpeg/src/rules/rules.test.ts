import { expect, test } from 'vitest';
import { type Check, faultGuard, ruleSet } from './rules.ts';

/** A rule that finds as many mistakes as the context says. */
const rule = (id: string, more: Partial<Check<Context>> = {}): Check<Context> => ({
  id,
  finds: 'nothing in particular',
  find: (counts) => Array.from({ length: counts[id] ?? 0 }, (_one, at) => ({ code: 'ODD', message: `${id} ${at}` })),
  ...more,
});
type Context = Readonly<Record<string, number>>;
const none = faultGuard();
const messages = (rules: readonly Check<Context>[], context: Context, names?: readonly string[]) =>
  ruleSet(rules)
    .find(context, none, names)
    .map(({ message }) => message);

test('findings are in the order of the rules, and name them', () => {
  expect(ruleSet([rule('a'), rule('b')]).find({ b: 1, a: 2 }, none)).toEqual([
    { code: 'ODD', message: 'a 0', rule: 'a' },
    { code: 'ODD', message: 'a 1', rule: 'a' },
    { code: 'ODD', message: 'b 0', rule: 'b' },
  ]);
});

test('a rule about options runs if the request has one of them', () => {
  const rules = [rule('a', { about: ['crf', 'qp'] }), rule('b', { about: ['vf'] }), rule('c')];
  const all = { a: 1, b: 1, c: 1 };
  expect(messages(rules, all, ['qp', 'c:v'])).toEqual(['a 0', 'c 0']);
  expect(messages(rules, all, [])).toEqual(['c 0']);
  expect(messages(rules, all)).toEqual(['a 0', 'b 0', 'c 0']);
});

test('a finding drops those of the rules that its rule supersedes, also of rules before it', () => {
  const rules = [rule('b'), rule('a', { supersedes: ['b'] }), rule('c')];
  expect(messages(rules, { a: 1, b: 2, c: 1 })).toEqual(['a 0', 'c 0']);
  expect(messages(rules, { b: 2, c: 1 })).toEqual(['b 0', 'b 1', 'c 0']);
});

test('what is superseded supersedes nothing', () => {
  const rules = [rule('a', { supersedes: ['b'] }), rule('b', { supersedes: ['c'] }), rule('c')];
  expect(messages(rules, { a: 1, b: 1, c: 1 })).toEqual(['a 0', 'c 0']);
});

test('a rule that throws finds nothing, is reported, and hides no other', () => {
  const reported: unknown[] = [];
  const broken = rule('a', {
    find: () => {
      throw new RangeError('broken');
    },
  });
  const found = ruleSet([broken, rule('b')]).find(
    { b: 1 },
    faultGuard((error) => reported.push(error)),
  );
  expect(found.map(({ message }) => message)).toEqual(['b 0']);
  expect(reported).toEqual([new RangeError('broken')]);
});
