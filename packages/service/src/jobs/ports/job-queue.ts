import type { DeviceType } from '@telecine/contract/domain/devices.ts';
import type { Lane, Requirements, Workload } from '@telecine/contract/domain/lane.ts';
import type { Tx } from './transactions.ts';

/** A queued job, as the queue knows it. */
export interface Ticket extends Requirements {
  readonly jobId: string;
  readonly clientId: string;
  /** The ticket with the lowest position is next. With equal positions, the lower jobId (the older job) is next. See `queuePositionOf`. */
  readonly queuePosition: number;
}

/** A new job that any worker runs and that has no row but its own, its ticket and the day of its client. See `NewJob`. */
export interface PlainJob extends Workload {
  readonly jobId: string;
  readonly clientId: string;
  readonly request: string;
  readonly priority?: number;
  readonly warnings?: string | undefined;
  readonly traceParent?: string | undefined;
}

/** One hand-over of a ticket to a worker. Calls with an older receipt change nothing. */
export interface Delivery extends Requirements {
  readonly jobId: string;
  readonly clientId: string;
  readonly receipt: number;
}

export interface Room {
  readonly free: number;
  /** A heavier job counts as this much, so that it fits if no other job runs. */
  readonly heaviest: number;
}

export interface FetchRoom {
  /** How many more jobs the worker has room for. */
  readonly free: number;
  /** The most jobs of one client that the worker has at a time. */
  readonly perClient: number;
  /** How many jobs of each client it has. */
  readonly ofClients: ReadonlyMap<string, number>;
}

export interface TakeRequest {
  readonly slots: number;
  /** The most deliveries that a client may have at a time, earlier ones included. */
  readonly perClient: number;
  readonly ofClients?: ReadonlyMap<string, number>;
  readonly without?: readonly string[];
  /**
   * The most weight of all tickets. If the next ticket does not fit, no later ticket is handed out, so that light jobs
   * do not overtake a heavy one for ever. Jobs of the lane `fetch` need no room. Absent: any weight.
   */
  readonly room?: Room;
  /** Called with the weight of the next ticket if it does not fit into the room. */
  readonly onBlocked?: (weight: number) => void;
  /** Called if no ready ticket is left in any lane. An engine that serves several workers at a time never calls it. */
  readonly onEmpty?: () => void;
  /** The room for jobs of the lane `fetch`. If it is full, jobs of other lanes are still handed out. Absent: any number. */
  readonly fetches?: FetchRoom;
  /** How many tickets are handed out for each type of hardware device. Other tickets are not limited. Absent: any number. */
  readonly devices?: ReadonlyMap<DeviceType, number>;
  readonly lanes: readonly Lane[];
  /** Whether the worker has one of a ticket's `needs`. */
  readonly has: (need: string) => boolean;
}

/**
 * Decides which job is next. Jobs have their state only in the jobs table. In a transaction, write to the queue before
 * the job. A delivery has a lease by the engine's clock. If a method resolves to false, the lease is lost: roll back.
 */
export interface JobQueue {
  /** Adds tickets. Call this in the transaction that inserts the jobs. */
  enqueue(tx: Tx, tickets: readonly Ticket[]): Promise<void>;
  /** Inserts plain jobs in one statement. `tx`: has no other statements. Absent if the engine has no round trips. */
  insertPlainJobs?(tx: Tx, jobs: readonly PlainJob[], createdAt: string): Promise<void>;
  /**
   * Hands out tickets, in the transaction that claims the jobs; again if their lease has expired. The next ticket that
   * the worker can run is first, whatever its lane and needs. Concurrent calls never hand out the same ticket or exceed
   * the limits of a client together.
   */
  take(tx: Tx, request: TakeRequest): Promise<readonly Delivery[]>;
  /** Whether `take` may find a ticket. Only reads, so a worker that finds none writes nothing. */
  hasTickets(): Promise<boolean>;
  /** Renews a lease, even an expired one, unless the ticket was handed out again. A crash may undo it. */
  renewLease(delivery: Delivery): Promise<boolean>;
  /** Removes the ticket of a job that has ended. */
  remove(tx: Tx, delivery: Delivery): Promise<boolean>;
  /** Makes the ticket available for another attempt after `delaySeconds`. */
  requeue(tx: Tx, delivery: Delivery, delaySeconds: number): Promise<boolean>;
  /** Removes the ticket of a queued job, unless a worker has it. Absent: the worker that gets it removes it. */
  withdraw?(tx: Tx, ticket: Ticket): Promise<void>;
  /** Adds tickets that a fault or an operator has removed. Absent if the engine never loses tickets. */
  restore?(tx: Tx, tickets: readonly Ticket[]): Promise<void>;
  /** Ends all leases. Resolves to their number. Only for an engine whose workers all end with this process. */
  releaseAll?(): Promise<number>;
}

/** The weight of a ticket in a room. */
export const weightIn = ({ heaviest }: Room, { lane, weight }: Pick<Ticket, 'lane' | 'weight'>): number =>
  lane === 'fetch' ? 0 : Math.min(weight, heaviest);
