import { readFile } from 'node:fs/promises';
import { adminFile, type TokenReply } from '../../scripts/lib/api.ts';
import type { AcceptedView } from '../../src/wire/accepted.ts';
import type { JobListView, JobView } from '../../src/wire/job.ts';
import type { ProblemView } from '../../src/wire/problem.ts';
import { validatedFetch } from './validated.ts';
import { until } from './wait.ts';

export interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface Asked {
  readonly method?: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is, without a content type of its own. */
  readonly raw?: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answer<T> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T;
}

/** One caller of a running service. Each response is checked against the service's own `/openapi.json`. */
export interface ApiClient {
  readonly token: string;
  ask<T = ProblemView>(path: string, asked?: Asked): Promise<Answer<T>>;
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
const services = new Map<string, ReturnType<typeof validatedFetch>>();

/** For the set-up file alone: the next service may get an address that another one had. */
export const forgetServices = (): void => services.clear();

/** As `ApiClient.ask`, for whoever has a token, another or none. */
export async function ask<T = ProblemView>(
  url: string,
  path: string,
  asked: Asked = {},
  token?: string,
): Promise<Answer<T>> {
  const { body, raw } = asked;
  const fetched = services.get(url) ?? validatedFetch(url);
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
  async function good<T>(path: string, asked: Asked, status: number): Promise<T> {
    const answer = await ask<T>(url, path, asked, token);
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
    return until(`job ${jobId}`, look, seconds).catch((cause) => {
      throw new Error(`The job was last seen as ${JSON.stringify(last)}`, { cause });
    });
  };
  const accept: ApiClient['accept'] = async (body, headers = {}) =>
    (await good<AcceptedView>('/api/conversion', { body, headers }, 202)).jobId;
  return {
    token,
    ask: (path, asked) => ask(url, path, asked, token),
    accept,
    job,
    list: (query = '') => good<JobListView>(`/api/conversion${query}`, {}, 200),
    wait,
    run: async (request) => wait(await accept(request)),
    log: (jobId) => good<string>(`/api/conversion/${jobId}/log`, {}, 200),
  };
}

/** Obtains tokens with a client's secret. */
export async function tokensOf(url: string, credentials: Credentials, scope?: string): Promise<TokenReply> {
  const body = { clientId: credentials.clientId, clientSecret: credentials.clientSecret, ...(scope && { scope }) };
  const answer = await ask<TokenReply>(url, '/api/auth/token', { body });
  if (answer.status !== 200) throw new Error(`No token: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

export const login = async (url: string, credentials: Credentials, scope?: string): Promise<ApiClient> =>
  clientWithToken(url, (await tokensOf(url, credentials, scope)).accessToken);

export const adminClient = async (server: { readonly url: string; readonly dataDir: string }): Promise<ApiClient> =>
  login(server.url, JSON.parse(await readFile(adminFile(server.dataDir), 'utf8')) as Credentials);
