import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { testFolder } from '../support/folders.ts';
import { insertClient } from '../support/insert-client.ts';
import type { SharedServer } from '../support/shared-server.ts';
import { CONNECTIONS, type ConnectionName } from './connections.ts';
import { readingClient } from './reading-client.ts';
import { type TaskCost, tokensOf } from './task-cost.ts';
import { putTaskMedia } from './task-media.ts';
import type { Task } from './tasks.ts';

/** What a task cost by a connection. */
interface Row extends TaskCost {
  readonly connection: ConnectionName;
  readonly task: string;
}

/** Runs tasks against one service, each connection as a client with a media root of its own, and collects what they cost. */
export function taskRuns(start: () => Promise<SharedServer>) {
  const clients = new Map<ConnectionName, ReturnType<typeof insertClient>>();
  const rows: Row[] = [];
  const rootOf = (connection: ConnectionName): string => connection.toLowerCase().replaceAll(' ', '-');
  let media: Promise<string> | undefined;
  let toolTokens = 0;

  async function credentialsOf(connection: ConnectionName) {
    const { server } = await start();
    const root = rootOf(connection);
    const made = clients.get(connection) ?? insertClient(server, root, { root });
    if (!clients.has(connection)) {
      clients.set(connection, made);
      await made;
      media ??= taskMedia();
      await cp(await media, join(server.mediaRoot, root), { recursive: true });
    }
    return made;
  }

  return {
    /** Does the task and checks its result. Throws if a call was a wrong turn. */
    async run(task: Task, connection: ConnectionName): Promise<void> {
      const credentials = await credentialsOf(connection);
      const { server } = await start();
      const connected = await CONNECTIONS[connection](server.url, credentials);
      const tools = await connected.listTools();
      toolTokens = tokensOf({ tools });
      const client = readingClient(connected, tools);
      try {
        await task.run(client, join(server.mediaRoot, rootOf(connection)), expect);
        expect(client.cost().wrongTurns).toEqual([]);
      } finally {
        rows.push({ connection, task: task.title, ...client.cost() });
      }
    },
    /** A line for each run: calls, wrong turns and tokens. */
    report(): string {
      const lines = rows.map(({ connection, task, calls, wrongTurns, tokens }) =>
        [
          connection.padEnd(12),
          task.padEnd(40),
          `${calls} calls`.padStart(9),
          `${wrongTurns.length} wrong turns ${wrongTurns.join(' ')}`.trimEnd(),
          `${tokens} tokens`,
        ].join('  '),
      );
      return [`tools/list: ${toolTokens} tokens (o200k), once for all tasks`, ...lines].join('\n');
    },
  };
}

/** A folder with the files of the tasks. */
async function taskMedia(): Promise<string> {
  const folder = await testFolder('task-media');
  await putTaskMedia(folder);
  return folder;
}
