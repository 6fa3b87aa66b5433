import { expect, test } from 'vitest';
import { RECORDED, recordedCatalogue } from '../../../test/support/recorded-catalogue.ts';
import { recordedFacts } from './recorded-options.ts';

test.each(RECORDED)('every recorded fact agrees with the answer of ffmpeg %s', (version) => {
  const { build, cli } = recordedCatalogue(version);
  const facts = recordedFacts(build.release);
  expect(facts.size).toBeGreaterThan(80);
  for (const [name, fact] of facts) expect([name, cli.get(name)]).toEqual([name, fact]);
});

test('contains no option that changed between the recorded releases', () => {
  const facts = recordedFacts([6, 1]);
  expect(facts.get('map')).toEqual({ argument: true, place: 'output' });
  expect(['autorotate', 'bsf', 'vsync'].filter((name) => facts.has(name))).toEqual([]);
});

test.each([[[4, 4]], [[9, 1]], [[99, 1]], [undefined]] as const)(
  'contains no facts about the release %s',
  (release) => {
    expect(recordedFacts(release).size).toBe(0);
  },
);
