import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { expect } from 'vitest';
import type { ConversionRequest } from '../../packages/contract/src/domain/conversion.ts';
import { CLI_RULES } from '../../packages/ffmpeg/src/allowlist/allowed-cli-options.ts';
import { type Build, findProgram, identifyBuild } from '../../packages/ffmpeg/src/catalogue/build.ts';
import type { CliFacts } from '../../packages/ffmpeg/src/catalogue/catalogue.ts';
import type { ComponentKind } from '../../packages/ffmpeg/src/catalogue/component.ts';
import { openCatalogue } from '../../packages/ffmpeg/src/catalogue/live-catalogue.ts';
import { queryOption } from '../../packages/ffmpeg/src/catalogue/query-ffmpeg.ts';
import { testFolder } from '../support/folders.ts';
import { needs } from '../support/needs.ts';
import { factsFor, missingFactsOf, planRequest } from '../support/planning.ts';
import { tools } from '../support/tools.ts';

const request: ConversionRequest = {
  input: 'a.mp4',
  output: 'b.gif',
  parameters: { 'c:v': 'gif', an: '', loop: '0', itsoffset: '1' },
};

/**
 * A script that runs the installed ffmpeg once for each list and help text and then repeats the output. A first start
 * needs eleven queries, and each loads all libraries. Queries about options always reach ffmpeg.
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

/** Flags that requests may not use and that `test/hostile/argv-shape.ts` does not cover. */
const OTHER_FLAGS = ['vstats', 're'];

/**
 * Every 45th allowed option is queried: a query costs four processes, and all options take the same code.
 * `recorded-options.test.ts` compares all options with recorded builds.
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

needs('ffmpeg')('known facts about options match the installed ffmpeg', { tags: 'long' }, async () => {
  const build = await installed();
  const { cli } = (await openCatalogue(build, await testFolder('catalogue'))).current;
  const names = [...CLI_RULES.keys()].filter((name) => cli.get(name)).filter((_name, n) => n % EVERY === 0);
  const recorded = await pLimit(2).map(names, async (name) => [name, await queryOption(build, name)]);
  expect(recorded).toEqual(names.map((name) => [name, cli.get(name)]));
  const others = await Promise.all(OTHER_FLAGS.filter((name) => cli.has(name)).map((name) => queryOption(build, name)));
  for (const { argument } of others) expect(argument).toBe(false);
});

needs('ffmpeg')('queries where an option applies', { tags: 'long' }, async () => {
  const build = await installed();
  const answers = await Promise.all(PLACES.map(async ([name]) => [name, (await queryOption(build, name)).place]));
  expect(answers).toEqual(PLACES);
});

needs('ffmpeg')('reads components of the installed build', async () => {
  const live = await openCatalogue(await installed(), await testFolder('catalogue'));
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

needs('ffmpeg')('queries the facts of a request once and saves them for the next start', async () => {
  const build = await installed();
  const folder = join(await testFolder('catalogue'), 'made', 'on', 'demand');
  const first = await openCatalogue(build, folder);
  expect(missingFactsOf(request, first.current)).toBeDefined();
  const [one, two] = await Promise.all([first.ensure(factsFor(request)), first.ensure(factsFor(request))]);
  expect(one).toBe(two);
  expect(missingFactsOf(request, first.current)).toBeUndefined();
  expect(await first.ensure(factsFor(request))).toBe(one);
  await first.flush();

  const second = await openCatalogue(build, folder);
  expect(missingFactsOf(request, second.current)).toBeUndefined();
  expect(second.current).toEqual(first.current);
  const planned = planRequest(request, { catalogue: second.current });
  const argv = planned.ok ? (planned.plan.passes[0] ?? []) : [];
  expect(argv.slice(argv.indexOf('-i') + 2)).toEqual('-c:v gif -an -loop 0 -f gif file:out/b.gif'.split(' '));
});

/** A script that logs its arguments and passes them to ffmpeg. `release`: the version that it reports. */
async function listener(folder: string, release: string) {
  const { path } = await installed();
  const [program, logFile] = [join(folder, 'ffmpeg'), join(folder, 'heard')];
  const recorded = `case "$*" in -version) echo 'ffmpeg version ${release} Copyright' ;; *) exec '${path}' "$@" ;; esac`;
  await writeFile(program, `#!/bin/sh\necho "$*" >> '${logFile}'\n${recorded}\n`, { mode: 0o755 });
  const questions = async () => (await readFile(logFile, 'utf8')).trim().split('\n');
  return { build: await identifyBuild(program), questions };
}

