import { createHash } from 'node:crypto';
import { chown, lstat, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Command } from 'commander';
import { describe, expect } from 'vitest';
import { program } from '../../packages/cli/src/program.ts';
import { openSqlite } from '../../packages/service/src/store/sqlite/open.ts';
import { pathsBelow, testFolder } from '../support/folders.ts';
import { needs } from '../support/needs.ts';
import { runCli, startCli } from '../support/run-cli.ts';
import { sampled } from '../support/sampled.ts';
import { startServer } from '../support/server.ts';

const test = needs('ffmpeg');

/** The commands that only read, with arguments. Those of the second list read the database and the machine themselves. */
const OF_SERVICE: readonly string[] = [
  ...['analyze server:a.mp4 loudness --dry-run', 'audit export', 'jobs list', 'jobs show ID', 'jobs key ID'],
  ...[
    'jobs log ID',
    'preview server:a.mp4',
    'probe server:a.mp4',
    'queue status',
    'recipes list',
    'recipes show NAME',
    'shares list',
  ],
  ...['usage show', 'usage clients', 'usage files'],
  ...['watch list', 'watch show ID', 'watch files ID', 'webhook list', 'webhook deliveries ID', 'workers list'],
];
const LOCAL: readonly string[] = ['doctor', 'doctor --no-worker', 'doctor --worker', 'db status', 'client list'];

/** The commands whose purpose is to change something, or to run for others. */
const CHANGING = new Set([
  ...['convert', 'serve', 'worker', 'client add', 'client set', 'client rotate', 'client revoke', 'db migrate'],
  ...['db move', 'backup', 'restore', 'files mv', 'files mkdir', 'jobs cancel', 'jobs retry', 'recipes add'],
  ...[
    'jobs delete',
    'jobs change',
    'recipes delete',
    'queue pause',
    'queue resume',
    'share',
    'shares revoke',
    'upload',
    'watch add',
  ],
  ...['watch change', 'watch pause', 'watch resume', 'watch retry', 'watch delete', 'webhook add'],
  ...['webhook enable', 'webhook disable', 'webhook delete', 'webhook rotate', 'webhook secret', 'webhook test'],
  ...['webhook replay', 'webhook listen', 'workers drain', 'workers resume', 'mcp', 'ffmpeg'],
]);

/** The names of all commands, such as "jobs list". */
async function commandNames(): Promise<readonly string[]> {
  const all = (await program([])).commands;
  const names = await Promise.all(
    all.map(async (one) => {
      const name = one.name();
      const found = (await program([name])).commands.find((command: Command) => command.name() === name);
      const verbs = found?.commands.map((verb) => `${name} ${verb.name()}`) ?? [];
      return verbs.length === 0 ? [name] : verbs;
    }),
  );
  return names.flat();
}

/** All files below a folder, with their owners, sizes, times of the last change and hashes. */
async function contentOf(folder: string): Promise<Readonly<Record<string, string>>> {
  const entries = (await pathsBelow(folder)).map(async (path): Promise<[string, string]> => {
    const { uid, gid, mode, size, mtimeMs } = await lstat(join(folder, path));
    const isFile = !path.endsWith('-shm') && (mode & 0o170000) === 0o100000;
    const hash = isFile
      ? createHash('sha256')
          .update(await readFile(join(folder, path)))
          .digest('hex')
      : '';
    // SQLite marks in this memory of running processes which part of the log they read.
    return [path, [uid, gid, mode, size, ...(path.endsWith('-shm') ? [] : [mtimeMs, hash])].join(' ')];
  });
  return Object.fromEntries(await Promise.all(entries));
}

async function settingsOf(folder: string): Promise<Record<string, string>> {
  await mkdir(join(folder, 'home'), { recursive: true });
  return {
    TELECINE_DATA_DIR: join(folder, 'data'),
    TELECINE_MEDIA_ROOT: join(folder, 'media'),
    HOME: join(folder, 'home'),
    XDG_STATE_HOME: join(folder, 'home/state'),
  };
}

