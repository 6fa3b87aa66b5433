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

/** The time limit for closing after a drain. Open requests have 5 s of it; the stores are closed after that. */
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
    // Ctrl-C also kills an ffmpeg that answers the first queries, so this error is expected.
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
 * Prints a link that signs in to the console and works once. Prints it at the first start at a terminal, or if the command requests it.
 * Does not log the link, because anyone with the link becomes the admin.
 */
function printSignInLink(url: string, { host }: Config, { signIn }: Service, isWanted: boolean): void {
  if (signIn === undefined || !isLoopback(host)) return;
  if (!isWanted && !(signIn.isFirstStart && process.stdout.isTTY)) return;
  const link = `${url}/#sign-in=${signIn.makeSignInCode()}`;
  process.stdout.write(`\nOpen the console within five minutes. This link signs in once:\n${link}\n\n`);
}

type Collect = (options: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void;

/** V8 collects old objects after they grow by this many percent. By default, V8 lets them double (decision 90). */
const GROWTH_PERCENT = 30;

/**
 * Above this share of busy time, requests run and V8 has already collected the garbage of the start. A forced collection would also free
 * hidden classes and code of the requests. V8 optimises it less well a second time: submissions took 40 % more processor time.
 */
const BUSY = 0.25;

/**
 * The delay of the collection, which takes a tenth of the processor time of a start. A process that stops earlier, such as in a test, skips
 * it.
 */
const DELAY_MS = 1500;

/**
 * Switches off a V8 guess that allocates new objects of requests among old objects. In one start of four, such objects stayed until the
 * next full collection, and submissions took 30 % more processor time.
 */
const NO_PRETENURING = '--no-allocation-site-pretenuring';

/**
 * Collects the garbage of the start once, after `DELAY_MS`, if the service was not busy until then, and lets V8 collect later garbage
 * earlier. Otherwise V8 keeps 25 to 45 MB of garbage (of 145 MB) until the service is idle for a long time.
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
  // Keep one tick object alive during the collection. Otherwise V8 frees the hidden class of ticks, and code that was optimised for this
  // class stays slow. Each request uses ticks.
  process.nextTick(() => {});
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
