/**
 * Counts what a service does that imports it with `--import`, and stops its clock. The process that started the service
 * sends the milliseconds that its clock goes on, usually 0, and gets the counts since the last message, once the service
 * is quiet. See `../counted-service.ts`.
 */
import { isMainThread } from 'node:worker_threads';
import { passTime, stopClock } from './clock.ts';
import { takeCounts } from './counts.ts';
import { countFileCalls } from './file-calls.ts';
import { countFunctions, takeFilesRun } from './functions.ts';
import { countJson } from './json.ts';
import { countModules } from './modules.ts';
import { rowsWrittenOnPostgres } from './postgres.ts';
import { countProcesses } from './processes.ts';
import { untilQuiet } from './quiet.ts';
import { countSqlite } from './sqlite.ts';

if (isMainThread && process.send !== undefined) {
  countProcesses();
  countSqlite();
  countJson();
  countFileCalls();
  countModules();
  stopClock();
  await countFunctions();
  process.on('message', async (passedMs: number) => {
    passTime(passedMs);
    await untilQuiet();
    const counts = takeCounts();
    for (const [table, rows] of Object.entries(await rowsWrittenOnPostgres()))
      counts[`rows written, ${table}`] = { '': rows };
    counts['source files run'] = await takeFilesRun();
    process.send?.(counts);
  });
  // The service itself decides when it ends.
  process.channel?.unref();
}
