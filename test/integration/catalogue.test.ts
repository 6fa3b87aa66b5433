import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { expect } from 'vitest';
import { queryBuild, startQueries } from '../../packages/ffmpeg/src/catalogue/answers.ts';
import { type Build, findProgram, identifyBuild } from '../../packages/ffmpeg/src/catalogue/build.ts';
import { type Catalogue, componentKey } from '../../packages/ffmpeg/src/catalogue/catalogue.ts';
import { componentOf } from '../../packages/ffmpeg/src/catalogue/components.ts';
import { openCatalogue } from '../../packages/ffmpeg/src/catalogue/open-catalogue.ts';
import { ASKED_OPTIONS, catalogueOf } from '../../packages/ffmpeg/src/catalogue/parse-answers.ts';
import { parseComponentHelp } from '../support/component-help.ts';
import { testFolder } from '../support/folders.ts';
import { needs } from '../support/needs.ts';
import { planRequest, requestWith } from '../support/planning.ts';
import { queryComponent, queryOption } from '../support/query-ffmpeg.ts';
import { requestableComponents } from '../support/requestable-components.ts';
import { sampled } from '../support/sampled.ts';
import { tools } from '../support/tools.ts';

let opened: Promise<{ readonly build: Build; readonly catalogue: Catalogue }> | undefined;

/** The catalogue of the installed ffmpeg. Opened once. */
function installed() {
  opened ??= identifyBuild(tools().ffmpegPath).then(async (build) => ({
    build,
    catalogue: await openCatalogue(build),
  }));
  return opened;
}

/** The answers of the installed ffmpeg, as if its queries ran already: most tests are not about them, and each query is a process. */
async function answered() {
  const { build, catalogue } = await installed();
  return { stamp: build.stamp, answers: Promise.resolve(catalogue.answers) };
}

/** Flags that requests may not use and that `test/hostile/argv-shape.ts` does not cover. */
const OTHER_FLAGS = ['vstats', 're'];

/** The tests compare one in this many components, because each comparison starts a process of ffmpeg, or four for an option of the program. */
for (const every of [40, 400]) {
  const tags = every === 40 ? ['long'] : [];
  needs('ffmpeg')(
    `one in ${every / 4} options of the program is as trial runs of the installed ffmpeg show it`,
    { tags },
    async () => {
      const { build, catalogue } = await installed();
      const tried = await pLimit(2).map(sampled(ASKED_OPTIONS, every / 4), async (name) => {
        const { argument, place } = await queryOption(build, name);
        return [name, place === 'nowhere' ? undefined : { argument, place }];
      });
      expect(tried).toEqual(tried.map(([name]) => [name, catalogue.cli.get(name as string)]));
      const others = await Promise.all(
        OTHER_FLAGS.filter((name) => catalogue.cli.has(name)).map((name) => queryOption(build, name)),
      );
      for (const { argument } of others) expect(argument).toBe(false);
    },
  );

  needs('ffmpeg')(
    `one in ${every} components of the installed ffmpeg is as its own help describes it`,
    { tags },
    async () => {
      const { build, catalogue } = await installed();
      await pLimit(2).map(sampled(requestableComponents(catalogue), every), async (component) => {
        const { classes: _, ...described } = parseComponentHelp(component, await queryComponent(build, component));
        const known = componentOf(catalogue, component.kind, component.name);
        const { timeline, positions } = known ?? {};
        expect([componentKey(component), known]).toEqual([
          componentKey(component),
          { ...described, ...(positions && { timeline, positions }) },
        ]);
      });
    },
  );
}

needs('ffmpeg')(
  'what one query says about options is the same for all of them at once and for each alone',
  async () => {
    const { build, catalogue } = await installed();
    for (const name of ['c', 'vn', 'noautoscale', 'filter_complex', 'autorotate', 'no_such_option']) {
      const { cli } = catalogueOf(build, await queryBuild(build, ['t', name], await answered()));
      expect([name, cli.get(name)]).toEqual([name, catalogue.cli.get(name)]);
    }
  },
);

/** A script that logs its arguments and passes them to ffmpeg. `release`: the version that it reports. */
async function listener(folder: string, release: string) {
  const [program, logFile] = [join(folder, 'ffmpeg'), join(folder, 'heard')];
  const recorded = `case "$*" in -version) echo 'ffmpeg version ${release} Copyright' ;; *) exec '${tools().ffmpegPath}' "$@" ;; esac`;
  await writeFile(program, `#!/bin/sh\necho "$*" >> '${logFile}'\n${recorded}\n`, { mode: 0o755 });
  const questions = async () => (await readFile(logFile, 'utf8')).trim().split('\n');
  return { build: await identifyBuild(program), questions };
}

