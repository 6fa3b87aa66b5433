import {
  ENDPOINTS,
  isRepeatable,
  type OperationId,
  pathOf,
  SESSION_HEADER,
} from '@telecine/contract/wire/endpoints.ts';
import type { Declared } from '@telecine/contract/wire/operations/operations.ts';
import type { ParamsOf, ReplyOf, SentBodyOf, SentQueryOf } from '@telecine/contract/wire/operations/types.ts';
import type { TokensView } from '@telecine/contract/wire/token.ts';
import type { z } from 'zod';
import { ClientError, errorResponse, isLocalError, unreachable } from './client-error.ts';
import type { CallOptions, ClientAuth, ClientOptions, Fetch, RetryBudget } from './options.ts';
import { DEFAULT_BUDGET, orAborted, type RetryRules, withRetry } from './retry.ts';
import { followStorageRedirect } from './storage-redirect.ts';
import { clientTokens } from './tokens.ts';

interface CallSettings extends CallOptions, Partial<RetryRules> {
  /** Creates the header fields for each attempt. */
  readonly headers?: () => Readonly<Record<string, string>>;
  /** The time limit for the whole reply. Default: 30. 0: no limit. */
  readonly timeoutSeconds?: number;
  /** The body of a request that does not send JSON. */
  readonly bytes?: Blob;
  /** Sends HEAD instead of the declared GET. */
  readonly method?: 'HEAD';
  /** Error statuses whose replies have the normal body instead of a problem document. */
  readonly accepts?: readonly number[];
  /** Whether the service may redirect the request to an object store. */
  readonly isDownload?: true;
}

/** A call of the operation that `O` declares: settings, path parameters, query and body. */
export type Call<O> = CallSettings & { readonly query?: SentQueryOf<O> } & (O extends { readonly params: z.ZodType }
    ? { readonly params: ParamsOf<O> }
    : { readonly params?: undefined }) &
  (O extends { readonly body: { readonly schema: z.ZodType } }
    ? { readonly body: SentBodyOf<O> }
    : { readonly body?: undefined });

export interface Transport {
  /** The URL of the service, without a trailing slash. */
  readonly url: string;
  /** Calls `request` with a valid token, and retries it as the rules allow. Renews a rejected token once. */
  attempt<T>(rules: RetryRules, request: (token: string) => Promise<T>): Promise<T>;
  /** Calls an operation and returns its JSON reply. undefined for status 204. GET and HEAD requests count as repeatable. */
  call<Id extends OperationId>(id: Id, call: Call<Declared[Id]>): Promise<ReplyOf<Declared[Id]>>;
  /** Calls an operation and returns the result of `read` for its response. */
  read<Id extends OperationId, T>(
    id: Id,
    call: Call<Declared[Id]>,
    read: (response: Response) => Promise<T>,
  ): Promise<T>;
}

const TIMEOUT_SECONDS = 30;

/** @param address The URL of the service, with or without a trailing slash. */
export function createTransport(
  address: string,
  auth: ClientAuth,
  { fetch: fetchFrom = (url, init) => fetch(url, init), retries = DEFAULT_BUDGET }: ClientOptions = {},
): Transport {
  const url = address.replace(/\/+$/, '');
  const service = { url, fetch: fetchFrom };
  const tokenCall =
    (id: 'obtainToken' | 'refreshToken') =>
    (body: unknown, budget: RetryBudget = retries): Promise<TokensView> =>
      withRetry({ isRepeatable: true, budget }, () => send(service, id, { body }, undefined, readJson<TokensView>));
  const tokens = clientTokens({ obtain: tokenCall('obtainToken'), refresh: tokenCall('refreshToken') }, auth);

  const attempt: Transport['attempt'] = async (rules, request) => {
    // Token requests have their own retries. Inside the retries of a call, the numbers would multiply.
    let token = await orAborted(tokens.current(rules.budget), rules.signal);
    return withRetry(rules, async () => {
      try {
        return await request(token);
      } catch (error) {
        if (!(error instanceof ClientError) || error.status !== 401 || !tokens.discard(token)) throw error;
        token = await orAborted(tokens.current(rules.budget), rules.signal);
        return request(token);
      }
    });
  };

  // Takes a call of any operation: TypeScript needs seconds to check the copy of a call whose type depends on the operation.
  const readLoosely = <T>(id: OperationId, call: LooseCall, reader: (response: Response) => Promise<T>): Promise<T> => {
    const mayRepeat = call.isRepeatable ?? isRepeatable(id);
    const rules = { ...call, isRepeatable: mayRepeat, budget: call.budget ?? retries };
    return attempt(rules, (token) => send(service, id, call, token, reader));
  };

  return {
    url,
    attempt,
    read: readLoosely,
    call: (id, call) => readLoosely(id, call, readJson<ReplyOf<Declared[typeof id]>>),
  };
}

