import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JobView } from '../../packages/contract/src/wire/job.ts';
import type { TokensView } from '../../packages/contract/src/wire/token.ts';

interface Reply<T> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T;
}

interface CallOptions {
  readonly method?: 'GET' | 'POST' | 'DELETE' | 'PATCH';
  readonly token?: string;
  /** Sent as JSON. A string is sent unchanged. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends one request. Reads the body as JSON if it is JSON, otherwise as text. Never throws on a status. */
export async function call<T = unknown>(url: string, options: CallOptions = {}): Promise<Reply<T>> {
  const { token, body } = options;
  const response = await fetch(url, {
    method: options.method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...options.headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const json = /\bjson\b/.test(response.headers.get('content-type') ?? '');
  return { status: response.status, headers: response.headers, body: (json ? JSON.parse(text) : text) as T };
}

/** Like `call`, but throws with the reply unless the status is 2xx. */
export async function must<T>(url: string, options: CallOptions = {}): Promise<T> {
  const reply = await call<T>(url, options);
  if (reply.status >= 200 && reply.status < 300) return reply.body;
  const bodyText = typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body, null, 2);
  throw new Error(
    `${options.method ?? (options.body === undefined ? 'GET' : 'POST')} ${url} → ${reply.status}\n${bodyText}`,
  );
}

/** The file to which the first start writes the id and secret of the admin client: the body of a token request. */
export const adminFile = (dataDir: string): string => join(dataDir, 'admin-client.json');

export type TokenReply = TokensView;

/** Obtains a token of the admin client over HTTP. */
export async function adminLogin(url: string, dataDir: string): Promise<TokenReply> {
  return must<TokenReply>(`${url}/api/auth/token`, { body: await readFile(adminFile(dataDir), 'utf8') });
}

export const isFinal = (job: JobView): boolean => job.status !== 'PENDING' && job.status !== 'PROCESSING';

export const getJob = (url: string, token: string, jobId: string): Promise<JobView> =>
  must<JobView>(`${url}/api/conversion/${jobId}`, { token });
