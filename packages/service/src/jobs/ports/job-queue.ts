import type { DeviceType } from '@telecine/contract/domain/devices.ts';
import type { Lane, Requirements, Workload } from '@telecine/contract/domain/lane.ts';
import type { Tx } from './transactions.ts';

/** The entry of a job in the queue. */
export interface Ticket extends Requirements {
  readonly jobId: string;
  readonly clientId: string;
  /**
   * Of the tickets of one client, the one with the highest priority starts first. If priorities are equal, the ticket
   * of the older job, which has the lower jobId, starts first.
   */
  readonly priority: number;
}

/**
 * A new job that any worker can run and that needs few writes: its row, its ticket and the daily usage of its client.
 * See `NewJob`.
 */
export interface PlainJob extends Workload {
  readonly jobId: string;
  readonly clientId: string;
  readonly request: string;
  readonly priority?: number;
  readonly warnings?: string | undefined;
  readonly traceParent?: string | undefined;
}

/**
 * A ticket that was handed out to a worker. `receipt`: a number that rises with each delivery of the ticket. Calls with
 * an older receipt change nothing.
 */
export interface Delivery extends Requirements {
  readonly jobId: string;
  readonly clientId: string;
  readonly receipt: number;
}

export interface Room {
  readonly free: number;
  /**
   * The maximum weight that counts for one job. A heavier job counts with this weight, so that it fits if no other job
   * runs.
   */
  readonly heaviest: number;
}

export interface FetchRoom {
  /** How many more jobs of the lane `fetch` the worker can take. */
  readonly free: number;
  /** The maximum number of jobs of the lane `fetch` that the worker runs for one client. */
  readonly perClient: number;
  /** How many jobs of the lane `fetch` the worker runs for each client now. */
  readonly ofClients: ReadonlyMap<string, number>;
}

export interface TakeRequest {
  readonly slots: number;
  /** The maximum number of deliveries that one client may have at a time, including deliveries before this call. */
  readonly perClient: number;
  readonly ofClients?: ReadonlyMap<string, number>;
  readonly without?: readonly string[];
  /**
   * The maximum weight of all handed-out tickets together. If the next ticket does not fit, no later ticket is handed
   * out either: otherwise, light jobs could overtake a heavy job for ever. Jobs of the lane `fetch` need no room.
   * Absent: no limit.
   */
  readonly room?: Room;
  /** Called with the weight of the next ticket, if the ticket does not fit into the room. */
  readonly onBlocked?: (weight: number) => void;
  /** Called if no lane has a ready ticket left. An engine that serves several workers at once never calls it. */
  readonly onEmpty?: () => void;
  /**
   * The room for jobs of the lane `fetch`. If it is full, tickets of other lanes are still handed out. Absent: no
   * limit.
   */
  readonly fetches?: FetchRoom;
  /** The maximum number of tickets for each type of hardware device. Absent: no limit. */
  readonly devices?: ReadonlyMap<DeviceType, number>;
  readonly lanes: readonly Lane[];
  readonly has: (need: string) => boolean;
  /**
   * For how many seconds after it was queued a ticket with this need is left to other workers. Until then, it counts as if
   * it were not in the queue. Absent: no ticket is left. An engine that serves one worker ignores it.
   */
  readonly leaveFor?: (need: string) => number;
}

/**
 * Decides which job starts next. It does not store the state of jobs: that is in the jobs table. In a transaction,
 * write to the queue first and then to the job, except with `withdraw`. A delivery has a lease, measured by the clock of the engine. If a
 * method resolves to false, the lease is lost, so roll the transaction back.
 */
export interface JobQueue {
  /** Adds tickets. Call this in the transaction that inserts the jobs. */
  enqueue(tx: Tx, tickets: readonly Ticket[]): Promise<void>;
  /**
   * Inserts plain jobs and their tickets in one statement. `tx`: a transaction without other statements. Absent in an
   * engine inside this process: one statement saves time only if each statement crosses a network.
   */
  insertPlainJobs?(tx: Tx, jobs: readonly PlainJob[], createdAt: string): Promise<void>;
  /**
   * Hands out tickets in the transaction that claims their jobs. A ticket with an expired lease is handed out again.
   * Clients take turns across lanes and needs: see `decisions/0003-clients-take-turns.md`. Concurrent calls never hand
   * out the same ticket, and together they never exceed the limits of a client.
   */
  take(tx: Tx, request: TakeRequest): Promise<readonly Delivery[]>;
  /** Returns whether `take` may find a ticket. Does not write, so a worker without work causes no writes. */
  hasTickets(): Promise<boolean>;
  /**
   * Renews a lease. An expired lease can be renewed until the ticket is handed out again. A crash of the database may
   * undo the renewal.
   */
  renewLease(delivery: Delivery): Promise<boolean>;
  remove(tx: Tx, delivery: Delivery): Promise<boolean>;
  /** Makes the ticket available for another attempt after `delaySeconds`. */
  requeue(tx: Tx, delivery: Delivery, delaySeconds: number): Promise<boolean>;
  /** Removes the tickets of queued jobs, except those that a worker has. Call this after the writes to the jobs. */
  withdraw(tx: Tx, tickets: readonly Ticket[]): Promise<void>;
  /**
   * Adds tickets again that were lost by a fault or removed by an operator. Absent in an engine that never loses
   * tickets.
   */
  restore?(tx: Tx, tickets: readonly Ticket[]): Promise<void>;
  /** Ends all leases. Resolves to their number. Only for an engine whose workers all run in this process. */
  releaseAll?(): Promise<number>;
}

/** Returns the weight that a ticket uses in a room. Tickets of the lane `fetch` use none. */
export const weightIn = ({ heaviest }: Room, { lane, weight }: Pick<Ticket, 'lane' | 'weight'>): number =>
  lane === 'fetch' ? 0 : Math.min(weight, heaviest);
