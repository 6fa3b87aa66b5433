import { spawn } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import { descendants } from '../../packages/ffmpeg/src/process/process-tree.ts';
import { adminClient } from '../support/api-client.ts';
import { startCuttingProxy } from '../support/cutting-proxy.ts';
import { endWithTests } from '../support/end-with-tests.ts';
import { testFolder } from '../support/folders.ts';
import { freePort } from '../support/free-port.ts';
import { needs } from '../support/needs.ts';
import { startPostgres } from '../support/postgres.ts';
import { newBucket, s3Environment, s3Server, testClient } from '../support/s3.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { waitUntil } from '../support/wait.ts';

const test = needs('ffmpeg', 'sandbox', 'PostgreSQL', 'an S3 server', 'Prometheus');

/** An alert fires within this time after the fault, and ends within it after the end of the fault. */
const SECONDS = 120;
const DISK_BYTES = 64 << 20;

/** Starts Prometheus with the delivered rules on a service. Returns the names of the alerts that fire. */
async function startPrometheus({ url }: TestServer): Promise<() => Promise<readonly string[]>> {
  const folder = await testFolder('prometheus');
  const config = {
    global: { scrape_interval: '15s' },
    rule_files: [join(import.meta.dirname, '../../deploy/prometheus/alerts.yaml')],
    scrape_configs: [{ job_name: 'telecine', static_configs: [{ targets: [new URL(url).host] }] }],
  };
  await writeFile(join(folder, 'prometheus.yaml'), stringify(config));
  const address = `127.0.0.1:${await freePort()}`;
  const options = [`--config.file=${folder}/prometheus.yaml`, `--storage.tsdb.path=${folder}/data`];
  const child = spawn('prometheus', [...options, `--web.listen-address=${address}`], { stdio: 'ignore' });
  endWithTests(child);
  onTestFinished(() => void child.kill());
  interface Alerts {
    readonly data: { readonly alerts: readonly { readonly state: string; readonly labels: { alertname: string } }[] };
  }
  return async () => {
    const { data } = (await (await fetch(`http://${address}/api/v1/alerts`)).json()) as Alerts;
    return data.alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels.alertname);
  };
}

test('faults of the database, the bucket and a disk raise their alerts in two minutes, which then end', async () => {
  const postgres = await startPostgres(await testFolder('postgres'));
  onTestFinished(() => postgres.stop());
  await postgres.sql('create database alerts');
  const bucket = await newBucket(testClient(s3Server()));
  const { TELECINE_STORAGE_ENDPOINT: endpoint = '', ...storage } = s3Environment(s3Server(), bucket, 'telecine/');
  const s3 = await startCuttingProxy(endpoint);
  const scratch = join(await testFolder('scratch'), 'scratch');
  await mkdir(scratch);
  const server = await startServer({
    launcher: ['bwrap', '--dev-bind', '/', '/', '--size', `${DISK_BYTES}`, '--tmpfs', scratch],
    env: {
      ...storage,
      TELECINE_STORAGE_ENDPOINT: s3.url,
      TELECINE_DATABASE_URL: postgres.url('alerts'),
      TELECINE_SCRATCH_DIR: scratch,
      TELECINE_MIN_FREE_DISK: '8M',
    },
  });
  const admin = await adminClient(server);
  const firing = await startPrometheus(server);
  const isFiring = async (alert: string): Promise<boolean> =>
    (await firing().catch((): readonly string[] => [])).includes(alert);
  const expectAlert = async (alert: string, begin: () => Promise<void>, end: () => Promise<void>): Promise<void> => {
    expect(await isFiring(alert), alert).toBe(false);
    await begin();
    await waitUntil(`${alert} to fire`, async () => (await isFiring(alert)) || undefined, SECONDS);
    await end();
    await waitUntil(`${alert} to end`, async () => !(await isFiring(alert)) || undefined, SECONDS);
  };
  /** The disk as the service sees it. */
  const filler = async (): Promise<string> => {
    const pids = await descendants(server.pid);
    return join(`/proc/${pids.at(0) ?? server.pid}/root`, scratch, 'filler');
  };
  await waitUntil('the first scrape', async () => firing().catch(() => undefined));

  await expectAlert(
    'TelecineDatabaseDown',
    () => postgres.stop(),
    () => postgres.start(),
  );
  await waitUntil('the database', async () => ((await admin.request('/ready')).status === 200 ? true : undefined));
  const lines = server.log().split('\n');
  expect(lines.filter((line) => line.includes('the database cannot be reached'))).toHaveLength(1);
  expect(lines.filter((line) => /"level":"?(?:error|50)/.test(line) && line.includes('storage'))).toEqual([]);

  await expectAlert(
    'TelecineStorageDown',
    async () => {
      s3.forwardTo(undefined);
      s3.cut();
    },
    async () => s3.forwardTo(endpoint),
  );
  await expectAlert(
    'TelecineDiskNearlyFull',
    async () => writeFile(await filler(), Buffer.alloc(DISK_BYTES - (12 << 20))),
    async () => rm(await filler()),
  );
}, 900_000);
