import type { TokenOperations } from '../../auth/operations.ts';
import { requireScope } from '../../auth/scopes.ts';
import { allows, type Caller } from '../../domain/client.ts';
import { Problem, type ProblemCode } from '../../domain/problem.ts';

/** How often tokens and silence are checked. A revocation is seen within a second, and then by the next check. */
const CHECK_MS = 250;

/** A client that reads nothing for this time is disconnected. */
const STALL_MS = 60_000;

/** What the token of a stream is no longer good for. Other errors, as of a lost database, may pass. */
const REJECTED: ReadonlySet<ProblemCode> = new Set(['INVALID_TOKEN', 'INSUFFICIENT_SCOPE', 'NOT_A_CLIENT']);

export interface WatchedStream {
  readonly token: string | undefined;
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
  const streams = new Set<WatchedStream>();
  const verifying = new Set<string | undefined>();
  let timer: NodeJS.Timeout | undefined;

  /** Whether the token still allows what it allowed when the stream began. */
  const isValid = async (token: string | undefined, isAdmin: boolean): Promise<boolean> => {
    try {
      const caller = await tokens.verify(token);
      requireScope(caller, 'jobs:read');
      return allows(caller, 'admin') === isAdmin;
    } catch (error) {
      return !(error instanceof Problem && REJECTED.has(error.code));
    }
  };

  const checkToken = async (token: string | undefined, sharing: readonly WatchedStream[]): Promise<void> => {
    if (verifying.has(token)) return;
    verifying.add(token);
    const isAdmin = sharing.some(({ caller }) => allows(caller, 'admin'));
    if (!(await isValid(token, isAdmin))) for (const stream of sharing) stream.revoke();
    verifying.delete(token);
  };

  const check = (): void => {
    const now = performance.now();
    for (const stream of streams) {
      if (stream.blockedSince !== undefined) {
        if (now - stream.blockedSince >= STALL_MS) stream.destroy();
      } else if (now - stream.writtenAt >= heartbeatMs) stream.heartbeat();
    }
    for (const [token, sharing] of Map.groupBy(streams, ({ token }) => token)) void checkToken(token, sharing);
  };

  return (stream: WatchedStream): (() => void) => {
    streams.add(stream);
    timer ??= setInterval(check, CHECK_MS);
    return () => {
      streams.delete(stream);
      if (streams.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    };
  };
}
