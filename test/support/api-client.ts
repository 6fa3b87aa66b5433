import { readFile } from 'node:fs/promises';
import { adminFile, type TokenReply } from '../../scripts/lib/api.ts';
import type { AcceptedView } from '../../src/wire/accepted.ts';
import type { JobListView, JobView } from '../../src/wire/job.ts';
import type { ProblemView } from '../../src/wire/problem.ts';
import { checkedFetch } from './openapi-contract.ts';
import { waitUntil } from './wait.ts';

export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface RequestOptions {
  readonly method?: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is, without a content type of its own. */
  readonly raw?: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ApiReply<T> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T;
}

/** One caller of a running service. Each response is checked against the service's own `/openapi.json`. */
export interface ApiClient {
  readonly token: string;
  request<T = ProblemView>(path: string, asked?: RequestOptions): Promise<ApiReply<T>>;
  /** Submits what must be accepted; its job's id. */
  accept(request: object, headers?: Readonly<Record<string, string>>): Promise<string>;
  job(jobId: string): Promise<JobView>;
  list(query?: string): Promise<JobListView>;
  /** The job once `wanted` holds; by default once it has ended. */
  wait(jobId: string, wanted?: (job: JobView) => boolean, seconds?: number): Promise<JobView>;
  /** Submits and waits for the end. */
  run(request: object): Promise<JobView>;
  log(jobId: string): Promise<string>;
}

const hasEnded = ({ status }: JobView): boolean => status !== 'PENDING' && status !== 'PROCESSING';

/** By address. */
const services = new Map<string, ReturnType<typeof checkedFetch>>();

/** For the set-up file alone: the next service may get an address that another one had. */
export const forgetContracts = (): void => services.clear();

/** As `ApiClient.ask`, for whoever has a token, another or none. */
export async function sendRequest<T = ProblemView>(
  url: string,
  path: string,
  asked: RequestOptions = {},
  token?: string,
): Promise<ApiReply<T>> {
  const { body, raw } = asked;
  const fetched = services.get(url) ?? checkedFetch(url);
  services.set(url, fetched);
  const reply = await fetched(path, {
    method: asked.method ?? (body === undefined && raw === undefined ? 'GET' : 'POST'),
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...asked.headers,
    },
    // Bytes, for which fetch makes up no content type.
    ...(raw === undefined ? {} : { body: typeof raw === 'string' ? new TextEncoder().encode(raw) : raw }),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await reply.text();
  const json = /\bjson\b/.test(reply.headers.get('content-type') ?? '');
  return { status: reply.status, headers: reply.headers, body: (json ? JSON.parse(text) : text) as T };
}

export function clientWithToken(url: string, token: string): ApiClient {
  async function good<T>(path: string, asked: RequestOptions, status: number): Promise<T> {
    const answer = await sendRequest<T>(url, path, asked, token);
    if (answer.status !== status) throw new Error(`${path} → ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  }
  const job = (jobId: string) => good<JobView>(`/api/conversion/${jobId}`, {}, 200);
  const wait: ApiClient['wait'] = async (jobId, wanted = hasEnded, seconds = 50) => {
    let last: JobView | undefined;
    const look = async () => {
      last = await job(jobId);
      return wanted(last) ? last : undefined;
    };
    return waitUntil(`job ${jobId}`, look, seconds).catch((cause) => {
      throw new Error(`The job was last seen as ${JSON.stringify(last)}`, { cause });
    });
  };
  const accept: ApiClient['accept'] = async (body, headers = {}) =>
    (await good<AcceptedView>('/api/conversion', { body, headers }, 202)).jobId;
  return {
    token,
    request: (path, asked) => sendRequest(url, path, asked, token),
    accept,
    job,
    list: (query = '') => good<JobListView>(`/api/conversion${query}`, {}, 200),
    wait,
    run: async (request) => wait(await accept(request)),
    log: (jobId) => good<string>(`/api/conversion/${jobId}/log`, {}, 200),
  };
}

/** Obtains tokens with a client's secret. */
export async function obtainTokens(url: string, credentials: ClientCredentials, scope?: string): Promise<TokenReply> {
  const body = { clientId: credentials.clientId, clientSecret: credentials.clientSecret, ...(scope && { scope }) };
  const answer = await sendRequest<TokenReply>(url, '/api/auth/token', { body });
  if (answer.status !== 200) throw new Error(`No token: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

export const login = async (url: string, credentials: ClientCredentials, scope?: string): Promise<ApiClient> =>
  clientWithToken(url, (await obtainTokens(url, credentials, scope)).accessToken);

export const adminClient = async (server: { readonly url: string; readonly dataDir: string }): Promise<ApiClient> =>
  login(server.url, JSON.parse(await readFile(adminFile(server.dataDir), 'utf8')) as ClientCredentials);
