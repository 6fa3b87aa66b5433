import { expect, test } from 'vitest';
import { REQUEST_LIMITS } from '../domain/conversion.ts';
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
