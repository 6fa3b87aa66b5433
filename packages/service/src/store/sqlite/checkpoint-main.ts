// The thread that runs checkpoints: see log-checkpoints.ts.
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';

parentPort?.on('message', () => {
  // Close the connection after each checkpoint. The last connection that closes copies and deletes the log, and that
  // should be a connection of the service.
  const connection = new DatabaseSync(String(workerData), { timeout: 0 });
  try {
    // Flush at checkpoints, like the connections of the service.
    connection.exec('pragma synchronous=normal; pragma wal_checkpoint(passive)');
  } finally {
    connection.close();
  }
  parentPort?.postMessage('done');
});
