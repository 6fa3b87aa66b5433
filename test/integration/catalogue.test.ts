import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { expect } from 'vitest';
import type { ConversionRequest } from '../../src/domain/conversion.ts';
import { CLI_RULES } from '../../src/ffmpeg/allowlist/cli-rules.ts';
import { type Build, findProgram, identifyBuild } from '../../src/ffmpeg/catalogue/build.ts';
import type { CliFacts } from '../../src/ffmpeg/catalogue/catalogue.ts';
import type { ComponentKind } from '../../src/ffmpeg/catalogue/component.ts';
import { openCatalogue } from '../../src/ffmpeg/catalogue/live-catalogue.ts';
import { queryOption } from '../../src/ffmpeg/catalogue/query-ffmpeg.ts';
import { plan } from '../../src/ffmpeg/plan/planner.ts';
import { findMissingFacts } from '../../src/ffmpeg/plan/required-facts.ts';
import { testFolder } from '../support/folders.ts';
import { needs } from '../support/needs.ts';
import { tools } from '../support/tools.ts';

const request: ConversionRequest = {
  input: 'a.mp4',
  output: 'b.gif',
  parameters: { 'c:v': 'gif', an: '', loop: '0', itsoffset: '1' },
};

/**
 * The installed ffmpeg, which is asked for each list and help once and then said to repeat it: a first start asks eleven
 * times, and each answer of its own costs what loading all its libraries costs. What is asked about options goes through.
 */
async function repeating(): Promise<Build> {
  const program = join(await testFolder('repeating'), 'ffmpeg');
  const ask = `'${tools().ffmpegPath}' "$@"`;
  const lines = [
    '#!/bin/sh',
    `case "$*" in *-loglevel*) exec ${ask} ;; esac`,
    `kept="\${0%/*}/$(echo "$*" | tr -c '[:alnum:]\\n' _)"`,
    `[ -e "$kept" ] || { ${ask} > "$kept.$$" && mv "$kept.$$" "$kept"; }`,
    'cat "$kept"',
  ];
  await writeFile(program, `${lines.join('\n')}\n`, { mode: 0o755 });
  return identifyBuild(program);
}

let build: Promise<Build> | undefined;
const installed = (): Promise<Build> => {
  build ??= repeating();
  return build;
};

/** Flags that callers may not use. The others, on which `test/hostile/argv-shape.ts` relies, are shown by its rows. */
const OTHER_FLAGS = ['vstats', 're'];

/**
 * Every 45th option that callers may use is queried: a query takes four processes, and all options take the same code.
 * `known-options.test.ts` compares all of them with the recorded builds.
 */
const EVERY = 45;

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

needs('ffmpeg')('what is known of the options is what the program itself says', async () => {
  const build = await installed();
  const { cli } = (await openCatalogue(build, await testFolder('catalogue'), findMissingFacts)).current;
  const names = [...CLI_RULES.keys()].filter((name) => cli.get(name)).filter((_name, n) => n % EVERY === 0);
  const said = await pLimit(2).map(names, async (name) => [name, await queryOption(build, name)]);
  expect(said).toEqual(names.map((name) => [name, cli.get(name)]));
  const others = await Promise.all(OTHER_FLAGS.filter((name) => cli.has(name)).map((name) => queryOption(build, name)));
  for (const { argument } of others) expect(argument).toBe(false);
});

needs('ffmpeg')('the program itself says where an option may stand', async () => {
  const build = await installed();
  const answers = await Promise.all(PLACES.map(async ([name]) => [name, (await queryOption(build, name)).place]));
  expect(answers).toEqual(PLACES);
});

needs('ffmpeg')('what the parts of the installed build take', async () => {
  const live = await openCatalogue(await installed(), await testFolder('catalogue'), findMissingFacts);
  const option = async (kind: ComponentKind, name: string, wanted: string) =>
    (await live.component(kind, name))?.options.find((one) => one.name === wanted);
  expect(await option('encoder', 'libx264', 'crf')).toMatchObject({ type: 'float', min: -1 });
  expect(await option('encoder', 'libx264', 'preset')).toMatchObject({ type: 'string', fallback: 'medium' });
  expect((await option('encoder', 'libx264', 'aq-mode'))?.constants).toContainEqual({
    name: 'autovariance-biased',
    value: 3,
    help: 'Auto-variance AQ with bias to dark scenes',
  });
  const movflags = await option('muxer', 'mp4', 'movflags');
  expect(movflags?.type).toBe('flags');
  expect(movflags?.constants.map(({ name }) => name)).toEqual(expect.arrayContaining(['faststart', 'frag_keyframe']));
  expect(await live.component('filter', 'scale')).toMatchObject({ outputs: [{ name: 'default', media: 'video' }] });
  expect((await live.component('encoder', 'libopus'))?.sampleRates).toEqual([48000, 24000, 16000, 12000, 8000]);
  const hls = (await live.component('muxer', 'hls'))?.options.map(({ name }) => name);
  expect(hls).toEqual(expect.arrayContaining(['hls_time', 'hls_segment_type', 'var_stream_map', 'master_pl_name']));
  expect(await live.component('encoder', 'no_such_encoder')).toBeUndefined();
});

