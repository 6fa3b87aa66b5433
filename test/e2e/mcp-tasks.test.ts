// @module-tag long
// @module-tag part
import type { ConnectionName } from '../mcp-tasks/connections.ts';
import { taskRuns } from '../mcp-tasks/task-runs.ts';
import { TASKS } from '../mcp-tasks/tasks.ts';
import { needs } from '../support/needs.ts';
import { sharedServer } from '../support/shared-server.ts';

/** The words of a task, and its connection. `npm run test:tasks` does all tasks by each connection. */
const SOME: readonly (readonly [task: string, connection: ConnectionName])[] = [
  ['a contact sheet, looked at', 'SDK v1'],
  ['picture in picture', 'SDK v2'],
  ['three clips of different sizes joined', 'telecine mcp'],
];

const runs = taskRuns(sharedServer());

needs('ffmpeg').for(SOME)(
  'a client that knows only what the server says does: %s, by %s',
  async ([title, connection]) => {
    const task = TASKS.find((one) => one.title === title);
    if (task === undefined) throw new Error(`There is no task "${title}"`);
    await runs.run(task, connection);
  },
);
