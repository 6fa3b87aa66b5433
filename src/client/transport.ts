import { setTimeout as delay } from 'node:timers/promises';
import type { TokensView } from '../wire/token.ts';
import { orAborted } from './abort.ts';
import { ClientError } from './client-error.ts';
import { refusal } from './error-response.ts';
import { PATIENCE, type Patience, pauseBefore } from './retry.ts';
import { type Credentials, keepTokens } from './tokens.ts';

/** What all calls may be told. */
export interface CallOptions {
  /** Ends the call, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** How a call is tried again. */
export interface Rules extends CallOptions {
  readonly repeatable: boolean;
  readonly patience?: Patience | undefined;
}

/** A call whose body, if any, is JSON. */
export interface Ask extends Partial<Rules> {
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'DELETE';
  /** From `/`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
  /** Made for each try anew. */
  readonly headers?: () => Readonly<Record<string, string>>;
  /** Seconds for the whole answer; 30 by default, 0 for no limit. */
  readonly withinSeconds?: number;
}

/** One service and one caller. */
export interface Transport {
  /** The service's address without a slash at its end. */
  readonly url: string;
  /** Runs `once` with a valid token, and again as the rules say; a token that is refused is renewed once. */
  attempt<T>(rules: Rules, once: (token: string) => Promise<T>): Promise<T>;
  /** Sends a request and reads its answer; GET, HEAD and what is said to be are repeatable. */
  call<T>(ask: Ask, read: (answer: Response) => Promise<T>): Promise<T>;
}

const WITHIN_SECONDS = 30;

/** @param address With or without a slash at its end. */
export function createTransport(address: string, credentials: Credentials): Transport {
  const url = address.replace(/\/+$/, '');
  const tokens = keepTokens(
    (path, body, patience) =>
      insist({ repeatable: true, patience }, () =>
        fetched(url, { method: 'POST', path, body }, undefined, (answer) => answer.json() as Promise<TokensView>),
      ),
    credentials,
  );

  const attempt: Transport['attempt'] = async (rules, once) => {
    // Tried again on its own terms: within those of the call, each of its tries would wait as long once more.
    let token = await orAborted(tokens.current(rules.patience), rules.signal);
    return insist(rules, async () => {
      try {
        return await once(token);
      } catch (error) {
        if (!(error instanceof ClientError) || error.status !== 401 || !tokens.drop(token)) throw error;
        token = await orAborted(tokens.current(rules.patience), rules.signal);
        return once(token);
      }
    });
  };

  return {
    url,
    attempt,
    call: (ask, read) =>
      attempt({ ...ask, repeatable: ask.repeatable ?? isSafe(ask) }, (token) => fetched(url, ask, token, read)),
  };
}

const isSafe = ({ method = 'GET' }: Ask): boolean => method === 'GET' || method === 'HEAD';

/** Tries until it succeeds, or the rules give it up. */
async function insist<T>({ repeatable, patience = PATIENCE, signal }: Rules, once: () => Promise<T>): Promise<T> {
  let waitedSeconds = 0;
  for (let tries = 1; ; tries += 1) {
    signal?.throwIfAborted();
    try {
      return await once();
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      if (!(error instanceof ClientError)) throw error;
      const pause = pauseBefore(error, { tries, waitedSeconds, repeatable }, patience);
      if (pause === undefined) throw error;
      await orAborted(delay(pause * 1000), signal);
      waitedSeconds += pause;
    }
  }
}

async function fetched<T>(
  base: string,
  ask: Ask,
  token: string | undefined,
  read: (answer: Response) => Promise<T>,
): Promise<T> {
  const { method = 'GET', path, query = {}, body, headers, signal, withinSeconds = WITHIN_SECONDS } = ask;
  const url = new URL(`${base}${path}`);
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value);
  const limit = withinSeconds === 0 ? [] : [AbortSignal.timeout(withinSeconds * 1000)];
  try {
    const answer = await fetch(url, {
      method,
      headers: {
        accept: 'application/json, */*',
        // Ranges and lengths are those of the file itself.
        'accept-encoding': 'identity',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...headers?.(),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      // A secret is sent where it was meant for, and nowhere else.
      redirect: 'manual',
      signal: AbortSignal.any([...limit, ...(signal === undefined ? [] : [signal])]),
    });
    if (answer.ok) return await read(answer);
    const text = await answer.text();
    throw refusal({ status: answer.status, header: (name) => answer.headers.get(name) ?? undefined, body: text });
  } catch (error) {
    if (error instanceof ClientError || signal?.aborted || isLocal(error)) throw error;
    throw unreachable(base, error);
  }
}

/** Of this machine's disk: the network's come wrapped by fetch, or without a path. */
export const isLocal = (error: unknown): boolean =>
  error instanceof Error && 'syscall' in error && ('path' in error || !NETWORK.has(error.syscall));

const NETWORK: ReadonlySet<unknown> = new Set(['connect', 'read', 'write', 'getaddrinfo', 'shutdown']);

/** No answer came, or not all of it. */
export function unreachable(base: string, cause: unknown): ClientError {
  if (cause instanceof SyntaxError)
    return new ClientError('unexpected', `What answers at ${base} is no Telecine: its answer is not JSON.`, { cause });
  return new ClientError('unreachable', `${base} cannot be reached: ${reasonOf(cause)}.`, { cause });
}

/** fetch says "fetch failed" and keeps the reason to itself. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  if (cause.name === 'TimeoutError') return 'it did not answer in time';
  const inner = cause.cause instanceof Error ? cause.cause : cause;
  // Of several addresses tried, each has its own.
  const [first] = inner instanceof AggregateError ? (inner.errors as Error[]) : [inner];
  return (first ?? inner).message || inner.name;
}
