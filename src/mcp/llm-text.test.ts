import { expect, test } from 'vitest';
import { forModel } from './llm-text.ts';

test.each([
  [
    'Search for one: GET /api/capabilities/codecs?use=encode&q=WORDS.',
    'Search for one: call describe_capabilities with {"kind": "codecs", "use": "output", "query": WORDS}.',
  ],
  [
    'Search for another: GET /api/capabilities/options?q=WORDS.',
    'Search for another: call describe_capabilities with {"kind": "options", "query": WORDS}.',
  ],
  [
    'GET /api/capabilities/filters/scale lists its options.',
    'describe_capabilities with {"kind": "filters", "name": "scale"} lists its options.',
  ],
  [
    'Use another; GET /api/capabilities/filters lists those that are offered.',
    'Use another; describe_capabilities with {"kind": "filters"} lists those that are offered.',
  ],
  ['Send "crf".', 'Send "crf".'],
])('%s', (said, toModel) => {
  expect(forModel(said)).toBe(toModel);
});
