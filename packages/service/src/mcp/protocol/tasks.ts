import {
  CLIENT_CAPABILITIES_META_KEY,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Job } from '@telecine/contract/domain/job.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import { isFinished } from '@telecine/contract/domain/states.ts';
import { isUuid } from '@telecine/contract/wire/job-id.ts';
import { jobView } from '@telecine/contract/wire/job-view.ts';
import type { McpRequest } from '@telecine/contract/wire/mcp-endpoint.ts';
import { z } from 'zod';
import { requireScope } from '../../auth/scopes.ts';
import type { McpDeps } from '../deps.ts';
import { jobResult } from '../results/job-summary.ts';
import { errorResult, protocolError, toolResult } from './call-tool.ts';

/**
 * The MCP extension for long calls, which return a task to ask for (SEP-2663). Here, a task is a job with the same id.
 */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

const POLL_MS = 1000;

interface Declared {
  readonly extensions?: Readonly<Record<string, unknown>>;
}

/** Whether the client declares tasks support in this request. */
export const supportsTasks = ({ mcpReq }: ServerContext): boolean =>
  (mcpReq.envelope as Readonly<Record<string, Declared | undefined>> | undefined)?.[CLIENT_CAPABILITIES_META_KEY]
    ?.extensions?.[TASKS_EXTENSION] !== undefined;

const taskParams = z.object({ taskId: z.string() });

function taskOf(job: Job) {
  const { status, message, progress } = jobView(job);
  return {
    taskId: job.jobId,
    // Tasks have no progress field, so the message contains the progress.
    statusMessage: status === 'PROCESSING' && progress !== undefined ? `${message} ${Math.floor(progress)} %` : message,
    createdAt: job.createdAt,
    lastUpdatedAt: job.completedAt ?? job.cancelRequestedAt ?? job.startedAt ?? job.createdAt,
    // null: the task does not expire, because a job stays until it is deleted.
    ttlMs: null,
    pollIntervalMs: POLL_MS,
  };
}

/** The task that a tool call returns instead of its result, if it created a job. */
export const createdTask = (job: Job) => ({ ...taskOf(job), resultType: 'task', status: 'working' as const });

/**
 * The task with its result. A failed conversion is a completed task with an error result: the task state `failed` means
 * a protocol error.
 */
async function detailedTask(job: Job, deps: McpDeps, call: McpRequest) {
  const task = taskOf(job);
  if (job.status === 'CANCELLED') return { ...task, status: 'cancelled' as const };
  if (!isFinished(job.status)) return { ...task, status: 'working' as const };
  const answer = await jobResult(job, { deps, call });
  const result = job.status === 'FAILED' ? errorResult(answer.structured) : toolResult(answer, call.caller);
  return { ...task, status: 'completed' as const, result };
}

/**
 * Adds the methods of the tasks extension, only for modern clients: older revisions of MCP have methods with the same
 * names but other parameters.
 */
export function addTasks(server: Server, deps: McpDeps, call: McpRequest): void {
  const find = async (taskId: string, context: ServerContext): Promise<Job> => {
    if (!supportsTasks(context))
      throw new MissingRequiredClientCapabilityError({
        requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } },
      });
    if (!isUuid(taskId)) throw unknownTask();
    try {
      requireScope(call.caller, 'jobs:read');
      return await deps.jobs.get(call.caller, taskId);
    } catch (error) {
      throw error instanceof Problem && error.code === 'JOB_NOT_FOUND' ? unknownTask() : protocolError(error, deps);
    }
  };

  server.setRequestHandler('tasks/get', { params: taskParams }, async ({ taskId }, context) =>
    detailedTask(await find(taskId, context), deps, call),
  );
  // Nothing to update: a conversion never asks for input.
  server.setRequestHandler('tasks/update', { params: taskParams }, async ({ taskId }, context) => {
    await find(taskId, context);
    return {};
  });
  server.setRequestHandler('tasks/cancel', { params: taskParams }, async ({ taskId }, context) => {
    const job = await find(taskId, context);
    try {
      requireScope(call.caller, 'jobs:write');
      if (!isFinished(job.status)) await deps.jobs.cancel(call.caller, taskId);
    } catch (error) {
      // The job ended before it could be cancelled, which is not an error in the tasks extension.
      if (!(error instanceof Problem && error.code === 'JOB_FINISHED')) throw protocolError(error, deps);
    }
    return {};
  });
}

const unknownTask = (): ProtocolError =>
  new ProtocolError(ProtocolErrorCode.InvalidParams, 'The task does not exist, or it belongs to another client.');
