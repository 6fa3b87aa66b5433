import type { AcceptedView } from '../../../src/wire/accepted.ts';
import type { JobListView, JobView } from '../../../src/wire/job.ts';
import type { Exchange } from '../../support/openapi-contract.ts';

/** The service was killed under the call, or the call was given up: what became of it is not known. */
export class ConnectionLost extends Error {
  override readonly name = 'Cut';
}

/** An answer that is none of those that are due. */
export class UnexpectedReply extends Error {
  override readonly name = 'Unexpected';
}

/** What the soak asks of a service that may die at any moment. Each throws `Cut` where it did. */
export interface SoakClient {
  submit(request: object, key: string | undefined): Promise<string>;
  cancel(jobId: string): Promise<void>;
  get(jobId: string): Promise<JobView>;
  /** Up to 200 jobs, the newest first. */
  newest(): Promise<readonly JobView[]>;
  all(): Promise<readonly JobView[]>;
}

/** `check` is given every response that came whole. */
export function createSoakClient(
  url: string,
  token: string,
  check: (exchange: Exchange) => void,
  signal: AbortSignal,
): SoakClient {
  async function call<T>(method: string, path: string, due: readonly number[], asked: RequestInit = {}): Promise<T> {
    const headers = { authorization: `Bearer ${token}`, ...(asked.headers as Record<string, string>) };
    const [reply, body] = await fetch(url + path, { ...asked, method, headers, signal })
      .then(async (got) => [got, await got.text()] as const)
      .catch((cause: unknown) => Promise.reject(new ConnectionLost(path, { cause })));
    check({ method, url: path, status: reply.status, headers: Object.fromEntries(reply.headers), body });
    if (!due.includes(reply.status)) throw new UnexpectedReply(`${method} ${path} → ${reply.status}: ${body}`);
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