/** Parses the JSON body. undefined: there is none. The body is not validated: `T` comes from the declaration of the operation. */
const readJson = async <T>(response: Response): Promise<T> =>
  (response.status === 204 ? undefined : await response.json()) as T;

interface LooseCall extends CallSettings {
  readonly params?: unknown;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/** Sends one request and reads its reply. Rejects with `ClientError`, or with the reason of an aborted signal. */
async function send<T>(
  service: { readonly url: string; readonly fetch: Fetch },
  id: OperationId,
  call: LooseCall,
  token: string | undefined,
  read: (response: Response) => Promise<T>,
): Promise<T> {
  const { params, query = {}, body, bytes, headers, signal, timeoutSeconds = TIMEOUT_SECONDS } = call;
  const url = new URL(service.url + ownPath(id, params as Record<string, string> | undefined));
  // The items of a list are parameters of their own.
  for (const [name, value] of Object.entries(query))
    for (const one of [value].flat()) if (one !== undefined) url.searchParams.append(name, String(one));
  const timeout = timeoutSeconds === 0 ? [] : [AbortSignal.timeout(timeoutSeconds * 1000)];
  const anySignal = AbortSignal.any([...timeout, ...(signal === undefined ? [] : [signal])]);
  try {
    const request: RequestInit = {
      method: call.method ?? ENDPOINTS[id].method,
      headers: {
        accept: 'application/json, */*',
        // Ask for no compression, which would change the ranges and lengths of files.
        'accept-encoding': 'identity',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...credential(token),
        ...headers?.(),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(bytes === undefined ? {} : { body: bytes }),
      // Do not follow a redirect, which would send a secret to another host.
      redirect: 'manual',
      signal: anySignal,
    };
    const reply = await service.fetch(url, request);
    const response = call.isDownload ? await followStorageRedirect(service.fetch, reply, url, request) : reply;
    if (response.ok || call.accepts?.includes(response.status)) return await read(response);
    const text = await response.text();
    throw errorResponse({
      status: response.status,
      header: (name) => response.headers.get(name) ?? undefined,
      isHead: call.method === 'HEAD',
      isRedirect: response.type === 'opaqueredirect',
      body: text,
    });
  } catch (error) {
    if (error instanceof ClientError || signal?.aborted || isLocalError(error)) throw error;
    throw unreachable(service.url, error);
  }
}

/** The header field for a token. '' stands for the session of the browser. */
function credential(token: string | undefined): Readonly<Record<string, string>> {
  if (token === undefined) return {};
  return token === '' ? { [SESSION_HEADER]: '1' } : { authorization: `Bearer ${token}` };
}

/** The path of an operation. If a parameter would lead to another operation, throws the error that the service would send. */
function ownPath(id: OperationId, params: Readonly<Record<string, string>> | undefined): string {
  try {
    return pathOf(id, params);
  } catch (cause) {
    if (!(cause instanceof RangeError || cause instanceof URIError)) throw cause;
    throw new ClientError('rejected', cause.message, { code: 'INVALID_REQUEST', cause });
  }
}
