import type { Caller } from '../../domain/client.ts';
import type { ConversionRequest } from '../../domain/conversion.ts';
import { deviceNeed, fallbackOf, fieldOfFallback } from '../../domain/devices.ts';
import { leaveOut } from '../../domain/edit.ts';
import type { Requirements } from '../../domain/lane.ts';
import type { MaybePromise } from '../../domain/maybe-promise.ts';
import type { Warning } from '../../domain/plan.ts';
import { invalidRequest } from '../../domain/problem.ts';
import type { ClientContext, PlanOfPaths, PlanResult } from '../ports/planner.ts';

/** Whether a live worker has what a job needs. True also while no worker is live. */
export type IsMet = (needs: Requirements['needs']) => Promise<boolean>;

/** What runs of a request that has a fallback. */
export interface Selected {
  readonly request: ConversionRequest;
  /** Where the client set a field of `request`. Absent if the request is the one that it sent. */
  readonly fieldOf?: (field: string) => string;
  readonly warning?: Warning;
}

/**
 * Decides between a request and its fallback: the fallback runs if no worker has the hardware device that the request needs, or if
 * none with it is live. undefined if the request has no fallback. Throws INVALID_REQUEST with the errors of the fallback, which
 * may have to run in any case.
 */
export async function selectFallback(
  planner: (request: ConversionRequest, context: ClientContext) => MaybePromise<PlanResult<PlanOfPaths>>,
  isMet: IsMet,
  caller: Caller,
  sent: ConversionRequest,
): Promise<Selected | undefined> {
  const fallback = fallbackOf(sent);
  if (fallback === undefined) return undefined;
  const fieldOf = (field: string): string => fieldOfFallback(sent, field);
  const [preferred, other] = [await planner(sent, caller), await planner(fallback, caller)];
  if (!other.ok) throw invalidRequest(other.errors.map((error) => ({ ...error, field: fieldOf(error.field) })));
  const field = sent.fallback === undefined ? '/outputs' : '/fallback';
  if (!preferred.ok) {
    const reason = preferred.errors.find(({ code }) => code === 'NEEDS_DEVICE')?.message;
    // The other errors are about the request itself.
    return reason === undefined ? { request: sent } : { request: fallback, fieldOf, warning: replaced(field, reason) };
  }
  const { devices = [] } = preferred.plan;
  if (devices.length === 0) return { request: sent, warning: noDevice(field) };
  if (await isMet(devices.map(deviceNeed))) return { request: sent };
  return { request: fallback, fieldOf, warning: replaced(field, 'No live worker has the hardware device.') };
}

const replaced = (field: string, reason: string): Warning => ({
  field,
  code: 'DEVICE_FALLBACK',
  message: `${reason} So "fallback" replaces "parameters".`,
});

const noDevice = (field: string): Warning => ({
  field,
  code: 'NO_EFFECT',
  message: 'The request uses no hardware device, so "fallback" never replaces "parameters".',
  fix: leaveOut('fallback'),
});
