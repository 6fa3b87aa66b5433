import { z } from 'zod';
import { choice } from './described-schemas.ts';
import type { Shape } from './shape.ts';

export const healthSchema = z
  .object({ status: z.literal('ok'), version: z.string(), uptimeSeconds: z.number().nonnegative() })
  .meta({ id: 'Health', description: 'The process responds.' });

const check = z
  .object({
    status: choice(['ok', 'paused', 'failed'], '`paused`: jobs are accepted, but do not start. The service is ready.'),
    message: z.string().optional(),
  })
  .meta({ id: 'ReadyCheck', description: 'One requirement of the service.' });

export const readySchema = z
  .object({
    status: z.enum(['ready', 'unavailable']),
    checks: z.record(z.string(), check).meta({ examples: [{ store: { status: 'ok' } }] }),
  })
  .meta({ id: 'Ready', description: 'Whether the service can accept work.' });

export type ReadyView = Shape<typeof readySchema>;

/** The result of one check. `message` says why the check failed, why the queue is paused, or what the check found. */
export interface CheckResult {
  readonly ok: boolean;
  /** Present if the queue is paused: jobs are accepted, but none starts. */
  readonly isPaused?: true;
  readonly message?: string;
}

export function readyView(checks: Readonly<Record<string, CheckResult>>): ReadyView {
  const entries = Object.entries(checks);
  return {
    status: entries.every(([, { ok }]) => ok) ? 'ready' : 'unavailable',
    checks: Object.fromEntries(
      entries.map(([name, { ok, isPaused, message }]) => [name, { status: statusOf(ok, isPaused), message }]),
    ),
  };
}

function statusOf(ok: boolean, isPaused = false): ReadyView['checks'][string]['status'] {
  if (!ok) return 'failed';
  return isPaused ? 'paused' : 'ok';
}
