import { z } from 'zod';

export const healthSchema = z
  .object({ status: z.literal('ok'), version: z.string(), uptimeSeconds: z.number().nonnegative() })
  .meta({ id: 'Health', description: 'The process responds.' });

const check = z
  .object({ status: z.enum(['ok', 'failed']), message: z.string().optional() })
  .meta({ id: 'ReadyCheck', description: 'One requirement of the service.' });

export const readySchema = z
  .object({
    status: z.enum(['ready', 'unavailable']),
    checks: z.record(z.string(), check).meta({ examples: [{ store: { status: 'ok' } }] }),
  })
  .meta({ id: 'Ready', description: 'Whether the service can accept work.' });

export type HealthView = z.infer<typeof healthSchema>;
export type ReadyView = z.infer<typeof readySchema>;

/** The result of one check. `message` says why it failed. */
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
