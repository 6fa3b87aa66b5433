// @module-tag long
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, readdir, readFile, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import type { ReadyView } from '../../packages/contract/src/wire/system.ts';
import { type Build, identifyBuild } from '../../packages/ffmpeg/src/catalogue/build.ts';
import { catalogueFile, saveCatalogue } from '../../packages/ffmpeg/src/catalogue/catalogue-file.ts';
import { isComplete } from '../../packages/ffmpeg/src/catalogue/complete-catalogue.ts';
import { openCatalogue } from '../../packages/ffmpeg/src/catalogue/live-catalogue.ts';
import {
  loadPreparedCatalogue,
  PreparedCatalogueUnusable,
} from '../../packages/ffmpeg/src/catalogue/prepared-catalogue.ts';
import { adminClient, sendRequest } from '../support/api-client.ts';
import { testFolder } from '../support/folders.ts';
import { needs } from '../support/needs.ts';
import { freshCatalogue, recordedCatalogue } from '../support/recorded-catalogue.ts';
import { runCli, startCli } from '../support/run-cli.ts';
import { startServer } from '../support/server.ts';
import { tools } from '../support/tools.ts';
import { waitUntil } from '../support/wait.ts';

/** The components that the build below offers. The complete catalogue of a whole build takes 1,500 processes. */
const OFFERED = 'libx264|aac|mp4|matroska|mov,mp4.*|h264|scale|null|anull|h264_mp4toannexb';

/** The installed ffmpeg with short lists, which logs its arguments. Of the options that are queried, it has none. */
async function shortLists() {
  const folder = await testFolder('prepared');
  const [program, log] = [join(folder, 'ffmpeg'), join(folder, 'queries')];
  const lines = [
    '#!/bin/sh',
    `echo "$*" >> '${log}'`,
    'case "$*" in *-loglevel*) echo "Unrecognized option" >&2; exit 1;; *-encoders|*-decoders|*-muxers|*-demuxers|*-filters|*-bsfs)',
    `  '${tools().ffmpegPath}' "$@" | awk -v offered='^(${OFFERED})$' 'NR == 1 || / = |^ *-+$/ || $1 ~ offered || $2 ~ offered'`,
    '  exit;;',
    'esac',
    `exec '${tools().ffmpegPath}' "$@"`,
  ];
  await writeFile(program, `${lines.join('\n')}\n`, { mode: 0o755 });
  const catalogues = join(folder, 'catalogues');
  /** The queries for the catalogue since the last call. */
  const queries = async (): Promise<readonly string[]> => {
    const text = await readFile(log, 'utf8');
    await rm(log);
    return text.split('\n').filter((line) => line.startsWith('-hide_banner') || line.startsWith('-nostdin'));
  };
  return { folder, catalogues, queries, env: { FFMPEG_PATH: program, TELECINE_CATALOGUE_DIR: catalogues } };
}

needs('ffmpeg')(
  'a service queries nothing if the catalogue of its ffmpeg was prepared, and does not use that of another ffmpeg',
  async () => {
    const { folder, catalogues, queries, env } = await shortLists();
    const build = await identifyBuild(env.FFMPEG_PATH);
    const prepared = await runCli(['catalogue', 'prepare'], env);
    expect(prepared).toMatchObject({ code: 0, stderr: '' });
    expect(prepared.stdout).toContain(catalogueFile(catalogues, build));
    expect(isComplete(await loadPreparedCatalogue(catalogues, build))).toBe(true);
    expect((await queries()).length).toBeGreaterThan(20);

    const server = await startServer({ env });
    const admin = await adminClient(server);
    const { body } = await admin.request<{ argv: string[][] }>('/api/conversion?dryRun=true', {
      body: { input: 'in.mp4', output: 'out.mp4', parameters: { 'c:v': 'libx264', vf: 'scale=64:-2' } },
    });
    expect(body.argv.flat()).toContain('libx264');
    expect(await queries()).toEqual([]);
    expect(server.log()).not.toContain('prepared catalogue not used');
    await server.stop();

    const other = join(folder, 'other');
    await writeFile(other, `${await readFile(env.FFMPEG_PATH, 'utf8')}# another hash\n`, { mode: 0o755 });
    await expect(loadPreparedCatalogue(catalogues, await identifyBuild(other))).rejects.toThrow(
      `${catalogues} has no catalogue of ffmpeg`,
    );
  },
);

test('saving a catalogue removes what killed processes left in the folder, and nothing else', async () => {
  const folder = await testFolder('abandoned');
  const catalogue = freshCatalogue();
  const file = catalogueFile(folder, catalogue.build);
  const [left, other, busy, foreign] = [
    `${file}.${randomUUID()}`,
    `${catalogueFile(folder, { key: 'other' })}.${randomUUID()}`,
    `${file}.${randomUUID()}`,
    `${file}.backup`,
  ];
  for (const path of [left, other, busy, foreign]) await writeFile(path, 'x');
  for (const path of [left, other, foreign]) await utimes(path, 0, 0);
  await saveCatalogue(folder, catalogue);
  expect((await readdir(folder)).toSorted()).toEqual([file, busy, foreign].map((path) => basename(path)).toSorted());
});

