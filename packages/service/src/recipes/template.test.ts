import { REQUEST_LIMITS } from '@telecine/contract/domain/conversion.ts';
import { describe, expect, test } from 'vitest';
import { FilledTexts, fillValue, type LookUp } from './template.ts';

const scopeOf = (lookUp: LookUp) => ({ lookUp, isSet: () => true, filled: new FilledTexts() });

test('makes the text of a choice once, however often it is referred to', () => {
  let calls = 0;
  const scope = scopeOf((name) => {
    calls += 1;
    return name === 'choice' ? { text: '{{empty}}'.repeat(1000), kind: 'template' } : { text: '', kind: 'free' };
  });
  expect(fillValue('metadata', ['{{choice}}'.repeat(1000)], scope)).toEqual(['']);
  expect(calls).toBe(2000);
});

test('quotes the same choice only where it is part of a filtergraph', () => {
  const scope = scopeOf((name) =>
    name === 'choice' ? { text: 'text={{words}}', kind: 'template' } : { text: 'a:b', kind: 'free' },
  );
  expect(fillValue('metadata', '{{choice}}', scope)).toBe('text=a:b');
  expect(fillValue('filter:v', 'drawtext={{choice}}', scope)).not.toContain('text=a:b');
});

test('fills nothing in when the texts are longer than a request may be', () => {
  const scope = scopeOf(() => ({ text: 'x'.repeat(16_000), kind: 'plain' }));
  const filled = fillValue(
    'metadata',
    Array.from({ length: 1000 }, () => '{{text}}'),
    scope,
  );
  expect(scope.filled.areTooLong).toBe(true);
  expect([filled].flat().join('').length).toBeLessThan(REQUEST_LIMITS.bodyBytes + 16_384);
});

describe('a section', () => {
  const filled = (text: string, set: readonly string[]) =>
    fillValue('filter:a', text, {
      lookUp: (name) => (set.includes(name) ? { text: '1', kind: 'plain' } : undefined),
      isSet: (name) => set.includes(name),
      filled: new FilledTexts(),
    });
  const chain = '{{#a}},fade={{a}}{{/a}}{{#b}},delay={{b}}{{#c}}:all={{c}}{{/c}}{{/b}}';

  test.each([
    [['a', 'b', 'c'], 'fade=1,delay=1:all=1'],
    [['a'], 'fade=1'],
    [['b'], 'delay=1'],
    // A section within a section that is left out is left out too.
    [['c'], undefined],
    [[], undefined],
  ])('counts if its name is among %j', (set, text) => {
    expect(filled(chain, set)).toBe(text);
  });

  test('of a choice keeps the comma that joins it to the chain', () => {
    const scope = {
      lookUp: () => ({ text: '{{#a}},hflip{{/a}}', kind: 'template' }) as const,
      isSet: () => true,
      filled: new FilledTexts(),
    };
    expect(fillValue('filter:v', 'scale=640:-2{{mode}}', scope)).toBe('scale=640:-2,hflip');
  });

  test('of several names counts if one is set', () => {
    expect(filled('x{{#a|b}}y{{/a|b}}', ['b'])).toBe('xy');
    expect(filled('x{{#a|b}}y{{/a|b}}', ['c'])).toBe('x');
  });

  test('with ^ counts if none of its names is set', () => {
    expect(filled('x{{^a|b}}y{{/a|b}}', ['b'])).toBe('x');
    expect(filled('x{{^a|b}}y{{/a|b}}', ['c'])).toBe('xy');
    expect(filled('{{#a}}1{{^b}}2{{/b}}{{/a}}{{^a}}3{{/a}}', [])).toBe('3');
  });
});