/** Runs each command, and expects that no file below `folder` has changed after it. Returns what each printed. */
async function expectUnchanged(
  folder: string,
  commands: readonly string[],
  settings: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, string>>> {
  const before = await contentOf(folder);
  const printed: Record<string, string> = {};
  for (const command of commands) {
    const { stdout, stderr } = await runCli(command.split(' '), settings);
    printed[command] = stdout + stderr;
    expect(await contentOf(folder), command).toEqual(before);
    expect(stdout + stderr, command).not.toMatch(/\n {4}at /);
  }
  return printed;
}

/** Makes a database that lacks the newest migrations, as one of an older version. */
async function olderDatabase(dataDir: string): Promise<string> {
  await mkdir(dataDir, { recursive: true });
  const file = join(dataDir, 'telecine.db');
  await (await openSqlite(file)).close();
  const db = new DatabaseSync(file);
  db.exec("delete from telecine_migrations where name > '0003'");
  db.close();
  return file;
}

test('each command is known to read only, or to change something', async () => {
  const reading = new Set([...OF_SERVICE, ...LOCAL].map((line) => line.split(' ')));
  const isReading = (name: string) => [...reading].some((words) => `${words.join(' ')} `.startsWith(`${name} `));
  for (const name of await commandNames()) expect([isReading(name), CHANGING.has(name)], name).toContain(true);
});

describe.concurrent('a command that only reads', () => {
  test('creates nothing before the first start, and in a wrong folder', async () => {
    const folder = await testFolder('reading');
    const settings = await settingsOf(folder);
    await mkdir(join(folder, 'media'));
    const printed = await expectUnchanged(folder, [...sampled(LOCAL, 2), ...sampled(OF_SERVICE), '--help'], settings);
    expect(printed['doctor']).toMatch(/✓ store +SQLite in .*data, created by the first start/);
    const { ended } = startCli(['client', 'list'], {}, { cwd: join(folder, 'home') });
    expect((await ended).stderr).toMatch(/There is no database .*home\/data\/telecine\.db\. The first start/);
    expect(await pathsBelow(join(folder, 'home'))).toEqual([]);
  });

  test('migrates nothing, and says what the database lacks', async () => {
    const folder = await testFolder('reading');
    const settings = await settingsOf(folder);
    await mkdir(join(folder, 'media'));
    await olderDatabase(join(folder, 'data'));
    const printed = await expectUnchanged(folder, ['doctor', 'db status', 'client list'], settings);
    expect(printed['doctor']).toMatch(/! store +SQLite in .*lacks \d+ migrations of this version \(0003-last-use/);
    expect(printed['db status']).toMatch(/0003-last-use +not applied/);
    expect(printed['client list']).toMatch(/lacks \d+ migrations.*telecine db migrate/);
  });

  test('leaves no file of its own beside a database of another user', { tags: 'long' }, async () => {
    const folder = await testFolder('reading');
    const settings = await settingsOf(folder);
    await mkdir(join(folder, 'media'));
    const file = join(folder, 'data/telecine.db');
    await mkdir(join(folder, 'data'));
    const store = await openSqlite(file);
    await store.ping();
    await store.close();
    const files = (await pathsBelow(folder, 'data')).map((path) => join(folder, path));
    if (process.getuid?.() === 0)
      for (const path of [join(folder, 'data'), ...files]) await chown(path, 12_345, 12_345);
    const printed = await expectUnchanged(folder, LOCAL, settings);
    expect(printed['db status']).toContain('Jobs: none');
    expect(printed['doctor']).toMatch(/✓ store/);
  });

  test('changes no file of a killed service', async () => {
    const server = await startServer();
    const settings = { TELECINE_DATA_DIR: server.dataDir, TELECINE_MEDIA_ROOT: server.mediaRoot };
    await server.kill9('main');
    const printed = await expectUnchanged(server.dataDir, [...sampled(LOCAL, 3), 'client list'], settings);
    expect(printed['doctor']).toMatch(/✓ store/);
    expect(printed['client list']).toMatch(/^admin /m);
  });

  test('creates no file and no table of a running service', { tags: 'long' }, async () => {
    const server = await startServer();
    const folder = await testFolder('reading');
    const settings = { ...(await settingsOf(folder)), TELECINE_DATA_DIR: server.dataDir, TELECINE_URL: server.url };
    const tables = (): unknown => {
      const db = new DatabaseSync(join(server.dataDir, 'telecine.db'), { readOnly: true });
      const rows = db.prepare('select name, sql from sqlite_schema').all();
      const migrations = db.prepare('select * from telecine_migrations').all();
      db.close();
      return { rows, migrations };
    };
    const before = [tables(), Object.keys(await contentOf(server.dataDir))];
    const printed = await expectUnchanged(folder, [...LOCAL, ...OF_SERVICE], settings);
    expect(printed['doctor']).toMatch(/✓ store/);
    expect([tables(), Object.keys(await contentOf(server.dataDir))]).toEqual(before);
  });
});

test('a database that another user owns is named, and not its folder', { tags: 'long' }, async () => {
  if (process.getuid?.() !== 0) return;
  const folder = await testFolder('reading');
  const settings = await settingsOf(folder);
  const file = join(folder, 'data/telecine.db');
  await mkdir(join(folder, 'data'));
  await writeFile(file, '', { mode: 0o600 });
  for (const path of [folder, join(folder, 'data'), join(folder, 'home')]) await chown(path, 65_534, 65_534);
  const { stderr, stdout } = await runCli(['client', 'list'], settings, ['setpriv', '--reuid=65534', '--clear-groups']);
  expect(stdout + stderr).toContain(`${file} cannot be used by this user. Run the command as the user of the service`);
  await rm(file);
});
