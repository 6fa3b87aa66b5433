import { describe, expect, test } from 'vitest';
import { RULE_SETS } from './rule-sets.ts';

const SETS = Object.values(RULE_SETS);
const ALL = new Set(SETS.flatMap(({ rules }) => rules.map(({ id }) => id)));

describe.each(Object.entries(RULE_SETS))('%s', (_name, { rules }) => {
  const ids = rules.map(({ id }) => id);

  test('each id is unique and in kebab case', () => {
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
    expect(ids.filter((id) => !/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(id))).toEqual([]);
  });

  test('a rule supersedes other rules', () => {
    const others = rules.flatMap(({ supersedes = [] }) => supersedes);
    expect(others.filter((id) => !ALL.has(id))).toEqual([]);
  });

  test('no rule supersedes itself, directly or through others', () => {
    const superseded = new Map(rules.map(({ id, supersedes = [] }) => [id, supersedes]));
    const reaches = (id: string, wanted: string, seen = new Set<string>()): boolean =>
      (superseded.get(id) ?? []).some((other) => {
        if (other === wanted) return true;
        if (seen.has(other)) return false;
        seen.add(other);
        return reaches(other, wanted, seen);
      });
    expect(ids.filter((id) => reaches(id, id))).toEqual([]);
  });

  test('what a rule finds is one line that completes a sentence', () => {
    const lines = rules.map(({ finds }) => finds);
    expect(lines.filter((line) => !/^[^\n|]{10,140}$/.test(line) || line.endsWith('.'))).toEqual([]);
  });
});

test('rules with the same id find the same mistake', () => {
  const finds = new Map<string, Set<string>>();
  for (const { rules } of SETS)
    for (const rule of rules) finds.set(rule.id, (finds.get(rule.id) ?? new Set()).add(rule.finds));
  expect([...finds].filter(([, lines]) => lines.size > 1)).toEqual([]);
});

test('no two rules describe what they find in the same words', () => {
  const ids = new Map<string, Set<string>>();
  for (const { rules } of SETS)
    for (const rule of rules) ids.set(rule.finds, (ids.get(rule.finds) ?? new Set()).add(rule.id));
  expect([...ids].filter(([, named]) => named.size > 1)).toEqual([]);
});
