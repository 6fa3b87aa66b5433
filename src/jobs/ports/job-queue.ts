import type { DeviceType } from '../../domain/devices.ts';
import type { Lane, Requirements, Workload } from '../../domain/lane.ts';
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

/**
 * One hand-over of a ticket to a worker. Calls to the queue with an older receipt change nothing, just as writes with
 * an older fence do not change the job's row.
 */
export interface Delivery extends Requirements {
  readonly jobId: string;
  readonly clientId: string;
  readonly receipt: number;
}

/** Room for jobs, in hundredths of a slot. */
export interface Room {
  readonly free: number;
  /** A heavier job counts as this much, so that it fits if no other job runs. */
  readonly heaviest: number;
}

/** Room for jobs of the lane `fetch`. */
export interface FetchRoom {
  /** How many more jobs the worker has room for. */
  readonly free: number;
  /** The most jobs of one client that the worker has at a time. */
  readonly perClient: number;
  /** How many jobs of each client it has. */
  readonly ofClients: ReadonlyMap<string, number>;
}

/** What a worker asks the queue for. */
export interface TakeRequest {
  /** The most tickets to hand out. */
  readonly slots: number;
  /** The most deliveries that a client may have at a time, earlier ones included. */
  readonly perClient: number;
  /** Overrides `perClient` for some clients. */
  readonly ofClients?: ReadonlyMap<string, number>;
  /** Clients that get nothing. */
  readonly without?: readonly string[];
  /**
   * What the weights of all tickets may add up to. If the next ticket does not fit, none behind it is handed out, so that
   * light jobs do not overtake a heavy one for ever. Jobs of the lane `fetch` need no such room. Absent: any weight.
   */
  readonly room?: Room;
  /** Called with the weight of the next ticket if it does not fit into the room. */
  readonly onBlocked?: (weight: number) => void;
  /**
   * Called if no ready ticket is left, whatever its lane and its needs. An engine that hands tickets to several workers at a
   * time never calls it.
   */
  readonly onEmpty?: () => void;
  /** The room for jobs of the lane `fetch`. If it is full, jobs of other lanes are still handed out. Absent: any number. */
  readonly fetches?: FetchRoom;
  /**
   * How many tickets that need a hardware device are handed out for each type of device. Beyond that, other tickets are still handed out.
   * Absent: any number.
   */
  readonly devices?: ReadonlyMap<DeviceType, number>;
  readonly lanes: readonly Lane[];
  /** Whether the worker has what a ticket needs: one of its `needs`. */
  readonly has: (need: string) => boolean;
}

/**
 * Decides which job is next. The state of a job is in the jobs table only. In a transaction, write to the queue first,
 * then to the job. A delivery has a lease, measured by the engine's clock. If a method resolves to false, the lease is
 * lost: roll the transaction back.
 */
export interface JobQueue {
  /** Adds tickets. Call this in the transaction that inserts the jobs. */
  enqueue(tx: Tx, tickets: readonly Ticket[]): Promise<void>;
  /**
   * Inserts plain jobs as `insertJobs` does, but in one statement, so that a group takes one round trip. `tx`: a transaction with
   * nothing else. Absent if the engine has no round trips.
   */
  insertPlainJobs?(tx: Tx, jobs: readonly PlainJob[], createdAt: string): Promise<void>;
  /**
   * Hands out tickets that a worker can run, in the transaction that claims the jobs. Hands a ticket out again if its
   * lease has expired. Of all tickets that the worker can run, whatever their lanes and needs, the next one is first.
   * Concurrent calls never hand out the same ticket. Together they never exceed the limits of a client.
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
  /**
   * Removes the ticket of a queued job, unless a worker has it. An engine without this method hands the ticket out
   * later, and the worker removes it.
   */
  withdraw?(tx: Tx, ticket: Ticket): Promise<void>;
  /**
   * Adds the tickets that are missing. Only a fault of the engine or an operator can have removed them. Absent if the engine
   * never loses tickets.
   */
  restore?(tx: Tx, tickets: readonly Ticket[]): Promise<void>;
  /** Ends all leases. Resolves to their number. Only for an engine whose workers all end with this process. */
  releaseAll?(): Promise<number>;
}

/** What a ticket uses of a room when it is handed out. */
export const weightIn = ({ heaviest }: Room, { lane, weight }: Pick<Ticket, 'lane' | 'weight'>): number =>
  lane === 'fetch' ? 0 : Math.min(weight, heaviest);
