import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { ConversionRequest } from '../../src/domain/conversion.ts';
import { askMuxer, askOption } from '../../src/ffmpeg/catalogue/ask.ts';
import { type Build, identify, locate } from '../../src/ffmpeg/catalogue/build.ts';
import type { CliFacts } from '../../src/ffmpeg/catalogue/catalogue.ts';
import { openCatalogue } from '../../src/ffmpeg/catalogue/live-catalogue.ts';
import { plan } from '../../src/ffmpeg/plan/planner.ts';
import { CLI_RULES } from '../../src/ffmpeg/policy/cli-rules.ts';
import { testFolder } from '../support/folders.ts';
import { needs } from '../support/needs.ts';
import { tools } from '../support/tools.ts';

const request: ConversionRequest = {
  input: 'a.mp4',
  output: 'b.gif',
  parameters: { 'c:v': 'gif', an: '', loop: '0', itsoffset: '1' },
};

const installed = (): Promise<Build> => identify(tools().ffmpegPath);

/** Flags of ffmpeg 5.1 that callers may not use; the help lists several as if they took an argument. */
const OTHER_FLAGS =
  'report y n stats hide_banner benchmark benchmark_all stdin dump hex debug_ts psnr vstats qphist re'.split(' ');

/** Flags among the options that callers may use. */
const FLAGS = new Set(
  (
    'ignore_unknown copy_unknown recast_media copyts start_at_zero xerror auto_conversion_filters accurate_seek ' +
    'shortest bitexact copyinkf find_stream_info vn dn force_fps an sn fix_sub_duration ' +
    'noaccurate_seek nofind_stream_info noauto_conversion_filters noautorotate noautoscale display_hflip display_vflip'
  ).split(' '),
);

const PLACES: readonly (readonly [string, CliFacts['place']])[] = [
  ['c', 'both'],
  ['ss', 'both'],
  ['itsoffset', 'input'],
  ['stream_loop', 'input'],
  ['map', 'output'],
  ['filter', 'output'],
  ['shortest', 'output'],
  ['filter_complex', 'global'],
  ['copyts', 'global'],
  ['no_such_option', 'nowhere'],
];

needs('ffmpeg')('the program itself says which of its options take an argument', { timeout: 120_000 }, async () => {
  const build = await installed();
  const live = await openCatalogue(build, await testFolder('catalogue'));
  const every = Object.fromEntries([...CLI_RULES.keys()].map((name) => [name, '']));
  const { cli } = await live.ensure({ input: 'a.mp4', output: 'b.mp4', parameters: every });
  const wrong: string[] = [];
  for (const name of CLI_RULES.keys()) {
    const facts = cli.get(name);
    if (facts === null) wrong.push(`${name} was not asked`);
    else if (facts !== undefined && facts.place !== 'nowhere' && facts.argument === FLAGS.has(name)) wrong.push(name);
  }
  const others = OTHER_FLAGS.filter((name) => cli.has(name));
  const answers = await Promise.all(others.map((name) => askOption(build, name)));
  wrong.push(...others.filter((_, n) => answers[n]?.argument !== false));
  expect(wrong).toEqual([]);
});

needs('ffmpeg')('the program itself says where an option may stand', async () => {
  const build = await installed();
  const answers = await Promise.all(PLACES.map(async ([name]) => [name, (await askOption(build, name)).place]));
  expect(answers).toEqual(PLACES);
});

needs('ffmpeg')('what a muxer takes itself', async () => {
  const build = await installed();
  const [gif, mp4] = await Promise.all([askMuxer(build, 'gif'), askMuxer(build, 'mp4')]);
  expect([gif.has('loop'), mp4.has('loop'), mp4.has('movflags')]).toEqual([true, false, true]);
});

needs('ffmpeg')('what a request needs is asked once, and is known to the next start', async () => {
  const build = await installed();
  const folder = join(await testFolder('catalogue'), 'made', 'on', 'demand');
  const first = await openCatalogue(build, folder);
  expect(first.knows(request)).toBe(false);
  const [one, two] = await Promise.all([first.ensure(request), first.ensure(request)]);
  expect(one).toBe(two);
  expect(first.knows(request)).toBe(true);
  expect(await first.ensure(request)).toBe(one);
  await first.flush();

  const second = await openCatalogue(build, folder);
  expect(second.knows(request)).toBe(true);
  expect(second.current).toEqual(first.current);
  const planned = plan(request, { catalogue: second.current, root: '/m', sandboxed: true });
  const argv = planned.ok ? (planned.plan.passes[0] ?? []) : [];
  expect(argv.slice(argv.indexOf('-i') + 2)).toEqual('-c:v gif -an -loop 0 -f gif file:out/b.gif'.split(' '));
});

needs('ffmpeg')('a broken cache is asked anew and mended', async () => {
  const build = await installed();
  const folder = await testFolder('catalogue');
  await (await openCatalogue(build, folder)).flush();
  const [name] = await readdir(folder);
  expect(name).toContain(build.key);
  const file = join(folder, name ?? '');
  const whole = await readFile(file, 'utf8');
  for (const broken of ['', whole.slice(0, 1000), '{"format":0}', whole.replace(build.key, 'another')]) {
    await writeFile(file, broken);
    const again = await openCatalogue(build, folder);
    expect(again.current.muxers.has('mp4')).toBe(true);
    await again.flush();
    expect(await readFile(file, 'utf8')).toBe(whole);
  }
});

needs('ffmpeg')('a cache that cannot be written is reported, and the catalogue serves all the same', async () => {
  const folder = join(await testFolder('catalogue'), 'file');
  await writeFile(folder, 'no folder');
  const faults: unknown[] = [];
  const live = await openCatalogue(await installed(), folder, (error) => faults.push(error));
  await live.flush();
  expect(faults).toHaveLength(1);
  expect((await live.ensure(request)).cli.get('c')).toEqual({ argument: true, place: 'both' });
});

needs('ffmpeg')('a build is told from another by its version text too', async () => {
  const folder = await testFolder('builds');
  const program = async (name: string, version: string): Promise<string> => {
    await mkdir(join(folder, name));
    await writeFile(join(folder, name, 'version'), version);
    const path = join(folder, name, 'ffmpeg');
    await writeFile(path, '#!/bin/sh\ncat "$(dirname "$0")/version"\n', { mode: 0o755 });
    return path;
  };
  const [a, b] = await Promise.all([
    program('a', 'ffmpeg version 6.1 Copyright\n').then(identify),
    program('b', 'ffmpeg version N-47683-g0e8eb07980 Copyright\n').then(identify),
  ]);
  expect(a).toMatchObject({ version: '6.1', release: [6, 1] });
  expect(b.release).toBeUndefined();
  expect(a.key).not.toBe(b.key);
  expect(await locate('ffmpeg', undefined, `/nonexistent:${folder}/b:${folder}/a`)).toBe(b.path);
  expect(await locate('ffmpeg', join(folder, 'none'), `${folder}/a`)).toBeUndefined();
  await expect(identify(await locate('cat', undefined, '/usr/bin:/bin').then((path) => path ?? ''))).rejects.toThrow(
    /-version/,
  );
});
