import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { isFinal } from '../../../scripts/lib/api.ts';
import type { Entry, Ledger } from './ledger.ts';
import type { SeededChoices } from './seeded-choices.ts';
import { ConnectionLost, type SoakClient } from './soak-client.ts';
import { nextSubmissions, type Submission } from './workload.ts';

/** The most unfinished jobs at a time. More would only delay the end of the soak. */
const MAX_UNFINISHED = 10;
const PAUSE_MS = { submit: 25, poll: 100 } as const;
const SHARE = { keyed: 0.3, cancelled: 0.05 } as const;

/** The clients of a soak. They submit, cancel and poll, and continue after every restart. */
export class Traffic {
  readonly #ledger: Ledger;
  readonly #chance: SeededChoices;
  #submitted = 0;

  constructor(ledger: Ledger, chance: SeededChoices) {
    this.#ledger = ledger;
    this.#chance = chance;
  }

  /** Resolves when the service is gone or `signal` aborts. Rejects on a reply that is not allowed. */
  async run(caller: SoakClient, signal: AbortSignal): Promise<void> {
    const loops = [
      this.#submitRepeatedly(caller, signal),
      this.#pollRepeatedly(caller, signal),
      this.#checkRestart(caller),
    ];
    await Promise.all(loops.map((loop) => loop.catch(ignoreConnectionLoss)));
  }

  /** Repeats submissions with a key that got no reply. Each must be exactly one job. */
  async resend(caller: SoakClient): Promise<void> {
    for (const entry of this.#ledger.entries.values())
      if (!entry.promised && entry.key !== undefined) await this.#send(caller, entry);
  }

  /** Reads all jobs again. */
  async pollAll(caller: SoakClient): Promise<void> {
    const promised = [...this.#ledger.entries.values()].filter((entry) => entry.promised);
    const sentAt = performance.now();
    await this.#ledger.seeAll(await caller.all(), promised, sentAt);
  }

  async #checkRestart(caller: SoakClient): Promise<void> {
    await this.pollAll(caller);
    await this.#ledger.checkFiles();
    await this.resend(caller);
    for (const { jobId } of this.#ledger.open()) {
      const sentAt = performance.now();
      if (jobId !== undefined) await this.#ledger.see(await caller.get(jobId), sentAt);
    }
  }

  async #submitRepeatedly(caller: SoakClient, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      if (this.#ledger.open().length < MAX_UNFINISHED)
        await Promise.all(nextSubmissions(this.#chance, this.#submitted++).map((s) => this.#submit(caller, s, signal)));
      await pause(this.#chance.between(0, PAUSE_MS.submit), signal);
    }
  }

  async #submit(caller: SoakClient, submission: Submission, signal: AbortSignal): Promise<void> {
    const key = this.#chance.happens(SHARE.keyed) ? randomUUID() : undefined;
    const cancelled = this.#chance.happens(SHARE.cancelled);
    const entry = this.#ledger.sent(submission, key);
    await this.#send(caller, entry);
    if (!cancelled || entry.jobId === undefined) return;
    await pause(this.#chance.between(0, 200), signal);
    entry.cancelRequested = true;
    await caller.cancel(entry.jobId);
  }

  async #send(caller: SoakClient, entry: Entry): Promise<void> {
    this.#ledger.promised(entry, await caller.submit(entry.submission.request, entry.key));
  }

  async #pollRepeatedly(caller: SoakClient, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const sentAt = performance.now();
      for (const job of await caller.newest()) await this.#ledger.see(job, sentAt);
      await pause(PAUSE_MS.poll, signal);
    }
  }
}

/** Ends early when `signal` aborts. */
const pause = (ms: number, signal: AbortSignal): Promise<void> => delay(ms, undefined, { signal }).catch(() => {});

function ignoreConnectionLoss(error: unknown): void {
  if (!(error instanceof ConnectionLost)) throw error;
}

/** Polls until every job has ended. */
export async function allEnded(caller: SoakClient, ledger: Ledger, seconds: number): Promise<boolean> {
  const deadline = performance.now() + seconds * 1000;
  for (;;) {
    const sentAt = performance.now();
    const jobs = await caller.all();
    for (const job of jobs) await ledger.see(job, sentAt);
    if (jobs.every(isFinal)) return true;
    if (performance.now() > deadline) return false;
    await delay(PAUSE_MS.poll);
  }
}
