import { afterAll } from 'vitest';
import { needs } from '../support/needs.ts';
import { sharedServer } from '../support/shared-server.ts';
import { CONNECTIONS, type ConnectionName } from './connections.ts';
import { taskRuns } from './task-runs.ts';
import { TASKS } from './tasks.ts';

const runs = taskRuns(sharedServer({ env: { TELECINE_CONCURRENCY: '2', TELECINE_RATE_LIMIT: 'off' } }));

afterAll(() => console.info(runs.report()));

const ALL = (Object.keys(CONNECTIONS) as ConnectionName[]).flatMap((connection) =>
  TASKS.map((task) => ({ connection, task, title: task.title })),
);

needs('ffmpeg').for(ALL)('$title, by $connection', ({ task, connection }) => runs.run(task, connection));