needs('ffmpeg')('what a request needs is asked once, and is known to the next start', async () => {
  const build = await installed();
  const folder = join(await testFolder('catalogue'), 'made', 'on', 'demand');
  const first = await openCatalogue(build, folder, findMissingFacts);
  expect(first.knows(request)).toBe(false);
  const [one, two] = await Promise.all([first.ensure(request), first.ensure(request)]);
  expect(one).toBe(two);
  expect(first.knows(request)).toBe(true);
  expect(await first.ensure(request)).toBe(one);
  await first.flush();

  const second = await openCatalogue(build, folder, findMissingFacts);
  expect(second.knows(request)).toBe(true);
  expect(second.current).toEqual(first.current);
  const planned = plan(request, { catalogue: second.current, root: '/m' });
  const argv = planned.ok ? (planned.plan.passes[0] ?? []) : [];
  expect(argv.slice(argv.indexOf('-i') + 2)).toEqual('-c:v gif -an -loop 0 -f gif file:out/b.gif'.split(' '));
});

/** A program that writes down what it is asked, and passes it on; `release`: what it calls itself. */
async function listener(folder: string, release: string) {
  const { path } = await installed();
  const [program, heard] = [join(folder, 'ffmpeg'), join(folder, 'heard')];
  const said = `case "$*" in -version) echo 'ffmpeg version ${release} Copyright' ;; *) exec '${path}' "$@" ;; esac`;
  await writeFile(program, `#!/bin/sh\necho "$*" >> '${heard}'\n${said}\n`, { mode: 0o755 });
  const questions = async () => (await readFile(heard, 'utf8')).trim().split('\n');
  return { build: await identifyBuild(program), questions };
}

const usual: ConversionRequest = {
  input: 'a.mov',
  output: 'b.mp4',
  parameters: { 'c:v': 'libx264', crf: '23', preset: 'fast', s: '640x360', 'c:a': 'aac', 'b:a': '96k', t: '10' },
};
const PARTS = ['-hide_banner -h encoder=aac', '-hide_banner -h encoder=libx264', '-hide_banner -h muxer=mp4'];

needs('ffmpeg')('a first request asks about the parts that it names, and of a known release nothing else', async () => {
  const folder = await testFolder('listener');
  const { build, questions } = await listener(folder, '5.1.9');
  const live = await openCatalogue(build, join(folder, 'kept'), findMissingFacts);
  const before = (await questions()).length;
  const catalogue = await live.ensure(usual);
  expect((await questions()).slice(before).sort()).toEqual(PARTS);
  expect(plan(usual, { catalogue, root: '/m' }).ok).toBe(true);
  await live.flush();

  const again = await openCatalogue(build, join(folder, 'kept'), findMissingFacts);
  await again.ensure(usual);
  expect((await questions()).length).toBe(before + PARTS.length);
});

needs('ffmpeg')('a release that was never seen is asked about the options of the request too', async () => {
  const folder = await testFolder('listener');
  const { build, questions } = await listener(folder, '99.1');
  const live = await openCatalogue(build, join(folder, 'kept'), findMissingFacts);
  const before = (await questions()).length;
  const catalogue = await live.ensure(usual);
  const asked = (await questions()).slice(before);
  expect(asked.filter((question) => question.includes(' -h ')).sort()).toEqual(PARTS);
  const options = asked.filter((question) => !question.includes(' -h '));
  const named = options.map((question) => /-loglevel warning -(\w+)/.exec(question)?.[1]);
  expect([...new Set(named)].sort()).toEqual(['b', 'c', 's', 't']);
  expect(plan(usual, { catalogue, root: '/m' }).ok).toBe(true);
});

needs('ffmpeg')('the encoder that a container takes by itself counts where the request names none', async () => {
  const live = await openCatalogue(await installed(), await testFolder('catalogue'), findMissingFacts);
  const { components } = await live.ensure({ input: 'a.mov', output: 'b.mp4', parameters: { crf: '30' } });
  expect([...components.keys()].sort()).toEqual(['encoder=libx264', 'muxer=mp4']);
});

needs('ffmpeg')('a broken cache is asked anew and mended', async () => {
  const build = await installed();
  const folder = await testFolder('catalogue');
  await (await openCatalogue(build, folder, findMissingFacts)).flush();
  const [name] = await readdir(folder);
  expect(name).toContain(build.key);
  const file = join(folder, name ?? '');
  const whole = await readFile(file, 'utf8');
  for (const broken of ['', whole.slice(0, 1000), '{"format":0}', whole.replace(build.key, 'another')]) {
    await writeFile(file, broken);
    const again = await openCatalogue(build, folder, findMissingFacts);
    expect(again.current.lists.muxers.has('mp4')).toBe(true);
    await again.flush();
    expect(await readFile(file, 'utf8')).toBe(whole);
  }
});

needs('ffmpeg')('a cache that cannot be written is reported, and the catalogue serves all the same', async () => {
  const folder = join(await testFolder('catalogue'), 'file');
  await writeFile(folder, 'no folder');
  const faults: unknown[] = [];
  const live = await openCatalogue(await installed(), folder, findMissingFacts, (error) => faults.push(error));
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
    program('a', 'ffmpeg version 6.1 Copyright\n').then(identifyBuild),
    program('b', 'ffmpeg version N-47683-g0e8eb07980 Copyright\n').then(identifyBuild),
  ]);
  expect(a).toMatchObject({ version: '6.1', release: [6, 1] });
  expect(b.release).toBeUndefined();
  expect(a.key).not.toBe(b.key);
  expect(await findProgram('ffmpeg', undefined, `/nonexistent:${folder}/b:${folder}/a`)).toBe(b.path);
  expect(await findProgram('ffmpeg', join(folder, 'none'), `${folder}/a`)).toBeUndefined();
  await expect(
    identifyBuild(await findProgram('cat', undefined, '/usr/bin:/bin').then((path) => path ?? '')),
  ).rejects.toThrow(/-version/);
});