needs('ffmpeg')('a preparation that is killed leaves nothing behind', async () => {
  const { folder, catalogues, env } = await shortLists();
  const [program, asked, tmp] = [join(folder, 'waiting'), join(folder, 'asked'), join(folder, 'tmp')];
  await mkdir(tmp);
  // Answers no query about an encoder as long as the command runs.
  const wait = `touch '${asked}'; while kill -0 $PPID 2>/dev/null; do sleep 0.1; done`;
  const lines = ['#!/bin/sh', `case "$*" in *encoder=*) ${wait}; exit 1;; esac`, `exec '${env.FFMPEG_PATH}' "$@"`];
  await writeFile(program, `${lines.join('\n')}\n`, { mode: 0o755 });
  const preparing = startCli(['catalogue', 'prepare'], { ...env, FFMPEG_PATH: program, TMPDIR: tmp });
  await waitUntil('the query about an encoder', async () => existsSync(asked) || undefined);
  preparing.child.kill('SIGKILL');
  await preparing.ended;
  expect(await readdir(tmp)).toEqual([]);
  expect(existsSync(catalogues)).toBe(false);
});

needs('ffmpeg')('a damaged catalogue is reported, and the service queries its ffmpeg', async () => {
  const { catalogues, queries, env } = await shortLists();
  const build = await identifyBuild(env.FFMPEG_PATH);
  await mkdir(catalogues);
  await writeFile(catalogueFile(catalogues, build), '{"format":2,"key":', { mode: 0o644 });
  const server = await startServer({ env });
  expect(server.log()).toMatch(/"reason":"\S+ is damaged.*"fix":"Run .*"prepared catalogue not used"/);
  expect((await sendRequest<ReadyView>(server.url, '/ready')).body.status).toBe('ready');
  expect((await queries()).length).toBeGreaterThanOrEqual(7);
  const doctor = await runCli(['doctor'], { ...env, TELECINE_MEDIA_ROOT: server.mediaRoot });
  expect(doctor.stdout).toMatch(/^! ffmpeg +\S+ is damaged/m);
});

test('the command to prepare a catalogue needs a folder', async () => {
  const { code, stderr } = await runCli(['catalogue', 'prepare'], {});
  expect(code).toBe(1);
  expect(stderr).toMatch(/^error: TELECINE_CATALOGUE_DIR is not set. Set it to the folder/);
});

/** A folder with a catalogue of a build whose program belongs to this user. */
async function preparedFolder() {
  const root = await testFolder('prepared');
  const folder = join(root, 'catalogues');
  const path = join(root, 'ffmpeg');
  await writeFile(path, '');
  const build: Build = { ...recordedCatalogue().build, path };
  await mkdir(folder, { mode: 0o755 });
  await saveCatalogue(folder, { ...recordedCatalogue(), build });
  const file = catalogueFile(folder, build);
  await chmod(folder, 0o755);
  await chmod(file, 0o644);
  return { root, folder, file, build };
}

type Prepared = Awaited<ReturnType<typeof preparedFolder>>;
const NOBODY = 65_534;

/** What makes a catalogue unusable, how it is done, and how the message ends. */
const UNUSABLE: readonly (readonly [string, (prepared: Prepared) => Promise<unknown>, string])[] = [
  ['its group may write it', ({ file }) => chmod(file, 0o664), 'may be written by others than its owner.'],
  [
    'everyone may write to its folder',
    ({ folder }) => chmod(folder, 0o777),
    'may be written by others than its owner.',
  ],
  [
    'it is a symlink',
    async ({ root, file }) => {
      await rename(file, join(root, 'elsewhere'));
      await symlink(join(root, 'elsewhere'), file);
    },
    'cannot be read (ELOOP).',
  ],
  ['it is cut off', async ({ file }) => writeFile(file, (await readFile(file, 'utf8')).slice(0, -1)), 'wrote it.'],
  [
    'it is of another build',
    async ({ file, build }) => writeFile(file, (await readFile(file, 'utf8')).replace(build.key, 'other')),
    'wrote it.',
  ],
  ['it is missing', ({ file }) => rm(file), 'ffmpeg'],
];

test('a prepared catalogue is what was saved', async () => {
  const { folder, build } = await preparedFolder();
  expect(await loadPreparedCatalogue(folder, build)).toEqual({ ...recordedCatalogue(), build });
});

test.each(UNUSABLE)('a prepared catalogue is not used if %s', async (_why, change, end) => {
  const prepared = await preparedFolder();
  await change(prepared);
  const loading = loadPreparedCatalogue(prepared.folder, prepared.build);
  await expect(loading).rejects.toThrow(PreparedCatalogueUnusable);
  await expect(loading).rejects.toThrow(end);
});

needs('root')('a prepared catalogue of another user is not used, unless that user owns ffmpeg', async () => {
  const { folder, file, build } = await preparedFolder();
  await chown(file, NOBODY, NOBODY);
  await expect(loadPreparedCatalogue(folder, build)).rejects.toThrow(
    'belongs neither to root nor to the owner of ffmpeg',
  );
  await chown(build.path, NOBODY, NOBODY);
  expect((await loadPreparedCatalogue(folder, build)).components.size).toBeGreaterThan(0);
});

test('facts that a service queried before are kept beside a prepared catalogue', async () => {
  const { root, folder, build } = await preparedFolder();
  const [known, ...others] = recordedCatalogue().components;
  if (known === undefined) throw new Error('The recording has no components.');
  const data = join(root, 'data');
  await saveCatalogue(data, { ...freshCatalogue(), build, components: new Map([known]) });
  const prepared = { ...(await loadPreparedCatalogue(folder, build)), components: new Map(others) };
  const { current } = await openCatalogue(build, data, undefined, prepared);
  expect(new Map([...current.components].sort())).toEqual(new Map([...recordedCatalogue().components].sort()));
  expect(current.cli).toEqual(recordedCatalogue().cli);
});
