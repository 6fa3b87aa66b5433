import { expect, test } from 'vitest';
import { RECORDED, recordedCatalogue } from '../../../test/support/recorded-catalogue.ts';
import { knownFacts } from './known-options.ts';

test.each(RECORDED)('of ffmpeg %s every option is known as it was recorded', (version) => {
  const { build, cli, cliHelp } = recordedCatalogue(version);
  const recorded = [...cli].filter(([, facts]) => facts !== null && facts.place !== 'nowhere');
  const known = [...knownFacts(build.release, cliHelp)].filter(([, facts]) => facts.place !== 'nowhere');
  expect(known.sort()).toEqual(recorded.sort());
});

/** Written down by hand: the help lists several of them as if they took an argument. */
const FLAGS = new Set(
  (
    'ignore_unknown copy_unknown recast_media copyts start_at_zero xerror auto_conversion_filters accurate_seek ' +
    'shortest bitexact copyinkf find_stream_info vn dn force_fps an sn fix_sub_duration ' +
    'noaccurate_seek nofind_stream_info noauto_conversion_filters noautorotate noautoscale display_hflip display_vflip'
  ).split(' '),
);

test('flags, and they alone, are known to take no argument', () => {
  const { build, cliHelp } = recordedCatalogue('5.1');
  const known = [...knownFacts(build.release, cliHelp)].filter(([, facts]) => facts.place !== 'nowhere');
  expect(known.filter(([name, { argument }]) => argument === FLAGS.has(name))).toEqual([]);
});

test('between two recorded releases, what both describe and treat alike is known', () => {
  const { cliHelp } = recordedCatalogue('5.1');
  const known = knownFacts([6, 1], cliHelp);
  expect(known.get('map')).toEqual({ argument: true, place: 'output' });
  expect(known.get('an')).toEqual({ argument: false, place: 'both' });
  // Its help changed between them, and what it takes changed without a word.
  expect([known.has('filter'), known.has('autorotate'), known.has('bsf')]).toEqual([false, false, false]);
});

test('what describes itself otherwise has to be asked', () => {
  const help = new Map([['map', { line: 'map', help: 'set something else' }]]);
  expect(knownFacts([5, 1], help).size).toBe(0);
});

test.each([[[4, 4]], [[99, 1]], [undefined]] as const)('nothing is known of the release %s', (release) => {
  expect(knownFacts(release, recordedCatalogue().cliHelp).size).toBe(0);
});
