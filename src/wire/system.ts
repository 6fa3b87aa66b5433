import { z } from 'zod';

export const health = z
  .object({ status: z.literal('ok'), version: z.string(), uptimeSeconds: z.number().nonnegative() })
  .meta({ id: 'Health', description: 'The process answers.' });

const check = z
  .object({ status: z.enum(['ok', 'failed']), message: z.string().optional() })
  .meta({ id: 'ReadyCheck', description: 'One thing that the service needs.' });

export const ready = z
  .object({
    status: z.enum(['ready', 'unavailable']),
    checks: z.record(z.string(), check).meta({ examples: [{ store: { status: 'ok' } }] }),
  })
  .meta({ id: 'Ready', description: 'Whether the service can take work.' });

export type HealthView = z.infer<typeof health>;
export type ReadyView = z.infer<typeof ready>;

/** One check: what is wrong where it fails. */
export interface CheckResult {
  readonly ok: boolean;
  readonly message?: string;
}

export function readyView(checks: Readonly<Record<string, CheckResult>>): ReadyView {
  const entries = Object.entries(checks);
  return {
    status: entries.every(([, { ok }]) => ok) ? 'ready' : 'unavailable',
    checks: Object.fromEntries(
      entries.map(([name, { ok, message }]) => [name, { status: ok ? 'ok' : 'failed', message }]),
    ),
  };
}
