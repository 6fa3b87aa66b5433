import type { Queue } from '@telecine/client';
import { countText } from '../../ui/format.ts';
import { LIMITS } from '../clients/client-limits.ts';

/** The number of slots beside the number of running jobs: `of 2 slots`. */
export const slotsText = (total: number): string => `of ${countText(total, 'slot')}`;

/** Why queued jobs do not run now. */
export interface WaitReason {
  readonly text: string;
  /** Whether the list of the workers says more. */
  readonly isAboutWorkers: boolean;
  /** A client with more running jobs than its limit allows. They started before it. */
  readonly over?: string;
  /** The client whose jobs are in all slots, while jobs of others wait. A limit would let them through. */
  readonly filling?: string;
}

/** The limit that holds jobs of a client, as its field is called. */
const LIMIT = LIMITS.find(({ key }) => key === 'running')?.name ?? '';

/**
 * Says why queued jobs do not run now, and what changes that. Returns undefined if no job is queued. `limitOf`: how many jobs of a client may run
 * at the same time. undefined: it has no limit, or it is not known.
 */
export function waitReason(
  { pausedAt, queued, clients, slots }: Pick<Queue, 'pausedAt' | 'queued' | 'clients' | 'slots'>,
  limitOf: (client: string) => number | undefined = () => undefined,
): WaitReason | undefined {
  if (queued.length === 0) return undefined;
  if (pausedAt !== undefined)
    return { text: 'Queued jobs do not start, because the queue is paused.', isAboutWorkers: true };
  const { total, used } = slots;
  if (total === 0)
    return {
      text: 'Queued jobs do not start, because no worker takes jobs. The page Workers says why, or that none runs.',
      isAboutWorkers: true,
    };
  const waiting = clients.filter((one) => jobsOf(one.queued) > 0);
  const held = waiting.filter(({ client, running }) => running >= (limitOf(client) ?? Number.POSITIVE_INFINITY));
  const over = held.find(({ client, running }) => running > (limitOf(client) ?? 0))?.client;
  const isOver = over !== undefined && { over };
  const heldText = held.map(({ client, running }) => limitText(client, running, limitOf(client) ?? 0)).join(' ');
  if (held.length > 0 && jobsOf(held.flatMap((one) => one.queued)) >= jobsOf(queued))
    return { text: heldText, isAboutWorkers: false, ...isOver };
  if (used >= total) {
    const full = `${held.length > 0 ? 'Other jobs' : 'Queued jobs'} wait for a slot: ${total === 1 ? 'the only slot is' : `all ${total.toLocaleString()} slots are`} in use.`;
    const filling = over === undefined ? fillingClient(clients) : undefined;
    const whose = filling === undefined ? '' : `All running jobs are of ${filling}.`;
    // The slots of jobs over a limit are free soon.
    const more = isOver ? '' : 'More slots: raise TELECINE_CONCURRENCY, or start another worker.';
    return {
      text: [heldText, full, whose, more].filter(Boolean).join(' '),
      isAboutWorkers: true,
      ...isOver,
      ...(filling !== undefined && { filling }),
    };
  }
  return {
    text: `Not all slots are in use. A queued job starts within seconds, unless it needs more than the free slots or a worker with other encoders or devices, or its client has reached its limit "${LIMIT}".`,
    isAboutWorkers: true,
  };
}

/** The client of all running jobs, if jobs of others wait. */
function fillingClient(clients: Queue['clients']): string | undefined {
  const [first, ...others] = clients.filter(({ running }) => running > 0);
  const waits = clients.some(({ client, queued }) => client !== first?.client && jobsOf(queued) > 0);
  return others.length === 0 && waits ? first?.client : undefined;
}

const jobsOf = (queued: Queue['queued']): number => queued.reduce((sum, { jobs }) => sum + jobs, 0);

function limitText(client: string, running: number, limit: number): string {
  const waits = `Jobs of ${client} wait for its limit "${LIMIT}", ${limit.toLocaleString()}`;
  if (running <= limit) return `${waits}.`;
  return `${waits}: ${countText(running, 'job')} that started before it still run. They end by themselves, or when you cancel them.`;
}
