import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect } from 'vitest';
import type { AcceptedView } from '../../packages/contract/src/wire/accepted.ts';
import type { JobView } from '../../packages/contract/src/wire/job.ts';
import { adminClient, clientWithToken } from '../support/api-client.ts';
import { testFolder } from '../support/folders.ts';
import { putSmallMovie } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { NO_RATE_LIMITS } from '../support/no-rate-limits.ts';
import { type PostgresServer, startPostgres } from '../support/postgres.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { waitUntil } from '../support/wait.ts';

const test = needs('ffmpeg', 'PostgreSQL');

let postgres: PostgresServer;
beforeAll(async () => {
  postgres = await startPostgres(await testFolder('postgres'));
});
afterAll(() => postgres?.stop());

const CHECK_MS = 100;

/** A load balancer: round robin over services that are ready. It retries only what was refused a connection. */
class Balancer {
  readonly #services: TestServer[];
  readonly #down = new Set<TestServer>();
  readonly #stop = new AbortController();
  #turn = 0;

  constructor(services: readonly TestServer[]) {
    this.#services = [...services];
    for (const place of services.keys()) void this.#check(place);
  }

  replace(place: number, service: TestServer): void {
    this.#down.add(service);
    this.#services[place] = service;
  }

  close(): void {
    this.#stop.abort();
  }

  isUp(service: TestServer): boolean {
    return !this.#down.has(service);
  }

  async send(path: string, init: RequestInit): Promise<Response> {
    for (let tries = 0; ; tries += 1) {
      const service = this.#next();
      try {
        return await fetch(`${service.url}${path}`, init);
      } catch (error) {
        const code = ((error as Error).cause as NodeJS.ErrnoException | undefined)?.code;
        if (code !== 'ECONNREFUSED' || tries > 100) throw error;
        await delay(10);
      }
    }
  }

  #next(): TestServer {
    for (let tries = 0; tries < this.#services.length; tries += 1) {
      this.#turn += 1;
      const service = this.#services[this.#turn % this.#services.length];
      if (service !== undefined && this.isUp(service)) return service;
    }
    throw new Error('No service is ready.');
  }

  async #check(place: number): Promise<void> {
    while (!this.#stop.signal.aborted) {
      const service = this.#services[place];
      if (service === undefined) return;
      const isReady = await fetch(`${service.url}/ready`).then(
        async (reply) => [reply.ok, await reply.text()] as const,
        () => undefined,
      );
      if (isReady?.[0]) this.#down.delete(service);
      else this.#down.add(service);
      await delay(CHECK_MS);
    }
  }
}

test('a rolling restart of all services under load fails no request, and costs no job an attempt', async () => {
  await postgres.sql('create database rolling');
  const env = {
    TELECINE_DATABASE_URL: postgres.url('rolling'),
    TELECINE_CONCURRENCY: '1',
    TELECINE_DRAIN_SECONDS: '1',
    TELECINE_STOP_DELAY_SECONDS: '3',
    ...NO_RATE_LIMITS,
  };
  const first = await startServer({ env });
  const { mediaRoot } = first;
  const services = [first, await startServer({ env, mediaRoot }), await startServer({ env, mediaRoot })];
  await putSmallMovie(mediaRoot, 2, 'movie.mp4');
  const { token } = await adminClient(first);
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const balancer = new Balancer(services);
  const jobs: string[] = [];
  const failures: string[] = [];
  let replies = 0;
  const stop = new AbortController();

  const request = async <T>(path: string, expected: number, init: RequestInit = {}): Promise<T | undefined> => {
    try {
      const reply = await balancer.send(path, { ...init, headers });
      const text = await reply.text();
      replies += 1;
      if (reply.status === expected) return JSON.parse(text) as T;
      failures.push(`${path} → ${reply.status}: ${text}`);
    } catch (error) {
      failures.push(`${path}: ${(error as Error).message} (${String((error as Error).cause)})`);
    }
    return undefined;
  };
  const load = async (client: number): Promise<void> => {
    for (let number = 0; !stop.signal.aborted; number += 1) {
      const body = JSON.stringify({ input: 'movie.mp4', output: `${client}-${number}.mkv`, parameters: { c: 'copy' } });
      const accepted = await request<AcceptedView>('/api/conversion', 202, { method: 'POST', body });
      if (accepted === undefined) continue;
      jobs.push(accepted.jobId);
      for (let isOpen = true; isOpen && !stop.signal.aborted; await delay(50)) {
        const job = await request<JobView>(`/api/conversion/${accepted.jobId}`, 200);
        isOpen = job === undefined || job.completedAt === undefined;
      }
    }
  };
  const clients = [load(1), load(2), load(3)];
  for (const [place, service] of services.entries()) {
    const before = replies;
    expect((await service.stop()).code).toBe(0);
    const { dataDir } = service;
    const next = await startServer({ env, mediaRoot, dataDir });
    balancer.replace(place, next);
    await waitUntil('the service to be in use', async () => balancer.isUp(next) || undefined);
    expect(replies, 'requests during the restart').toBeGreaterThan(before);
    services[place] = next;
  }
  stop.abort();
  await Promise.all(clients);
  balancer.close();
  expect(failures).toEqual([]);
  const admin = clientWithToken(services[0]?.url ?? '', token);
  const ended = await Promise.all(jobs.map((jobId): Promise<JobView> => admin.wait(jobId)));
  for (const job of ended) expect(job).toMatchObject({ status: 'COMPLETED', attempt: 1 });
});
