import { allows, type Caller } from '@telecine/contract/domain/client.ts';
import { Problem, type ProblemCode } from '@telecine/contract/domain/problem.ts';
import { requireScope } from '../../auth/scopes.ts';
import type { Credential } from './credential.ts';

/** How often the credentials of open streams are checked. */
const CREDENTIAL_CHECK_MS = 250;

const SILENCE_CHECK_MS = 1000;

/** A client that reads nothing for this time is disconnected. */
const STALL_MS = 60_000;

/**
 * Error codes with which the check of a credential ends its streams. Other errors may be temporary, such as an outage
 * of the database.
 */
const REJECTED: ReadonlySet<ProblemCode> = new Set(['INVALID_TOKEN', 'INSUFFICIENT_SCOPE', 'NOT_A_CLIENT']);

interface WatchedStream {
  readonly credential: Credential;
  /** The caller when the stream was opened. */
  readonly caller: Caller;
  /** By `performance.now`. */
  readonly writtenAt: number;
  readonly blockedSince: number | undefined;
  heartbeat(): void;
  destroy(): void;
  /** Ends the stream, because its credential is no longer valid. */
  revoke(): void;
}

/** Watches open streams. Returns a function that adds a stream, and in turn returns the function that removes it. */
export function streamWatch(heartbeatMs: number) {
  const byCredential = new Map<string, Set<WatchedStream>>();
  const verifying = new Set<string>();
  let timers: readonly NodeJS.Timeout[] = [];

  /** Returns whether the credential still allows as much as when the stream was opened. */
  const isValid = async (credential: Credential, isAdmin: boolean): Promise<boolean> => {
    try {
      const caller = await credential.verify();
      requireScope(caller, 'jobs:read');
      return allows(caller, 'admin') === isAdmin;
    } catch (error) {
      return !(error instanceof Problem && REJECTED.has(error.code));
    }
  };

  const check = async (text: string, streams: ReadonlySet<WatchedStream>): Promise<void> => {
    const [stream] = streams;
    if (stream === undefined || verifying.has(text)) return;
    verifying.add(text);
    const isAdmin = [...streams].some(({ caller }) => allows(caller, 'admin'));
    if (!(await isValid(stream.credential, isAdmin))) for (const each of [...streams]) each.revoke();
    verifying.delete(text);
  };
  const checkCredentials = (): void => {
    for (const [text, streams] of byCredential) void check(text, streams);
  };

  const checkSilence = (): void => {
    const now = performance.now();
    for (const streams of byCredential.values())
      for (const stream of streams) {
        if (stream.blockedSince !== undefined) {
          if (now - stream.blockedSince >= STALL_MS) stream.destroy();
        } else if (now - stream.writtenAt >= heartbeatMs) stream.heartbeat();
      }
  };

  return (stream: WatchedStream): (() => void) => {
    const { text } = stream.credential;
    if (byCredential.size === 0)
      timers = [setInterval(checkCredentials, CREDENTIAL_CHECK_MS), setInterval(checkSilence, SILENCE_CHECK_MS)];
    const streams = byCredential.get(text) ?? new Set();
    byCredential.set(text, streams.add(stream));
    return () => {
      if (!streams.delete(stream) || streams.size > 0) return;
      byCredential.delete(text);
      if (byCredential.size === 0) for (const timer of timers) clearInterval(timer);
    };
  };
}
