import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { testFolder } from '../support/folders.ts';
import { needs } from '../support/needs.ts';
import { runCli } from '../support/run-cli.ts';
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

const LOOKED_AT = ['node', 'settings', 'ffmpeg', 'ffprobe', 'sandbox', 'store', 'media root'];

async function settings(): Promise<Record<string, string>> {
  const folder = await testFolder('doctor');
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
    expect(stdout).toMatch(/media root +\/\S+, [\d.]+ GiB free/);
  },
);

complete('with --json it tells the same to programs, while a service runs', async ({ expect }) => {
  const { server } = await start();
  const folders = { TELECINE_DATA_DIR: server.dataDir, TELECINE_MEDIA_ROOT: server.mediaRoot };
  const { code, stdout } = await runCli(['doctor', '--json'], folders);
  expect(code).toBe(0);
  const findings = JSON.parse(stdout) as Finding[];
  expect(findings.map(({ name, state }) => `${name} ${state}`)).toEqual(LOOKED_AT.map((name) => `${name} ok`));
});

/** Each fault with its settings, and the name, state, text and exit status of the doctor's finding. */
const ILLS: readonly (readonly [string, Readonly<Record<string, string>>, string, string, RegExp, number])[] = [
  ['no ffmpeg', { FFMPEG_PATH: '/nowhere/ffmpeg' }, 'ffmpeg', 'bad', /\/nowhere\/ffmpeg.*Set it to/, 1],
  ['a program that is not ffmpeg', { FFMPEG_PATH: '/bin/true' }, 'ffmpeg', 'bad', /\/bin\/true|-version/, 1],
  ['no ffprobe', { FFPROBE_PATH: '/nowhere/ffprobe' }, 'ffprobe', 'warn', /FFPROBE_PATH/, 0],
  ['too little disk', { TELECINE_MIN_FREE_DISK: '900T' }, 'media root', 'bad', /Free some disk space/, 1],
  ['an unknown setting', { TELECINE_SANBOX: 'off' }, 'settings', 'warn', /did you mean TELECINE_SANDBOX/, 0],
];

test.for(ILLS)('the doctor says how to fix: %s', async ([, more, name, state, tells, exit], { expect }) => {
  const { code, stdout } = await runCli(['doctor', '--json'], { ...(await settings()), ...more });
  const finding = (JSON.parse(stdout) as Finding[]).find((one) => one.name === name);
  expect({ code, state: finding?.state }).toEqual({ code: exit, state });
  expect([finding?.says, finding?.fix].join(' ')).toMatch(tells);
});

test.for(['TELECINE_DATA_DIR', 'TELECINE_MEDIA_ROOT'])(
  'the doctor reports that %s is a file and not a folder',
  async (setting, { expect }) => {
    const folders = await settings();
    const file = folders[setting] ?? '';
    await mkdir(join(file, '..'), { recursive: true });
    await writeFile(file, '');
    const { code, stdout } = await runCli(['doctor'], folders);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^✗ /m);
    expect(stdout).toContain(`or set ${setting}.`);
  },
);

test('every command stops at invalid settings and lists all of them', async ({ expect }) => {
  const wrong = { TELECINE_SANDBOX: 'maybe', TELECINE_PORT: 'http' };
  for (const command of [['doctor'], ['serve'], ['client', 'list']]) {
    const { code, stderr } = await runCli(command, { ...(await settings()), ...wrong });
    expect(code).toBe(1);
    expect(stderr).toMatch(/TELECINE_SANDBOX: must be one of auto, required, bubblewrap, landlock, off/);
    expect(stderr).toMatch(/TELECINE_PORT: must be a whole number from 0 to 65535/);
    expect(stderr).not.toMatch(/\n {4}at /);
  }
});
