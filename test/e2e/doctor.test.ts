import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { testFolder } from '../support/folders.ts';
import { needs } from '../support/needs.ts';
import { runCli, startCli } from '../support/run-cli.ts';
import { sampled } from '../support/sampled.ts';
import { sharedServer } from '../support/shared-server.ts';

const start = sharedServer();
const test = needs('ffmpeg').concurrent;
/** Settings without a fault. */
const complete = needs('sandbox').concurrent;

interface Finding {
  readonly name: string;
  readonly state: string;
  readonly says: string;
  readonly fix?: string;
}

const LOOKED_AT = ['node', 'settings', 'ffmpeg', 'ffprobe', 'sandbox', 'limits', 'store', 'media root'];

async function settings(): Promise<Record<string, string>> {
  const folder = await testFolder('doctor');
  await mkdir(join(folder, 'media'));
  return { TELECINE_DATA_DIR: join(folder, 'data'), TELECINE_MEDIA_ROOT: join(folder, 'media') };
}

complete(
  'the doctor looks at all that the service stands on, says what it found and ends with 0',
  async ({ expect }) => {
    const { code, stdout, stderr } = await runCli(['doctor'], await settings());
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const lines = stdout.trimEnd().split('\n');
    expect(lines.map((line) => /^✓ (\w+(?: \w+)?) {2,}\S/.exec(line)?.[1])).toEqual(LOOKED_AT);
    expect(stdout).toMatch(/ffmpeg +\d+\.\d+\S* at \//);
    expect(stdout).toMatch(/media root +\/\S+, [\d.]+ GB free/);
  },
);

complete('with --json it tells the same to programs, while a service runs', { tags: 'long' }, async ({ expect }) => {
  const { server } = await start();
  const folders = { TELECINE_DATA_DIR: server.dataDir, TELECINE_MEDIA_ROOT: server.mediaRoot };
  const { code, stdout } = await runCli(['doctor', '--json'], folders);
  expect(code).toBe(0);
  const findings = JSON.parse(stdout) as Finding[];
  expect(findings.map(({ name, state }) => `${name} ${state}`)).toEqual(LOOKED_AT.map((name) => `${name} ok`));
});

/** Each fault with its settings, and the name, state, text and exit status of the doctor's finding. */
const FAULTS: readonly (readonly [string, Readonly<Record<string, string>>, string, string, RegExp, number])[] = [
  ['no ffmpeg', { FFMPEG_PATH: '/nowhere/ffmpeg' }, 'ffmpeg', 'bad', /\/nowhere\/ffmpeg.*Set it to/, 1],
  ['a program that is not ffmpeg', { FFMPEG_PATH: '/bin/true' }, 'ffmpeg', 'bad', /\/bin\/true|-version/, 1],
  ['no ffprobe', { FFPROBE_PATH: '/nowhere/ffprobe' }, 'ffprobe', 'warn', /FFPROBE_PATH/, 0],
  ['too little disk', { TELECINE_MIN_FREE_DISK: '900T' }, 'media root', 'bad', /Free some disk space/, 1],
  [
    'a device that is not there',
    { TELECINE_DEVICES: 'cuda:99' },
    'device',
    'bad',
    /nvidia99 does not exist.*Install the driver/,
    1,
  ],
  ['an unknown setting', { TELECINE_SANBOX: 'off' }, 'settings', 'warn', /did you mean TELECINE_SANDBOX/, 0],
];

test.for(FAULTS)(
  'the doctor says how to fix: %s',
  { tags: 'long' },
  async ([, more, name, state, expectedText, exit], { expect }) => {
    const { code, stdout } = await runCli(['doctor', '--json'], { ...(await settings()), ...more });
    const finding = (JSON.parse(stdout) as Finding[]).find((one) => one.name === name);
    expect({ code, state: finding?.state }).toEqual({ code: exit, state });
    expect([finding?.says, finding?.fix].join(' ')).toMatch(expectedText);
  },
);

test.for(sampled(['TELECINE_DATA_DIR', 'TELECINE_MEDIA_ROOT'], 2))(
  'the doctor reports that %s is a file and not a folder',
  async (setting, { expect }) => {
    const folders = await settings();
    const file = folders[setting] ?? '';
    await rm(file, { recursive: true, force: true });
    await writeFile(file, '');
    const { code, stdout } = await runCli(['doctor'], folders);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^✗ /m);
    expect(stdout).toContain(`or set ${setting}.`);
  },
);

test('every command stops at invalid settings and lists all of them', async ({ expect }) => {
  const wrong = { TELECINE_SANDBOX: 'maybe', TELECINE_PORT: 'http' };
  for (const command of sampled([['serve'], ['doctor'], ['client', 'list']], 3)) {
    const { code, stderr } = await runCli(command, { ...(await settings()), ...wrong });
    expect(code).toBe(1);
    expect(stderr).toMatch(/TELECINE_SANDBOX: must be one of auto, required, bubblewrap, landlock, off/);
    expect(stderr).toMatch(/TELECINE_PORT: must be a whole number from 0 to 65535/);
    expect(stderr).not.toMatch(/\n {4}at /);
  }
});

test('a missing media root is an error for every command, and none of them creates it', { tags: 'long' }, async ({
  expect,
}) => {
  const folder = await testFolder('no-root');
  const mediaRoot = join(folder, 'mnt/nas');
  const settings = { TELECINE_DATA_DIR: join(folder, 'data'), TELECINE_MEDIA_ROOT: mediaRoot, TELECINE_PORT: '0' };
  const message = `TELECINE_MEDIA_ROOT: there is no folder ${mediaRoot}. Mount its disk, correct the path, or create the folder`;
  for (const command of [['doctor'], ['serve'], ['client', 'add', 'shop']]) {
    const { code, stdout, stderr } = await runCli(command, settings);
    expect(code, command.join(' ')).toBe(1);
    expect(stdout + stderr).toContain(message);
    expect(await readdir(folder)).not.toContain('mnt');
  }
});

test('the default media root is created by the first start, and never by the doctor', { tags: 'long' }, async ({
  expect,
}) => {
  const folder = await testFolder('default-root');
  const env = { TELECINE_DATA_DIR: join(folder, 'data') };
  const { stdout } = await startCli(['doctor'], env, { cwd: folder }).ended;
  expect(stdout).toMatch(/^✓ media root +.*\/media, created by the first start$/m);
  expect(await readdir(folder)).not.toContain('media');
  expect((await startCli(['client', 'list'], env, { cwd: folder }).ended).stderr).toContain('There is no database');
  expect(await readdir(folder)).toEqual([]);
  expect((await startCli(['client', 'add', 'shop'], env, { cwd: folder }).ended).code).toBe(0);
  expect(await readdir(folder)).toContain('media');
});
