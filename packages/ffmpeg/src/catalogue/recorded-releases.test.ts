import { expect, test } from 'vitest';
import { parseComponentHelp } from '../../../../test/support/component-help.ts';
import { RECORDED, recordedBuild, recordedCatalogue, recording } from '../../../../test/support/recorded-catalogue.ts';
import { optionArguments } from './answers.ts';
import type { ComponentKind } from './component.ts';
import { componentOf } from './components.ts';
import { ASKED_OPTIONS } from './parse-answers.ts';
import { firstOf, lackedOptions, nearestReleases, utilityLists } from './recorded-releases.ts';

test.each(RECORDED)('each component of ffmpeg %s is as its own help describes it', (version) => {
  const catalogue = recordedCatalogue(version);
  const { components } = recording(version);
  expect(components.length).toBeGreaterThan(1600);
  for (const [key, help] of components) {
    const [kind, name] = key.split('=') as [ComponentKind, string];
    const { classes: _, ...own } = parseComponentHelp({ kind, name }, help);
    const { timeline, positions, ...built } = componentOf(catalogue, kind, name) ?? { kind, name };
    expect([key, built]).toEqual([key, own]);
    expect([key, timeline ?? false]).toEqual([key, help.includes('This filter has support for timeline')]);
    const names = own.options.map((option) => option.name);
    expect(positions?.filter((position) => !names.includes(position)) ?? []).toEqual([]);
  }
});

test.each(RECORDED)('each option of the program ffmpeg %s is as trial runs show it', (version) => {
  const { cli } = recordedCatalogue(version);
  const tried = recording(version).options.map(([name, facts]) => [name, facts.place === 'nowhere' ? null : facts]);
  expect(Object.fromEntries(ASKED_OPTIONS.map((name) => [name, cli.get(name) ?? null]))).toEqual(
    Object.fromEntries(tried),
  );
});

test.each(RECORDED)('the options that ffmpeg %s lacks are known, so that one query is enough', (version) => {
  const existing = optionArguments(recording(version).answers.options);
  expect(lackedOptions(recordedBuild(version))).toEqual(ASKED_OPTIONS.filter((name) => !existing.has(name)));
});

test.each(RECORDED)('the lists are those that ffmpeg %s prints', (version) => {
  const lists = utilityLists(recordedBuild(version));
  for (const [name, names] of Object.entries(recording(version).lists))
    expect([name, [...lists[name as 'colors']]]).toEqual([name, names]);
});

test.each([
  [
    [5, 1],
    [5, 1],
  ],
  [
    [6, 0],
    [5, 1],
  ],
  [
    [6, 1],
    [7, 1],
  ],
  [
    [8, 0],
    [7, 1],
  ],
  [
    [8, 1],
    [9, 0],
  ],
  [
    [10, 0],
    [9, 0],
  ],
  [undefined, [9, 0]],
] as const)('ffmpeg %j has the facts of the nearest recorded release, %j', (release, nearest) => {
  const [first] = nearestReleases(release === undefined ? {} : { release });
  expect(first?.release).toEqual(nearest);
});

test('what the nearest release lacks comes from another one, for a build that has it', () => {
  const releases = nearestReleases({ release: [6, 0] });
  const place = (name: string, from = releases) => firstOf(from, ({ places }) => places[name]);
  expect(place('shortest_buf_duration')).toBe('output');
  expect(place('bsf', nearestReleases({ release: [7, 1] }))).toBe('both');
  expect(place('bsf')).toBe('output');
  const mp4 = firstOf(releases, ({ components }) => components['muxer=mp4']);
  expect(mp4?.defaultCodecs).toEqual({ video: 'h264', audio: 'aac' });
});
