/**
 * Counts what a service does that imports it with `--import`, and stops its clock. The process that started the service
 * sends the milliseconds that its clock goes on, usually 0, and gets the counts since the last message, once the service
 * is quiet. See `../counted-service.ts`.
 */
import { isMainThread } from 'node:worker_threads';
import { passTime, stopClock } from './clock.ts';
import { takeCounts } from './counts.ts';
import { countFileCalls } from './file-calls.ts';
import { countPostgresClients } from './modules.ts';
import { rowsWrittenOnPostgres } from './postgres.ts';
import { countProcesses } from './processes.ts';
import { untilQuiet } from './quiet.ts';
import { countSqlite } from './sqlite.ts';

if (isMainThread && process.send !== undefined) {
  countProcesses();
  countSqlite();
  countFileCalls();
  countPostgresClients();
  stopClock();
  process.on('message', async (passedMs: number) => {
    passTime(passedMs);
    await untilQuiet();
    const counts = takeCounts();
    const rows = await rowsWrittenOnPostgres();
    if (Object.keys(rows).length > 0) counts['rows written'] = { ...counts['rows written'], ...rows };
    process.send?.(counts);
  });
  // The service itself decides when it ends.
  process.channel?.unref();
}
