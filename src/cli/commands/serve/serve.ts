import { configFromEnvironment } from '../../../config/environment.ts';
import { openService } from '../../compose/service.ts';
import { openLog } from '../../logger.ts';
import { operatorMessage } from '../../output/operator-message.ts';
import { releaseMemory } from './release-memory.ts';
import { onStopSignal } from './stop-signals.ts';

/** The time limit for closing after a drain. Open requests alone have 5 s; then the stores are closed. */
const CLOSE_TIMEOUT_MS = 10_000;

/** Serves until SIGTERM or SIGINT. A second signal ends the process at once. */
export async function serve(options: { readonly worker: boolean }): Promise<void> {
  const config = configFromEnvironment();
  const { log, logRequest, flush, close } = openLog(config);
  const die = (error: unknown): never => {
    const reason = operatorMessage(error);
    if (reason === undefined) log.fatal({ err: error }, 'internal error');
    else log.fatal({ reason }, 'the service cannot run');
    flush();
    process.exit(1);
  };
  process.on('uncaughtException', die);
  process.on('unhandledRejection', die);
  for (const warning of config.warnings) log.warn({ warning }, 'check the settings');

  const service = await openService(config, log, { runsJobs: options.worker, logRequest }).catch(die);
  const { app } = service;
  let stopping = false;
  const stop = async (signal: string): Promise<void> => {
    stopping = true;
    log.info({ signal, drainSeconds: config.drainSeconds }, 'draining');
    await service.drain(config.drainSeconds);
    setTimeout(() => process.exit(0), CLOSE_TIMEOUT_MS).unref();
    await service.close();
    log.info('stopped');
    await close();
    process.exit(0);
  };
  onStopSignal((signal) => void stop(signal).catch(die));

  const url = await app.listen({ host: config.host, port: config.port }).catch(die);
  log.info({ url, mediaRoot: config.mediaRoot, dataDir: config.dataDir }, 'listening');
  flush();
  try {
    await service.started;
  } catch (error) {
    // Ctrl-C also ends an ffmpeg that the start is querying.
    if (stopping) return;
    die(error);
  }
  log.info('started');
  flush();
  releaseMemory();
}
