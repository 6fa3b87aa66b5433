// The program of the thread that runs checkpoints: see log-checkpoints.ts.
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';

parentPort?.on('message', () => {
  // Close this connection after each checkpoint. The last connection that closes copies the log into the database and
  // deletes it, and that must be a connection of the service.
  const connection = new DatabaseSync(String(workerData), { timeout: 0 });
  try {
    // Flush at checkpoints, like the connections of the service.
    connection.exec('pragma synchronous=normal; pragma wal_checkpoint(passive)');
  } finally {
    connection.close();
  }
  parentPort?.postMessage('done');
});
