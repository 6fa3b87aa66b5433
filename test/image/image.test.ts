import { describe, expect, onTestFinished } from 'vitest';
import type { JobView } from '../../packages/contract/src/wire/job.ts';
import { samplePath } from '../../scripts/lib/samples.ts';
import { docker, IMAGE, startContainer } from '../support/container.ts';
import { needs } from '../support/needs.ts';
import { waitUntil } from '../support/wait.ts';

const test = needs('an image');

/** The time that `docker stop` gets in this test, as the documentation recommends. Docker's default is 10 s. */
const STOP_SECONDS = 45;

const LIST_JOBS = ['jobs', 'list', '--json'];

test('in a default container, the service is ready and confines conversions by Landlock', async () => {
  const container = await startContainer('--init');
  expect(await container.inspect('{{.HostConfig.SecurityOpt}} {{.HostConfig.Privileged}}')).toMatch(
    /^(?:\[\]|<no value>) false$/,
  );
  const { status, checks } = await container.ready();
  expect({ status, sandbox: checks['sandbox'] }).toEqual({
    status: 'ready',
    sandbox: { status: 'ok', message: expect.stringMatching(/^Landlock/) },
  });
});

test('in a default container, the doctor finds nothing to mend', async () => {
  const container = await startContainer('--init');
  const lines = (await container.telecine('doctor')).split('\n');
  expect(lines.filter((line) => !line.startsWith('✓'))).toEqual([]);
  expect(lines.join('\n')).toMatch(/✓ sandbox +Landlock/);
});

test('Docker sees the container as healthy', async () => {
  const container = await startContainer('--init');
  const health = await waitUntil('the health check', async () => {
    const state = await container.inspect('{{.State.Health.Status}}');
    return state === 'starting' ? undefined : state;
  });
  expect(health).toBe('healthy');
});

test('the service is an ordinary user without capabilities', async () => {
  const container = await startContainer();
  const status = await container.run('cat', '/proc/1/status');
  expect(status).toMatch(/^Uid:\t1000\t1000\t1000\t1000$/m);
  expect(status).toMatch(/^CapEff:\t0+$/m);
  expect(await container.inspect('{{.Config.User}}')).toBe('node');
});

test('the image has no package manager of Node, no compiler and no leftovers of its build', async () => {
  const programs = ['npm', 'yarn', 'corepack', 'cc', 'git', 'curl'];
  const findInImage = async (...args: readonly string[]): Promise<readonly string[]> =>
    (await docker('run', '--rm', '--network', 'none', IMAGE, 'find', ...args)).split('\n').toSorted();
  const names = programs.flatMap((name) => ['-o', '-name', name]);
  expect(await findInImage('/usr/bin', '/usr/local/bin', '-name', 'node', ...names)).toEqual(['/usr/local/bin/node']);
  expect(await findInImage('/app', '/var/lib/apt/lists', '/var/cache/apt', '-maxdepth', '1')).toEqual([
    '/app',
    '/app/LICENSE',
    '/app/bin',
    '/app/catalogues',
    '/app/dist',
    '/app/package.json',
    '/var/cache/apt',
    '/var/lib/apt/lists',
  ]);
});

test('the image has the licences of Telecine, of Node and of all packages in it', async () => {
  const container = await startContainer('--init');
  const licences = [
    ...['/app/LICENSE', '/usr/local/share/doc/node/LICENSE'],
    ...['', 'console/', 'manual/'].map((folder) => `/app/dist/${folder}THIRD-PARTY-LICENSES`),
  ];
  for (const file of licences) expect(await container.run('cat', file), file).toContain('Copyright');
});

test('a film is converted over HTTP', async () => {
  const container = await startContainer('--init');
  await docker('cp', samplePath('480p'), `${container.id}:/tmp/in.mp4`);
  const options = ['c:v=libx264', 'preset=ultrafast', 's=320x180', 'c:a=libopus', 't=3'];
  await container.telecine('convert', '/tmp/in.mp4', '/tmp/out.mkv', ...options.flatMap((option) => ['-p', option]));
  const { jobs } = JSON.parse(await container.telecine(...LIST_JOBS)) as { jobs: readonly JobView[] };
  expect(jobs).toMatchObject([{ status: 'COMPLETED', attempt: 1 }]);
  const shown = ['-show_entries', 'stream=codec_name,width', '-of', 'json', '/tmp/out.mkv'];
  expect(JSON.parse(await container.run('ffprobe', '-v', 'error', ...shown))).toMatchObject({
    streams: [{ codec_name: 'h264', width: 320 }, { codec_name: 'opus' }],
  });
});

/** A volume that is removed after the test, when its containers have been removed. */
async function createVolume(): Promise<string> {
  const name = await docker('volume', 'create');
  onTestFinished(async () => void (await docker('volume', 'rm', name)));
  return name;
}

describe('docker stop ends the service in time, and the next start takes up its conversion again', () => {
  test.for([['--init'], []])('started with %j', { timeout: 180_000 }, async (init) => {
    const [data, media] = await Promise.all([createVolume(), createVolume()]);
    const mounts = ['--volume', `${data}:/data`, '--volume', `${media}:/media`];
    // A drain of one second, so that the conversion goes back to the queue.
    const first = await startContainer(...init, ...mounts, '--env', 'TELECINE_DRAIN_SECONDS=1');
    await docker('cp', samplePath('1080p'), `${first.id}:/tmp/in.mp4`);
    const options = ['--no-wait', '-p', 'c:v=libx264', '-p', 'preset=veryslow'];
    await first.telecine('convert', ...options, '/tmp/in.mp4', 'server:out.mp4');
    await waitUntil('the conversion to run', async () => {
      return (await first.telecine(...LIST_JOBS)).includes('"CONVERTING"') || undefined;
    });
    const start = performance.now();
    await docker('stop', '--time', `${STOP_SECONDS}`, first.id);
    expect((performance.now() - start) / 1000).toBeLessThan(STOP_SECONDS);
    expect(await first.inspect('{{.State.ExitCode}} {{.State.OOMKilled}}')).toBe('0 false');
    const second = await startContainer(...init, ...mounts);
    await waitUntil('the conversion to run again', async () => {
      const { jobs } = JSON.parse(await second.telecine(...LIST_JOBS)) as { jobs: readonly JobView[] };
      return jobs.some(({ attempt, phase }) => attempt === 1 && phase === 'CONVERTING') || undefined;
    });
  });
});
