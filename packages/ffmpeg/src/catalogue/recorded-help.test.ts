import { expect, test } from 'vitest';
import { freshCatalogue, RECORDED, recordedCatalogue } from '../../../../test/support/recorded-catalogue.ts';
import { recordedFacts, recordedLists } from './recorded-help.ts';

test.each(RECORDED)('the recorded lists are those that ffmpeg %s prints', (version) => {
  const { build, lists } = freshCatalogue(version);
  for (const [name, names] of Object.entries(recordedLists(build.release) ?? {}))
    expect([name, [...names]]).toEqual([name, [...lists[name as 'colors']]]);
  expect(recordedLists(build.release)?.colors.size).toBeGreaterThan(100);
});

test.each([[[6, 1]], [[9, 1]], [undefined]] as const)('leaves the lists of the release %s to queries', (release) => {
  expect(recordedLists(release)).toBeUndefined();
});

test.each(RECORDED)('every recorded fact agrees with the answer of ffmpeg %s', (version) => {
  const { build, cli, cliHelp } = recordedCatalogue(version);
  const facts = recordedFacts(build.release, cliHelp);
  expect(facts.size).toBe(84);
  for (const [name, fact] of facts) expect([name, cli.get(name)]).toEqual([name, fact]);
});

test('contains no option that changed between the recorded releases', () => {
  const facts = recordedFacts([6, 1], recordedCatalogue('7.1').cliHelp);
  expect(facts.get('map')).toEqual({ argument: true, place: 'output' });
  expect(['autorotate', 'bsf', 'vsync'].filter((name) => facts.has(name))).toEqual([]);
});

test('contains no option that the build describes in other words than every recorded release', () => {
  const { cliHelp } = recordedCatalogue('7.1');
  const help = new Map(cliHelp)
    .set('map', { line: 'map  set input stream mapping (changed)', help: 'set input stream mapping (changed)' })
    .set('autorotate', { line: 'autorotate  rotate', help: 'rotate' });
  help.delete('shortest');
  const facts = recordedFacts([6, 1], help);
  expect(['map', 'noautorotate', 'shortest'].filter((name) => facts.has(name))).toEqual([]);
  expect(facts.size).toBe(81);
});

test.each([[[4, 4]], [[9, 1]], [[99, 1]], [undefined]] as const)(
  'contains no facts about the release %s',
  (release) => {
    expect(recordedFacts(release, recordedCatalogue('9.0').cliHelp).size).toBe(0);
  },
);
