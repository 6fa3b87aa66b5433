import type { TokenOperations } from '../../auth/operations.ts';
import { requireScope } from '../../auth/scopes.ts';
import { allows, type Caller } from '../../domain/client.ts';
import { Problem, type ProblemCode } from '../../domain/problem.ts';

/** How often tokens are checked. A revocation is known within a second, and then seen by the next check. */
const TOKEN_CHECK_MS = 250;

const SILENCE_CHECK_MS = 1000;

/** A client that reads nothing for this time is disconnected. */
const STALL_MS = 60_000;

/** What the token of a stream is no longer good for. Other errors, as of a lost database, may pass. */
const REJECTED: ReadonlySet<ProblemCode> = new Set(['INVALID_TOKEN', 'INSUFFICIENT_SCOPE', 'NOT_A_CLIENT']);

export interface WatchedStream {
  readonly token: string;
  /** The caller when the stream began. */
  readonly caller: Caller;
  /** Milliseconds of `performance.now()`. */
  readonly writtenAt: number;
  readonly blockedSince: number | undefined;
  heartbeat(): void;
  destroy(): void;
  /** Ends the stream because its token is no longer valid. */
  revoke(): void;
}

/** Watches open streams. Returns a function that adds one; what that returns removes it. */
export function streamWatch(tokens: Pick<TokenOperations, 'verify'>, heartbeatMs: number) {
  const byToken = new Map<string, Set<WatchedStream>>();
  const verifying = new Set<string>();
  let timers: readonly NodeJS.Timeout[] = [];

  /** Whether the token still allows what it allowed when the stream began. */
  const isValid = async (token: string, isAdmin: boolean): Promise<boolean> => {
    try {
      const caller = await tokens.verify(token);
      requireScope(caller, 'jobs:read');
      return allows(caller, 'admin') === isAdmin;
    } catch (error) {
      return !(error instanceof Problem && REJECTED.has(error.code));
    }
  };

  const checkToken = async (token: string, streams: ReadonlySet<WatchedStream>): Promise<void> => {
    if (verifying.has(token)) return;
    verifying.add(token);
    const isAdmin = [...streams].some(({ caller }) => allows(caller, 'admin'));
    if (!(await isValid(token, isAdmin))) for (const stream of [...streams]) stream.revoke();
    verifying.delete(token);
  };
  const checkTokens = (): void => {
    for (const [token, streams] of byToken) void checkToken(token, streams);
  };

  const checkSilence = (): void => {
    const now = performance.now();
    for (const streams of byToken.values())
      for (const stream of streams) {
        if (stream.blockedSince !== undefined) {
          if (now - stream.blockedSince >= STALL_MS) stream.destroy();
        } else if (now - stream.writtenAt >= heartbeatMs) stream.heartbeat();
      }
  };

  return (stream: WatchedStream): (() => void) => {
    const { token } = stream;
    if (byToken.size === 0)
      timers = [setInterval(checkTokens, TOKEN_CHECK_MS), setInterval(checkSilence, SILENCE_CHECK_MS)];
    const streams = byToken.get(token) ?? new Set();
    byToken.set(token, streams.add(stream));
    return () => {
      if (!streams.delete(stream) || streams.size > 0) return;
      byToken.delete(token);
      if (byToken.size === 0) for (const timer of timers) clearInterval(timer);
    };
  };
}