const usual: ConversionRequest = {
  input: 'a.mov',
  output: 'b.mp4',
  parameters: { 'c:v': 'libx264', crf: '23', preset: 'fast', s: '640x360', 'c:a': 'aac', 'b:a': '96k', t: '10' },
};
const PARTS = ['-hide_banner -h encoder=aac', '-hide_banner -h encoder=libx264', '-hide_banner -h muxer=mp4'];

needs('ffmpeg')(
  'a first request queries its components, and with a recorded release nothing else',
  { tags: 'long' },
  async () => {
    const folder = await testFolder('listener');
    const { build, questions } = await listener(folder, '5.1.9');
    const live = await openCatalogue(build, join(folder, 'kept'));
    const before = (await questions()).length;
    const catalogue = await live.ensure(factsFor(usual));
    expect((await questions()).slice(before).sort()).toEqual(PARTS);
    expect(planRequest(usual, { catalogue }).ok).toBe(true);
    await live.flush();

    const again = await openCatalogue(build, join(folder, 'kept'));
    await again.ensure(factsFor(usual));
    expect((await questions()).length).toBe(before + PARTS.length);
  },
);

needs('ffmpeg')('an unknown release is also queried about the options of the request', { tags: 'long' }, async () => {
  const folder = await testFolder('listener');
  const { build, questions } = await listener(folder, '99.1');
  const live = await openCatalogue(build, join(folder, 'kept'));
  const before = (await questions()).length;
  const catalogue = await live.ensure(factsFor(usual));
  const newQueries = (await questions()).slice(before);
  expect(newQueries.filter((question) => question.includes(' -h ')).sort()).toEqual(PARTS);
  const options = newQueries.filter((question) => !question.includes(' -h '));
  const named = options.map((question) => /-loglevel warning -(\w+)/.exec(question)?.[1]);
  expect([...new Set(named)].sort()).toEqual(['b', 'c', 's', 't']);
  expect(planRequest(usual, { catalogue }).ok).toBe(true);
});

needs('ffmpeg')('runs ffmpeg only with options that requests may use, whatever name a client looks up', async () => {
  const folder = await testFolder('listener');
  const { build, questions } = await listener(folder, '99.1');
  const live = await openCatalogue(build, join(folder, 'kept'));
  const before = (await questions()).length;
  for (const name of ['report', 'sdp_file', 'init_hw_device', 'vstats', 'no_such_option']) await live.option(name);
  expect((await questions()).slice(before)).toEqual([]);
  expect(await live.option('itsoffset')).toEqual({ argument: true, place: 'input' });
  expect((await questions()).length).toBeGreaterThan(before);
});

needs('ffmpeg')('queries the default encoder of a container if the request names none', async () => {
  const live = await openCatalogue(await installed(), await testFolder('catalogue'));
  const { components } = await live.ensure(factsFor({ input: 'a.mov', output: 'b.mp4', parameters: { crf: '30' } }));
  const queried = [...components.keys()].filter((key) => !key.startsWith('filter='));
  expect(queried.sort()).toEqual(['encoder=libx264', 'muxer=mp4']);
});

needs('ffmpeg')('replaces a broken catalogue file', async () => {
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
    expect(again.current.lists.muxers.has('mp4')).toBe(true);
    await again.flush();
    expect(await readFile(file, 'utf8')).toBe(whole);
  }
});

needs('ffmpeg')('reports a folder that cannot be written and keeps working', async () => {
  const folder = join(await testFolder('catalogue'), 'file');
  await writeFile(folder, 'no folder');
  const faults: unknown[] = [];
  const live = await openCatalogue(await installed(), folder, (error) => faults.push(error));
  await live.flush();
  expect(faults).toHaveLength(1);
  expect((await live.ensure(factsFor(request))).cli.get('c')).toEqual({ argument: true, place: 'both' });
});

needs('ffmpeg')('distinguishes builds by their version text too', async () => {
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
