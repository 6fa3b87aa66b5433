// The thread that runs checkpoints: see log-checkpoints.ts.
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';

parentPort?.on('message', () => {
  // Closed after each checkpoint, because the last connection that closes copies and deletes the log: that is one of the service.
  const connection = new DatabaseSync(String(workerData), { timeout: 0 });
  try {
    // Flushes at a checkpoint, as the connections of the service do.
    connection.exec('pragma synchronous=normal; pragma wal_checkpoint(passive)');
  } finally {
    connection.close();
  }
  parentPort?.postMessage('done');
});