needs('ffmpeg')('asks eight questions once a build, and saves the answers for the next start', async () => {
  const folder = await testFolder('listener');
  const { build, questions } = await listener(folder, '5.1.9');
  const kept = join(folder, 'made', 'on', 'demand');
  const first = await openCatalogue(build, kept);
  const asked = await questions();
  expect(asked.filter((question) => question !== '-version')).toHaveLength(8);
  const again = await openCatalogue(build, kept);
  expect(await questions()).toEqual(asked);
  expect(again).toEqual(first);
  const planned = planRequest(requestWith({ 'c:v': 'gif', an: '', loop: '0' }, 'b.gif'), {
    catalogue: again,
  });
  const argv = planned.ok ? (planned.plan.passes[0] ?? []) : [];
  expect(argv.slice(argv.indexOf('-i') + 2)).toEqual('-c:v gif -an -loop 0 -f gif file:out/b.gif'.split(' '));
});

needs('ffmpeg')('uses the queries that run already, unless another program has replaced the queried one', async () => {
  const folder = await testFolder('listener');
  const { build, questions } = await listener(folder, '5.1.9');
  const before = (await questions()).length;
  const started = startQueries(build.path);
  await openCatalogue(build, undefined, undefined, started);
  expect((await questions()).length - before).toBe(8);
  await openCatalogue(build, undefined, undefined, { ...started, stamp: 'of another file' });
  expect((await questions()).length - before).toBe(16);
});

needs('ffmpeg')('asks an unknown release which options it does not have', async () => {
  const folder = await testFolder('listener');
  const { build, questions } = await listener(folder, '99.1');
  const catalogue = await openCatalogue(build);
  const { catalogue: known } = await installed();
  expect(Object.fromEntries(catalogue.cli)).toEqual(
    Object.fromEntries(
      [...known.cli].map(([name, facts]) => [name, facts && { ...facts, place: catalogue.cli.get(name)?.place }]),
    ),
  );
  expect((await questions()).filter((question) => question.includes('-loglevel debug')).length).toBeGreaterThan(1);
});

needs('ffmpeg')('runs ffmpeg only with options that requests may use', async () => {
  const folder = await testFolder('listener');
  const { build, questions } = await listener(folder, '99.1');
  await openCatalogue(build);
  const words = (await questions()).flatMap((question) => question.split(' ')).filter((word) => word.startsWith('-'));
  const own = ['-version', '-hide_banner', '-nostdin', '-loglevel', '-telecine-end', '-h'];
  const lists = ['-encoders', '-decoders', '-muxers', '-demuxers', '-filters', '-bsfs'];
  const others = words.filter((word) => ![...own, ...lists].includes(word) && !ASKED_OPTIONS.includes(word.slice(1)));
  expect(others).toEqual([]);
  expect(await readdir(folder)).toEqual(['ffmpeg', 'heard']);
});

needs('ffmpeg')('rejects a program that does not answer as ffmpeg does', async () => {
  const path = join(await testFolder('rubbish'), 'ffmpeg');
  await writeFile(path, "#!/bin/sh\necho 'ffmpeg version 5.1 Copyright'\n", { mode: 0o755 });
  await expect(openCatalogue(await identifyBuild(path))).rejects.toThrow(/did not say which of its options/);
});

needs('ffmpeg')('saves no answers if ffmpeg ends with an error or is replaced while it answers', async () => {
  const folder = await testFolder('broken-answers');
  const [path, kept] = [join(folder, 'ffmpeg'), join(folder, 'kept')];
  const program = async (muxers: string) => {
    const answers = `case "$*" in -version) echo 'ffmpeg version 5.1.9 Copyright' ;; *-muxers) ${muxers} ;; esac`;
    await writeFile(path, `#!/bin/sh\n${answers}\nexec '${tools().ffmpegPath}' "$@"\n`, { mode: 0o755 });
    return identifyBuild(path);
  };
  await expect(openCatalogue(await program('exit 127'), kept)).rejects.toThrow(/-muxers ended with exit code 127/);
  await expect(openCatalogue(await program(`touch -d 2001-01-01 '${path}'`), kept)).rejects.toThrow(/was replaced/);
  expect(await readdir(folder)).toEqual(['ffmpeg']);
});

needs('ffmpeg')('replaces a broken catalogue file', async () => {
  const { build } = await installed();
  const folder = await testFolder('catalogue');
  const open = async () => openCatalogue(build, folder, undefined, await answered());
  await open();
  const [name, ...others] = await readdir(folder);
  expect(others).toEqual([]);
  const file = join(folder, name ?? '');
  const whole = await readFile(file, 'utf8');
  for (const broken of [
    '',
    whole.slice(0, 1000),
    '{"full":""}',
    whole.replace('Reading option', 'Skipping option').slice(0, -2),
  ]) {
    await writeFile(file, broken);
    const catalogue = await open();
    expect(catalogue.lists.muxers.has('mp4')).toBe(true);
    expect(await readFile(file, 'utf8')).toBe(whole);
  }
});

needs('ffmpeg')('reports a folder that cannot be written and keeps working', async () => {
  const folder = join(await testFolder('catalogue'), 'file');
  await writeFile(folder, 'no folder');
  const faults: unknown[] = [];
  const { build } = await installed();
  const catalogue = await openCatalogue(build, folder, (error) => faults.push(error), await answered());
  expect(faults).toHaveLength(1);
  expect(catalogue.cli.get('c')).toEqual({ argument: true, place: 'both' });
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
