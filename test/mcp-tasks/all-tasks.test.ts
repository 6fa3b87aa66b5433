import { afterAll } from 'vitest';
import { needs } from '../support/needs.ts';
import { NO_RATE_LIMITS } from '../support/no-rate-limits.ts';
import { sharedServer } from '../support/shared-server.ts';
import { CONNECTIONS, type ConnectionName } from './connections.ts';
import { taskRuns } from './task-runs.ts';
import { TASKS } from './tasks.ts';

const runs = taskRuns(sharedServer({ env: { TELECINE_CONCURRENCY: '2', ...NO_RATE_LIMITS } }));

afterAll(() => console.info(runs.report()));

const ALL = (Object.keys(CONNECTIONS) as ConnectionName[]).flatMap((connection) =>
  TASKS.map((task) => ({ connection, task, title: task.title })),
);

needs('ffmpeg').for(ALL)('$title, by $connection', ({ task, connection }) => runs.run(task, connection));
