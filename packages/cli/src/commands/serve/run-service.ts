import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Config } from '@telecine/service/config/config.ts';
import { isLoopback } from '@telecine/service/config/setting.ts';
import type { DiscoveredTools } from '@telecine/service/start/discover-tools.ts';
import { openLog } from '@telecine/service/start/logger.ts';
import { openService, type Role, type Service } from '@telecine/service/start/service.ts';
import { operatorMessage } from '../../output/operator-message.ts';
import { onStopSignal } from './stop-signals.ts';

/** The time limit for closing after a drain. Open requests alone have 5 s; then the stores are closed. */
const CLOSE_TIMEOUT_MS = 10_000;

/** Runs the service until SIGTERM or SIGINT. */
export async function runService(
  role: Role,
  config: Config,
  { discoveredTools, printsLink }: { readonly discoveredTools: DiscoveredTools; readonly printsLink: boolean },
): Promise<void> {
  const { log, logRequest, flush, close } = openLog(config);
  const die = (error: unknown): never => {
    const reason = operatorMessage(error);
    if (reason === undefined) log.fatal({ err: error }, 'internal error');
    else log.fatal({ reason }, 'the service cannot run');
    process.exit(1);
  };
  process.on('uncaughtException', die);
  process.on('unhandledRejection', die);
  for (const warning of config.warnings) log.warn({ warning }, 'check the settings');

  const service = await openService(config, log, { role, logRequest, discoveredTools }).catch(die);
  const { app } = service;
  let stopping = false;
  const stop = async (signal: string): Promise<void> => {
    stopping = true;
    log.info({ signal, drainSeconds: config.drainSeconds }, 'draining');
    await Promise.all([service.drain(config.drainSeconds), delay(config.stopDelaySeconds * 1000)]);
    setTimeout(() => process.exit(0), CLOSE_TIMEOUT_MS).unref();
    await service.close();
    log.info('stopped');
    await close();
    process.exit(0);
  };
  onStopSignal((signal) => void stop(signal).catch(die));

  const url = await app.listen({ host: config.host, port: config.port }).catch(die);
  const { storage, mediaRoot, dataDir } = config;
  const media = storage === undefined ? { mediaRoot } : { storage: `s3://${storage.bucket}/${storage.prefix}` };
  log.info({ url, ...media, dataDir }, 'listening');
  flush();
  try {
    await service.started;
  } catch (error) {
    // Ctrl-C also ends an ffmpeg that the start is querying.
    if (stopping) return;
    die(error);
  }
  if (stopping) return;
  log.info('started');
  printSignInLink(url, config, service, printsLink);
  flush();
  releaseMemory();
}

/**
 * Prints a link that signs in to the console once: at the first start at a terminal, or if the command requests it. Does not log the
 * link, because it makes its holder the admin.
 */
function printSignInLink(url: string, { host }: Config, { signIn }: Service, isWanted: boolean): void {
  if (signIn === undefined || !isLoopback(host)) return;
  if (!isWanted && !(signIn.isFirstStart && process.stdout.isTTY)) return;
  const link = `${url}/#sign-in=${signIn.makeSignInCode()}`;
  process.stdout.write(`\nOpen the console within five minutes. This link signs in once:\n${link}\n\n`);
}

type Collect = (options: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void;

/** The growth of old objects, in percent, after which V8 collects them. V8 would let them double: see decision 90. */
const GROWTH_PERCENT = 30;

/**
 * With a higher share of busy time, V8 has collected the start already. A last-resort collection would free hidden classes and code of
 * the requests, and V8 optimises them less well a second time: submissions took 40 % more processor time.
 */
const BUSY = 0.25;

/** What starts and is stopped at once, such as a trial, is not worth the collection: a tenth of the processor time of a start. */
const DELAY_MS = 1500;

/**
 * V8 may allocate objects of a request among the old objects, by a guess from the first ones. In one start of four, requests and
 * replies then stayed until the next full collection, and submissions took 30 % more processor time.
 */
const NO_PRETENURING = '--no-allocation-site-pretenuring';

/**
 * Collects the garbage of the start after some time without load, and further garbage earlier. V8 would keep the garbage of the start,
 * 25 to 45 MB of 145 MB, until the service is idle for a long time.
 */
function releaseMemory(): void {
  setFlagsFromString(NO_PRETENURING);
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
  const before = performance.eventLoopUtilization();
  const collectIfIdle = (): void => {
    if (performance.eventLoopUtilization(before).utilization < BUSY) collectStart();
  };
  setTimeout(collectIfIdle, DELAY_MS).unref();
}

/** Blocks the process for 30 to 60 ms. */
function collectStart(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as Collect;
  setFlagsFromString('--no-expose-gc');
  // This collection also frees the hidden classes of objects that do not exist at the moment, and code that was
  // optimised for such a class stays slow. Each request uses ticks, so keep one tick alive.
  process.nextTick(() => {});
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
