import { readFile } from 'node:fs/promises';
import type { AcceptedView } from '../../packages/contract/src/wire/accepted.ts';
import type { JobListView, JobView } from '../../packages/contract/src/wire/job.ts';
import type { ProblemView } from '../../packages/contract/src/wire/problem.ts';
import { adminFile, type TokenReply } from '../../scripts/lib/api.ts';
import { attemptEnds } from './attempt-watcher.ts';
import { checkedFetch, forgetAlike } from './openapi-contract.ts';
import { pauseOfPolls, waitUntil } from './wait.ts';

export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface RequestOptions {
  readonly method?: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent unchanged and without a content type. */
  readonly raw?: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ApiReply<T> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T;
}

/** A client of a running service. Checks each response against `/openapi.json` of the service. */
export interface ApiClient {
  /** The access token that the next request sends, unless it is renewed before. */
  readonly token: string;
  request<T = ProblemView>(path: string, options?: RequestOptions): Promise<ApiReply<T>>;
  /** Submits a request that must be accepted. Returns the job id. */
  accept(request: object, headers?: Readonly<Record<string, string>>): Promise<string>;
  job(jobId: string): Promise<JobView>;
  list(query?: string): Promise<JobListView>;
  /** Waits until `wanted` is true, by default until the job has ended. */
  wait(jobId: string, wanted?: (job: JobView) => boolean, seconds?: number): Promise<JobView>;
  /** Submits a request and waits until its job has ended. */
  run(request: object): Promise<JobView>;
  log(jobId: string): Promise<string>;
}

const hasEnded = ({ status }: JobView): boolean => status !== 'PENDING' && status !== 'PROCESSING';

/** How long a job that ended without an attempt, or on a server that is not watched, stays unnoticed. */
const UNNOTICED_MS = 500;

/** Polling hundreds of jobs would cost as much processor time as the jobs do. */
async function pauseUntilEnd(jobId: string): Promise<void> {
  if (!(await attemptEnds(jobId, UNNOTICED_MS))) await pauseOfPolls();
}

/** The key is the base URL of the service. */
const services = new Map<string, ReturnType<typeof checkedFetch>>();

/** Called after each test file: a later service may listen on the same port. */
export function forgetContracts(): void {
  services.clear();
  forgetAlike();
}

/** Like `ApiClient.request`, with any token or none. */
export async function sendRequest<T = ProblemView>(
  url: string,
  path: string,
  options: RequestOptions = {},
  token?: string,
): Promise<ApiReply<T>> {
  const { body, raw } = options;
  const fetched = services.get(url) ?? checkedFetch(url);
  services.set(url, fetched);
  const reply = await fetched(path, {
    method: options.method ?? (body === undefined && raw === undefined ? 'GET' : 'POST'),
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...options.headers,
    },
    // Send bytes, because fetch adds a content type to strings.
    ...(raw === undefined ? {} : { body: typeof raw === 'string' ? new TextEncoder().encode(raw) : raw }),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await reply.text();
  // The service has fixes as objects. Clients must get them as sentences.
  if (text.includes('[object Object]')) throw new Error(`${path} → an object as a text: ${text}`);
  const json = /\bjson\b/.test(reply.headers.get('content-type') ?? '');
  return { status: reply.status, headers: reply.headers, body: (json ? JSON.parse(text) : text) as T };
}

interface Bearer {
  readonly token: string;
  /** The token, renewed if it would end during a test. */
  renewed(): Promise<string>;
}

export const clientWithToken = (url: string, token: string): ApiClient =>
  clientOf(url, { token, renewed: () => Promise.resolve(token) });

function clientOf(url: string, bearer: Bearer): ApiClient {
  const request = async <T = ProblemView>(path: string, options?: RequestOptions) =>
    sendRequest<T>(url, path, options, await bearer.renewed());
  async function expectStatus<T>(path: string, options: RequestOptions, status: number): Promise<T> {
    const reply = await request<T>(path, options);
    if (reply.status !== status) throw new Error(`${path} → ${reply.status}: ${JSON.stringify(reply.body)}`);
    return reply.body;
  }
  const job = (jobId: string) => expectStatus<JobView>(`/api/conversion/${jobId}`, {}, 200);
  const wait: ApiClient['wait'] = async (jobId, wanted = hasEnded, seconds = 50) => {
    let last: JobView | undefined;
    const readJob = async () => {
      last = await job(jobId);
      return wanted(last) ? last : undefined;
    };
    const pause = wanted === hasEnded ? () => pauseUntilEnd(jobId) : pauseOfPolls;
    return waitUntil(`job ${jobId}`, readJob, seconds, pause).catch((cause) => {
      throw new Error(`The last state of the job was ${JSON.stringify(last)}`, { cause });
    });
  };
  const accept: ApiClient['accept'] = async (body, headers = {}) =>
    (await expectStatus<AcceptedView>('/api/conversion', { body, headers }, 202)).jobId;
  return {
    get token() {
      return bearer.token;
    },
    request,
    accept,
    job,
    list: (query = '') => expectStatus<JobListView>(`/api/conversion${query}`, {}, 200),
    wait,
    run: async (request) => wait(await accept(request)),
    log: (jobId) => expectStatus<string>(`/api/conversion/${jobId}/log`, {}, 200),
  };
}

/** Obtains tokens with the secret of a client. */
export async function obtainTokens(url: string, credentials: ClientCredentials, scope?: string): Promise<TokenReply> {
  const body = { clientId: credentials.clientId, clientSecret: credentials.clientSecret, ...(scope && { scope }) };
  const reply = await sendRequest<TokenReply>(url, '/api/auth/token', { body });
  if (reply.status !== 200) throw new Error(`No token: ${JSON.stringify(reply.body)}`);
  return reply.body;
}

/** Access tokens last 15 minutes, and the tests of a file take longer on a slow machine. */
const RENEW_MS = 8 * 60_000;

/** A client that logs in again before its token ends. */
export async function login(url: string, credentials: ClientCredentials, scope?: string): Promise<ApiClient> {
  const obtain = async () => ({ at: performance.now(), ...(await obtainTokens(url, credentials, scope)) });
  let last = await obtain();
  let renewal: Promise<void> | undefined;
  const renew = async () => {
    last = await obtain();
  };
  const renewed = async () => {
    if (performance.now() - last.at > RENEW_MS) {
      renewal ??= renew().finally(() => {
        renewal = undefined;
      });
      await renewal;
    }
    return last.accessToken;
  };
  return clientOf(url, {
    get token() {
      return last.accessToken;
    },
    renewed,
  });
}

export const adminClient = async (server: { readonly url: string; readonly dataDir: string }): Promise<ApiClient> =>
  login(server.url, JSON.parse(await readFile(adminFile(server.dataDir), 'utf8')) as ClientCredentials);
