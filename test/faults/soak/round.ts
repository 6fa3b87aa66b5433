import { watch } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ServiceProcess } from '../../../scripts/lib/service.ts';
import { scratchProcesses, stillRunning } from '../../support/scratch-processes.ts';
import { waitUntil } from '../../support/wait.ts';
import { type KillTarget, startKillableService } from './killable-service.ts';
import type { Ledger } from './ledger.ts';
import type { SeededChoices } from './seeded-choices.ts';
import type { Session } from './session.ts';
import { UnexpectedReply } from './soak-client.ts';
import type { SoakSetup } from './soak-setup.ts';
import type { Traffic } from './traffic.ts';

/** When and how a round kills the service. */
export interface Kill {
  readonly moment: 'while it starts' | 'under load' | 'while it publishes' | 'while it drains';
  readonly afterMs: number;
  readonly target: KillTarget;
  /** `TELECINE_SANDBOX` of the round. */
  readonly sandbox: 'auto' | 'off';
}

export function nextKill(chance: SeededChoices): Kill {
  const moment = chance.pick({ 'while it starts': 3, 'under load': 15, 'while it publishes': 5, 'while it drains': 2 });
  const target = chance.pick({ group: 1, main: 1 });
  const sandbox = chance.pick({ auto: 3, off: 1 });
  // The milliseconds of traffic: mostly few, so that many rounds fit; sometimes enough for slow conversions to finish.
  const underLoad = chance.happens(0.6) ? chance.between(100, 700) : chance.between(700, 1800);
  return { moment, target, sandbox, afterMs: moment === 'while it starts' ? chance.between(20, 600) : underLoad };
}

/** How long to wait for a running job to publish. */
const PUBLISH_WAIT_MS = 2000;

/** How long processes of a killed service may survive it. */
const MAX_ORPHAN_MS = 5000;

export interface RoundDeps {
  readonly setup: SoakSetup;
  readonly ledger: Ledger;
  readonly traffic: Traffic;
  readonly session: Session;
  readonly chance: SeededChoices;
}

/**
 * Starts a service, runs traffic and kills the service. `orphansGone` resolves to the milliseconds that ffmpeg
 * processes survived the service. The next round need not wait for it.
 */
export async function runRound(deps: RoundDeps, kill: Kill): Promise<{ readonly orphansGone: Promise<number> }> {
  const { setup, ledger, traffic, session, chance } = deps;
  const victim = startKillableService({ ...setup, env: { ...setup.env, TELECINE_SANDBOX: kill.sandbox } });
  const stop = new AbortController();
  let ending = false;
  let service: ServiceProcess | undefined;
  const served = victim.listening
    .then(async (listening) => {
      service = listening;
      await traffic.run(await session.open(listening.url, stop.signal), stop.signal);
    })
    .catch((error: unknown) => {
      if (!ending) throw error;
      // A service that is closing may reply with 503.
      if (error instanceof UnexpectedReply && !error.message.includes('→ 503')) ledger.fault(error.message);
    });
  const failed = served.then(() => new Promise<never>(() => {}));
  // The time counts from here, so that jobs run before the kill on a slow machine too.
  if (kill.moment !== 'while it starts') await Promise.race([victim.listening.then(runsJobs), failed]);
  await Promise.race([delay(kill.afterMs), failed]);
  if (kill.moment === 'while it publishes')
    await Promise.race([outputAppears(setup, stop.signal), delay(PUBLISH_WAIT_MS), failed]);
  ending = true;
  if (kill.moment === 'while it drains') {
    victim.terminate();
    await delay(chance.between(0, 400));
  }
  victim.kill(kill.target);
  await victim.gone;
  const killedAt = performance.now();
  const orphans = await scratchProcesses(setup.mediaRoot);
  stop.abort();
  await served;
  recordLoggedErrors(ledger, service?.log() ?? '');
  return { orphansGone: orphansGone() };

  async function orphansGone(): Promise<number> {
    for (let alive = orphans; alive.length > 0; alive = await stillRunning(setup.mediaRoot, orphans)) {
      if (performance.now() - killedAt > MAX_ORPHAN_MS) {
        ledger.fault(`processes outlived their service (${JSON.stringify(kill)}): ${JSON.stringify(alive)}`);
        break;
      }
      await delay(10);
    }
    return orphans.length === 0 ? 0 : performance.now() - killedAt;
  }
}

/** Resolves when the service has found ffmpeg and claims jobs. */
const runsJobs = ({ log }: ServiceProcess): Promise<true> =>
  waitUntil('the service to run jobs', async () => log().includes('"msg":"started"') || undefined);

/** Resolves when a job publishes its first file. */
const outputAppears = ({ mediaRoot }: SoakSetup, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => watch(join(mediaRoot, 'out'), { signal }, () => resolve()));

/** Records errors that the service logged. */
export function recordLoggedErrors(ledger: Ledger, log: string): void {
  for (const line of log.split('\n'))
    if (/"level":"(error|fatal)"/.test(line)) ledger.fault(`the service logged ${line}`);
}
