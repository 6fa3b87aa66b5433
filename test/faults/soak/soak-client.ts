import type { AcceptedView } from '../../../packages/contract/src/wire/accepted.ts';
import type { JobListView, JobView } from '../../../packages/contract/src/wire/job.ts';
import type { Exchange } from '../../support/openapi-contract.ts';

/** The service was killed during the call, or the call was aborted. Its result is unknown. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
}

/** A reply with a status that is not allowed. */
export class UnexpectedReply extends Error {
  override readonly name = 'UnexpectedReply';
}

/** Calls to a service that may be killed at any moment. They then throw `ConnectionLost`. */
export interface SoakClient {
  submit(request: object, key: string | undefined): Promise<string>;
  cancel(jobId: string): Promise<void>;
  get(jobId: string): Promise<JobView>;
  /** The newest 200 jobs. */
  newest(): Promise<readonly JobView[]>;
  all(): Promise<readonly JobView[]>;
}

/** @param check Called with every complete response. */
export function createSoakClient(
  url: string,
  token: string,
  check: (exchange: Exchange) => void,
  signal: AbortSignal,
): SoakClient {
  async function call<T>(method: string, path: string, allowed: readonly number[], init: RequestInit = {}): Promise<T> {
    const headers = { authorization: `Bearer ${token}`, ...(init.headers as Record<string, string>) };
    const [reply, body] = await fetch(url + path, { ...init, method, headers, signal })
      .then(async (got) => [got, await got.text()] as const)
      .catch((cause: unknown) => Promise.reject(new ConnectionLost(path, { cause })));
    check({ method, url: path, status: reply.status, headers: Object.fromEntries(reply.headers), body });
    if (!allowed.includes(reply.status)) throw new UnexpectedReply(`${method} ${path} → ${reply.status}: ${body}`);
    return JSON.parse(body) as T;
  }
  const page = (query: string): Promise<JobListView> => call('GET', `/api/conversion?limit=200${query}`, [200]);
  return {
    async submit(request, key) {
      const headers = { 'content-type': 'application/json', ...(key === undefined ? {} : { 'idempotency-key': key }) };
      const body = JSON.stringify(request);
      return (await call<AcceptedView>('POST', '/api/conversion', [202], { headers, body })).jobId;
    },
    async cancel(jobId) {
      await call('POST', `/api/conversion/${jobId}/cancel`, [202, 409]);
    },
    get: (jobId) => call('GET', `/api/conversion/${jobId}`, [200]),
    newest: async () => (await page('')).jobs,
    async all() {
      const jobs: JobView[] = [];
      let cursor: string | undefined;
      do {
        const next = await page(cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`);
        jobs.push(...next.jobs);
        cursor = next.nextCursor;
      } while (cursor !== undefined);
      return jobs;
    },
  };
}
