import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { FailureCode } from '../../../packages/contract/src/domain/failure.ts';
import type { Entry, Ledger } from '../soak/ledger.ts';
import type { SeededChoices } from '../soak/seeded-choices.ts';
import { ConnectionLost, type SoakClient, UnexpectedReply } from '../soak/soak-client.ts';
import { nextSubmissions, type Submission } from '../soak/workload.ts';

/** Clients that submit at the same time. */
const CLIENTS = 3;
/** `failed`: after a submission that was not accepted. */
const PAUSE_MS = { submit: 150, failed: 1500, poll: 300, resend: 500 } as const;
const SHARE = { keyed: 0.4, cancelled: 0.05 } as const;
/** How long a submission with a key is repeated. */
const RESEND_SECONDS = 120;

/** The clients of a cluster. They go on during faults, as clients with several addresses do. */
export class ClusterTraffic {
  readonly #ledger: Ledger;
  readonly #chance: SeededChoices;
  readonly #client: SoakClient;
  /** Failures that the fault may cause. */
  readonly #mayFailWith: readonly FailureCode[];
  /** The most unfinished jobs at a time. */
  readonly #maxUnfinished: number;
  #submitted = 0;

  constructor(
    ledger: Ledger,
    chance: SeededChoices,
    client: SoakClient,
    mayFailWith: readonly FailureCode[],
    maxUnfinished: number,
  ) {
    this.#ledger = ledger;
    this.#chance = chance;
    this.#client = client;
    this.#mayFailWith = mayFailWith;
    this.#maxUnfinished = maxUnfinished;
  }

  /** Resolves when `signal` aborts and all calls have ended. */
  async run(signal: AbortSignal): Promise<void> {
    const submit = Array.from({ length: CLIENTS }, () => this.#submitRepeatedly(signal));
    await Promise.all([...submit, this.#pollRepeatedly(signal)]);
  }

  /** Repeats submissions with a key that got no reply, until they get one. Each must be exactly one job. */
  async resend(): Promise<void> {
    const deadline = performance.now() + RESEND_SECONDS * 1000;
    for (const entry of this.#ledger.entries.values())
      while (!entry.promised && entry.key !== undefined) {
        await this.#guarded(() => this.#send(entry));
        if (performance.now() > deadline) throw new Error('The service accepts no submissions.');
        if (!entry.promised) await delay(PAUSE_MS.resend);
      }
  }

  /** Reads all jobs, and checks that none is missing. */
  async pollAll(): Promise<void> {
    const promised = [...this.#ledger.entries.values()].filter((entry) => entry.promised);
    const sentAt = performance.now();
    await this.#ledger.seeAll(await this.#client.all(), promised, sentAt);
  }

  async #submitRepeatedly(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      if (this.#ledger.open().length < this.#maxUnfinished) {
        const next = nextSubmissions(this.#chance, this.#submitted++);
        const accepted = await Promise.all(next.map((submission) => this.#submit(submission, signal)));
        if (accepted.includes(false)) await pause(PAUSE_MS.failed, signal);
      }
      await pause(this.#chance.between(0, PAUSE_MS.submit), signal);
    }
  }

  /** Resolves to whether the job was accepted. */
  async #submit(submission: Submission, signal: AbortSignal): Promise<boolean> {
    const key = this.#chance.happens(SHARE.keyed) ? randomUUID() : undefined;
    const cancelled = this.#chance.happens(SHARE.cancelled);
    const mayFailWith = [...submission.mayFailWith, ...this.#mayFailWith];
    const entry = this.#ledger.sent({ ...submission, mayFailWith }, key);
    await this.#guarded(() => this.#send(entry));
    const { jobId } = entry;
    if (!cancelled || jobId === undefined) return jobId !== undefined;
    await pause(this.#chance.between(0, 300), signal);
    entry.cancelRequested = true;
    await this.#guarded(() => this.#client.cancel(jobId));
    return true;
  }

  async #send(entry: Entry): Promise<void> {
    this.#ledger.promised(entry, await this.#client.submit(entry.submission.request, entry.key));
  }

  async #pollRepeatedly(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const sentAt = performance.now();
      await this.#guarded(async () => {
        for (const job of await this.#client.newest()) await this.#ledger.see(job, sentAt);
      });
      await pause(PAUSE_MS.poll, signal);
    }
  }

  /** Ignores calls that got no reply, and reports replies that are not allowed. */
  async #guarded(call: () => Promise<void>): Promise<void> {
    try {
      await call();
    } catch (error) {
      if (error instanceof ConnectionLost) return;
      if (!(error instanceof UnexpectedReply)) throw error;
      this.#ledger.fault(error.message);
    }
  }
}

/** Ends early when `signal` aborts. */
const pause = (ms: number, signal: AbortSignal): Promise<void> => delay(ms, undefined, { signal }).catch(() => {});
