import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '../../../config/config.ts';
import type { DiscoveredTools } from '../../compose/discover-tools.ts';
import { openService, type Role, type Service } from '../../compose/service.ts';
import { openLog } from '../../logger.ts';
import { isLoopback } from '../../loopback.ts';
import { operatorMessage } from '../../output/operator-message.ts';
import { releaseMemory } from './release-memory.ts';
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
 * Prints a link that signs in to the console once, for the person who started the service on this machine: at the first start at a
 * terminal, or because the command asks for it. It is not logged: whoever has it is the admin.
 */
function printSignInLink(url: string, { host }: Config, { signIn }: Service, isWanted: boolean): void {
  if (signIn === undefined || !isLoopback(host)) return;
  if (!isWanted && !(signIn.isFirstStart && process.stdout.isTTY)) return;
  const link = `${url}/#sign-in=${signIn.makeSignInCode()}`;
  process.stdout.write(`\nOpen the console within five minutes. This link signs in once:\n${link}\n\n`);
}
