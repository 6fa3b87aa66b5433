import type { PlanJobDeps } from './plan-job.ts';

type ContextOf = PlanJobDeps['clientContextOf'];

/** Half the time between two heartbeats, so that each of them reads it. */
const FRESH_MS = 500;

/**
 * Reads the context of a client at most twice a second. An attempt needs it at its start, at each heartbeat and at its end,
 * which are one moment for a small job.
 */
export function recentContext(clientContextOf: ContextOf): ContextOf {
  let last: { readonly clientId: string; readonly atMs: number; readonly context: ReturnType<ContextOf> } | undefined;
  return async (clientId) => {
    const atMs = performance.now();
    if (last?.clientId === clientId && atMs - last.atMs < FRESH_MS) return last.context;
    const context = clientContextOf(clientId);
    last = { clientId, atMs, context };
    context.catch(() => {
      if (last?.context === context) last = undefined;
    });
    return context;
  };
}
