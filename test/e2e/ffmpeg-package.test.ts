// @module-tag long
import { execFile } from 'node:child_process';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { buildFfmpeg } from '../../scripts/build-ffmpeg.ts';
import { addNodeTypes, installedPackage, tsc } from '../support/installed-package.ts';
import { clip } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { decodesWithoutErrors, probe } from '../support/probe.ts';
import { tools } from '../support/tools.ts';

const installed = installedPackage('ffmpeg', buildFfmpeg);

test('the package needs no other package, and contains nothing of the service', async () => {
  const { folder, files } = await installed();
  const own = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Record<string, unknown>;
  expect(own).toMatchObject({ name: '@telecine/ffmpeg', version: manifest.version });
  expect(Object.keys(own).filter((name) => /dependencies|private/i.test(name))).toEqual([]);
  const paths = files.map(({ path }) => path);
  expect(paths).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'THIRD-PARTY-LICENSES', 'open-ffmpeg.d.ts']));
  const scripts = paths.filter((path) => path.endsWith('.js'));
  const code = (await Promise.all(scripts.map((path) => readFile(join(folder, path), 'utf8')))).join('\n');
  // The bundler writes the path of each module above its code.
  const modules = Array.from(code.matchAll(/^\/\/(?:#region)? ?(packages\/\S+)$/gm), ([, path = '']) => path);
  expect(modules).toEqual(expect.arrayContaining(['packages/ffmpeg/src/run/run.ts']));
  expect(modules.filter((path) => !/^packages\/(?:ffmpeg|contract)\/src\//.test(path))).toEqual([]);
  const imports = Array.from(code.matchAll(/^import (?:.* from )?"([^"]+)"/gm), ([, name = '']) => name);
  expect(imports).toContain('node:child_process');
  expect(imports.filter((name) => !name.startsWith('node:') && !name.startsWith('./'))).toEqual([]);
});

test('the README of the package has no link that leads nowhere', async () => {
  const readme = await readFile(join((await installed()).folder, 'README.md'), 'utf8');
  expect(readme.match(/\]\((?!https:)[^)]*\)/g) ?? []).toEqual([]);
});

/** The example of the README, as it stands there. */
async function example(): Promise<string> {
  const readme = await readFile(join((await installed()).folder, 'README.md'), 'utf8');
  const [, code = ''] = /^```ts\n([\s\S]*?)^```$/m.exec(readme) ?? [];
  return code;
}

test('the example of the README compiles in a strict program', async () => {
  const { project } = await installed();
  await addNodeTypes(project);
  await writeFile(join(project, 'example.ts'), await example());
  const compilerOptions = {
    ...{ strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false, noEmit: true, types: ['node'] },
    ...{ target: 'es2022', lib: ['es2022'], module: 'nodenext', moduleResolution: 'nodenext' },
  };
  await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['example.ts'] }));
  expect(await tsc('-p', join(project, 'tsconfig.json'))).toEqual({ ok: true, text: '' });
});

needs('sandbox')('the example of the README converts a video', async () => {
  const { project } = await installed();
  await copyFile(await clip('480p', 2), join(project, 'in.mp4'));
  await writeFile(join(project, 'example.ts'), await example());
  const PATH = [dirname(tools().ffmpegPath), process.env['PATH']].join(delimiter);
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['example.ts'], {
    cwd: project,
    env: { ...process.env, PATH },
  });
  const [argv = '', result = ''] = stdout.trim().split('\n');
  expect(argv).toMatch(
    /^ffmpeg .* -i file:in\/0\.mp4 .*-crf 28 -filter:v scale=w=320:h=-2 -f mp4 file:out\/small\.mp4$/,
  );
  const [error = '', ...percents] = stderr.trim().split('\n');
  expect(error).toMatch(/^\/parameters\/presett .*"presett"\. Send "preset"\.$/);
  expect(percents.map(Number)).toEqual(percents.map(Number).toSorted((a, b) => a - b));
  expect(percents.at(-1)).toBe('100');
  const small = join(project, 'small.mp4');
  const { sizeBytes, streams, durationSeconds } = await probe(small);
  expect(JSON.parse(result)).toMatchObject([
    { path: 'small.mp4', sizeBytes, streams: [{ codec: 'h264', width: 320 }, {}] },
  ]);
  expect(streams).toMatchObject([{ codec_name: 'h264', width: 320 }, { codec_name: 'aac' }]);
  expect(durationSeconds).toBeCloseTo(2, 0);
  expect(await decodesWithoutErrors(small)).toBe(true);
});
