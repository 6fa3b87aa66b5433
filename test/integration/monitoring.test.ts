import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { createMetrics } from '../../packages/service/src/telemetry/metrics.ts';
import { command } from '../../scripts/setup/command.ts';
import { testFolder } from '../support/folders.ts';
import { needs } from '../support/needs.ts';

const deploy = join(import.meta.dirname, '../../deploy');
const alerts = join(deploy, 'prometheus/alerts.yaml');

interface Board {
  readonly panels: readonly { readonly title: string; readonly targets?: readonly { readonly expr: string }[] }[];
}

const boardQueries = async (): Promise<readonly string[]> => {
  const { panels } = JSON.parse(await readFile(join(deploy, 'grafana/telecine.json'), 'utf8')) as Board;
  return panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
};

const alertQueries = async (): Promise<readonly string[]> => {
  const { groups } = parse(await readFile(alerts, 'utf8')) as {
    groups: readonly { rules: readonly { expr: string }[] }[];
  };
  return groups.flatMap(({ rules }) => rules.map(({ expr }) => expr));
};

needs('promtool')(
  'each alert is raised by what it is for, and by nothing in a healthy installation',
  {
    timeout: 180_000,
  },
  async () => {
    expect(await command('promtool', ['check', 'rules', alerts])).toMatchObject({ ok: true });
    const tested = await command('promtool', ['test', 'rules', join(deploy, 'prometheus/alerts.test.yaml')]);
    expect(tested, tested.text).toMatchObject({ ok: true });
  },
);

needs('promtool')('Prometheus can read every query of the board', async () => {
  const queries = await boardQueries();
  expect(queries.length).toBeGreaterThan(15);
  // promtool checks queries only as rules. Grafana fills the variables in.
  const rules = queries.map((expr, index) => ({
    record: `panel:query${index}`,
    expr: expr.replaceAll('$__rate_interval', '1m').replaceAll('$job', 'telecine'),
  }));
  const file = join(await testFolder('board'), 'rules.json');
  await writeFile(file, JSON.stringify({ groups: [{ name: 'board', rules }] }));
  const checked = await command('promtool', ['check', 'rules', file]);
  expect(checked, checked.text).toMatchObject({ ok: true });
});

const SOURCES: Parameters<typeof createMetrics>[0] = {
  queueDepths: async () => [],
  openUploads: async () => 0,
  waitingJobs: async () => 0,
  unfinishedBatches: async () => 0,
  webhookBacklog: async () => ({ deliveries: 0, oldestSeconds: 0 }),
  watchedFiles: async () => ({ READY: 0 }),
  checks: async () => ({ disk: 1 }),
  workers: async () => ({ running: 1, unready: 0 }),
  queuePaused: async () => 0,
  pingDatabase: async () => {},
  lostWorkers: () => 0,
  disks: async () => [],
  runningJobs: () => 0,
  slots: 1,
  usedSlots: () => ({ full: 0, light: 0, fetch: 0 }),
};

test('each request for the metrics counts the queue and the outbox once', async () => {
  const queueDepths = vi.fn(async () => [{ lane: 'full' as const, jobs: 7, oldestSeconds: 3 }]);
  const webhookBacklog = vi.fn(async () => ({ deliveries: 2, oldestSeconds: 1 }));
  const metrics = createMetrics({ ...SOURCES, queueDepths, webhookBacklog });
  for (const reads of [1, 2]) {
    const { body } = await metrics.text();
    expect(body).toContain('telecine_queue_jobs{lane="full"} 7');
    expect(body).toContain('telecine_queue_oldest_seconds{lane="full"} 3');
    expect([queueDepths.mock.calls.length, webhookBacklog.mock.calls.length]).toEqual([reads, reads]);
  }
});

test('alerts and board read only metrics that the service exports', async () => {
  const metrics = createMetrics(SOURCES);
  const { body } = await metrics.text();
  // A histogram is declared by its name, and read by its buckets.
  const exported = new Set(
    declaredIn(body).flatMap(([, name = '', type]) =>
      type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
    ),
  );
  const read = [...(await boardQueries()), ...(await alertQueries())].flatMap((expr) => [
    ...expr.matchAll(/\b(?:telecine|nodejs|process)_\w+/g),
  ]);
  expect(read.length).toBeGreaterThan(20);
  expect(read.map(([name]) => name).filter((name) => !exported.has(name))).toEqual([]);
});

const declaredIn = (body: string) => [...body.matchAll(/^# TYPE (\w+) (\w+)/gm)];

test('the page about metrics names only metrics that the service exports', async () => {
  const { body } = await createMetrics(SOURCES).text();
  const exported = new Set(declaredIn(body).map(([, name]) => name));
  const page = await readFile(join(import.meta.dirname, '../../docs/operate/metrics.md'), 'utf8');
  const named = [...page.matchAll(/`((?:telecine|nodejs)_\w+)`/g)].map(([, name]) => name);
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((name) => !exported.has(name))).toEqual([]);
});

test('a database that does not answer holds no scrape up, and is reported', async () => {
  const never = () => new Promise<never>(() => {});
  const metrics = createMetrics({ ...SOURCES, queueDepths: never, pingDatabase: never, queuePaused: never });
  const { body } = await metrics.text();
  expect(body).toContain('telecine_database_up 0');
  expect(body).toContain('telecine_job_slots 1');
  expect(body).not.toMatch(/^telecine_queue_(?:jobs|paused)/m);
});

test('the failures of many clients become few samples', async () => {
  const metrics = createMetrics(SOURCES);
  for (let index = 0; index < 60; index += 1)
    metrics.countAttempt({ status: 'FAILED', phaseSeconds: {}, job: { clientId: `client-${index}` } });
  metrics.countAttempt({ status: 'COMPLETED', phaseSeconds: {}, job: { clientId: 'happy' } });
  const { body } = await metrics.text();
  const samples = body.split('\n').filter((line) => line.startsWith('telecine_client_failures_total{'));
  expect(samples).toHaveLength(51);
  expect(samples).toContain('telecine_client_failures_total{client="client-7"} 1');
  expect(samples).toContain('telecine_client_failures_total{client="others"} 10');
});

test('each alert has its section in the runbook', async () => {
  const { groups } = parse(await readFile(alerts, 'utf8')) as {
    groups: readonly { rules: readonly { alert: string; annotations: { runbook: string } }[] }[];
  };
  const page = await readFile(join(import.meta.dirname, '../../docs/operate/troubleshooting.md'), 'utf8');
  const sections = [...page.matchAll(/^### (Telecine\w+)$/gm)].map(([, name = '']) => name);
  const rules = groups.flatMap((group) => group.rules);
  expect(rules.map(({ alert }) => alert).toSorted()).toEqual(sections.toSorted());
  for (const { alert, annotations } of rules)
    expect(annotations.runbook).toBe(`docs/operate/troubleshooting.md#${alert.toLowerCase()}`);
});
