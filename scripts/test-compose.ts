// npm run test:compose: runs deploy/compose/compose.yaml with a Docker daemon of its own, and uses the installation while
// parts of it are killed and replaced.
//
// Needs root and no registry: the image of Telecine is built on the substitutes of `npm run test:image`, and the other
// images are substitutes from Debian's packages (see compose/Dockerfile). So this shows that the file, the settings and
// the services work together. It does not show the real images of PostgreSQL, HAProxy and Prometheus, nor versitygw, in
// whose place Ceph's S3 server runs.
import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { exerciseInstallation } from './compose/exercise-installation.ts';
import { makeBaseImages } from './image/base-images.ts';
import { installPrograms, startDocker } from './image/docker.ts';

const repository = resolve(import.meta.dirname, '..');
const MAX_LOG_BYTES = 256 * 1024 * 1024;
const S3_SECRET = 'secretkeyofthes3server';
const SUBSTITUTES = {
  postgres: 'postgres:17',
  haproxy: 'haproxy:3.2-alpine',
  busybox: 'busybox:1.37',
  prometheus: 'prom/prometheus:v3.7.3',
  s3: 'versity/versitygw:v1.7.0',
} as const;

if (process.getuid?.() !== 0) {
  console.error('npm run test:compose needs root to start Docker.');
  process.exit(2);
}
installPrograms({ dockerd: 'docker.io', docker: 'docker.io', mmdebstrap: 'mmdebstrap' });
const cache = process.env['TELECINE_IMAGE_TEST'] ?? join(tmpdir(), 'telecine-image-test');
const compose = composeProgram(cache);
const docker = await startDocker(cache, { networks: true });
const folder = mkdtempSync(join(tmpdir(), 'telecine-compose-'));
process.once('SIGINT', () => undefined);
try {
  if (!hasImage('node:24-trixie-slim')) makeBaseImages(docker.env);
  run('docker', ['build', '--network', 'host', '--tag', 'telecine', repository]);
  for (const [target, image] of Object.entries(SUBSTITUTES))
    run('docker', [
      ...['build', '--network', 'host', '--target', target, '--tag', image],
      join(import.meta.dirname, 'compose'),
    ]);
  const secrets = writeInstallation();
  const inFolder = { cwd: folder, env: docker.env };
  // Do not use `spawnSync`: this process sends requests meanwhile, and must notice that the proxy closes an idle connection.
  const up = async (...args: readonly string[]): Promise<void> => {
    const [code] = await once(
      spawn(compose, ['up', '--no-build', '--wait', ...args], { ...inFolder, stdio: 'inherit' }),
      'exit',
    );
    if (code !== 0) throw new Error(`docker compose up ended with ${code}.`);
  };
  const composed = async (...args: readonly string[]): Promise<string> =>
    (await promisify(execFile)(compose, args, { ...inFolder, maxBuffer: MAX_LOG_BYTES })).stdout;
  try {
    await composed('up', '--no-build', '--detach');
    const startedAt = performance.now();
    await createBucket();
    await exerciseInstallation({ ...secrets, up, composed, startedAt });
    console.log('The installation of deploy/compose works.');
  } catch (error) {
    console.error(error);
    process.exitCode = 1;
  } finally {
    const logs = join(cache, 'services.log');
    writeFileSync(logs, await composed('logs', '--no-color', '--timestamps'));
    console.log(`The logs of the services are in ${logs}.`);
    await composed('down', '--volumes', '--timeout', '20');
  }
} finally {
  await docker.stop();
  rmSync(folder, { recursive: true });
}

function run(program: string, args: readonly string[]): void {
  execFileSync(program, args, { env: docker.env, stdio: 'inherit' });
}

function hasImage(image: string): boolean {
  return spawnSync('docker', ['image', 'inspect', image], { env: docker.env, stdio: 'ignore' }).status === 0;
}

/** Creates the bucket of the substitute S3 server, which does not use folders as buckets. Waits until the server replies. */
async function createBucket(): Promise<void> {
  const format = '{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}';
  const address = execFileSync('docker', ['inspect', '--format', format, 'telecine-s3-1'], {
    env: docker.env,
    encoding: 'utf8',
  }).trim();
  const client = new S3Client({
    endpoint: `http://${address}:7070`,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: { accessKeyId: 'telecine', secretAccessKey: S3_SECRET },
    maxAttempts: 20,
  });
  await client.send(new CreateBucketCommand({ Bucket: 'telecine' }));
  client.destroy();
}

/** Copies the files of the installation and writes its secrets, as its README describes. */
function writeInstallation() {
  cpSync(join(repository, 'deploy/compose'), folder, { recursive: true });
  mkdirSync(join(folder, 'secrets'));
  const secrets = { adminSecret: 'secret-of-the-administrator', metricsToken: 'token-of-the-metrics-reader' };
  writeFileSync(join(folder, 'secrets/admin-secret'), secrets.adminSecret);
  writeFileSync(join(folder, 'secrets/metrics-token'), secrets.metricsToken);
  const ports = { proxy: 18_080, prometheus: 19_090 };
  const settings = {
    POSTGRES_PASSWORD: 'passwordofpostgres',
    S3_SECRET_KEY: S3_SECRET,
    TELECINE_PORT: ports.proxy,
    TELECINE_PUBLIC_URL: `http://localhost:${ports.proxy}`,
    PROMETHEUS_PORT: ports.prometheus,
  };
  writeFileSync(
    join(folder, '.env'),
    Object.entries(settings)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
  );
  return { ...secrets, url: `http://127.0.0.1:${ports.proxy}`, prometheus: `http://127.0.0.1:${ports.prometheus}` };
}

/** The program of Debian 13's package docker-compose: older ones do not know all of compose.yaml. */
function composeProgram(into: string): string {
  const root = join(into, 'docker-compose');
  const program = join(root, 'usr/libexec/docker/cli-plugins/docker-compose');
  if (!existsSync(program)) {
    mkdirSync(root, { recursive: true });
    execFileSync('mmdebstrap', ['--variant=extract', '--include=docker-compose', 'trixie', root], { stdio: 'inherit' });
  }
  return program;
}
