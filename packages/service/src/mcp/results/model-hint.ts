import { type Hint, type HintAction, hintText } from '@telecine/contract/domain/hint.ts';
import type { Warning } from '@telecine/contract/domain/plan.ts';
import { ALL_TOOLS, type HasTool } from '../tool-names.ts';

/** Formats a hint as a text for a model. Requests of the REST API become calls of the tools that the model has. */
export const modelHint = (hint: Hint, has: HasTool = ALL_TOOLS): string =>
  hintText(hint, (action) => {
    const { tool, without, call } = WORDS[action.do] as Words<HintAction['do']>;
    return tool === undefined || has(tool) ? call(action) : without;
  });

/**
 * Converts warnings for a model: their fixes become texts. On a busy machine, no input is read: the first warning about
 * that has the fields of the others.
 */
export function modelWarnings(warnings: readonly Warning[], has: HasTool): readonly (Warning & { fix?: string })[] {
  const unread = warnings.filter(({ code }) => code === 'INPUT_NOT_READ');
  const fields = unread.slice(1).flatMap(({ field }) => field ?? []);
  return warnings.flatMap((one) => {
    if (one !== unread[0] && unread.includes(one)) return [];
    const { fix, message, ...rest } = one;
    const same = one === unread[0] && fields.length > 0 ? ` The same holds for ${fields.join(', ')}.` : '';
    return [{ ...rest, message: `${message}${same}`, ...(fix !== undefined && { fix: modelHint(fix, has) }) }];
  });
}

/**
 * The REST API distinguishes between reading a format and decoding a codec. In find_capability, both are "input".
 */
const USES = { read: 'input', decode: 'input', write: 'output', encode: 'output' } as const;

/** How an action is expressed for a model. */
interface Words<Do extends HintAction['do']> {
  /** The tool for the action. Absent if none is needed. */
  readonly tool?: Parameters<HasTool>[0];
  readonly call: (action: Extract<HintAction, { do: Do }>) => string;
  /** The text if the model does not have the tool. */
  readonly without: string;
}

/** The call that returns a job at once. */
const stateCall = (jobId: string): string => `call wait_for_job with {"jobId": "${jobId}", "timeoutSeconds": 0}`;

const WITHOUT_LOG = 'ask the user for the log of the job';

const WORDS: { readonly [Do in HintAction['do']]: Words<Do> } = {
  'search-capabilities': {
    tool: 'find_capability',
    call: ({ kind, use }) =>
      `call find_capability with {"kind": "${kind}", ${use === undefined ? '' : `"use": "${USES[use]}", `}"query": WORDS}`,
    without: 'ask the user for a name that ffmpeg has',
  },
  'list-capabilities': {
    tool: 'find_capability',
    call: ({ kind }) => `call find_capability with {"kind": "${kind}"}`,
    without: 'ask the user for a name that ffmpeg has',
  },
  'show-capability': {
    tool: 'find_capability',
    call: ({ kind, name }) => `call find_capability with {"kind": "${kind}", "name": ${JSON.stringify(name)}}`,
    without: 'ask the user what it can do',
  },
  'find-recipe': {
    tool: 'find_capability',
    call: () => 'call find_capability with {"query": WORDS}',
    without: 'ask the user which recipes there are',
  },
  'list-files': { tool: 'list_files', call: () => 'call list_files', without: 'ask the user which files there are' },
  'probe-file': { tool: 'probe_media', call: () => 'call probe_media', without: 'ask the user what is in it' },
  'upload-file': {
    tool: 'upload',
    call: () => 'call file_links with {"action": "share", "path": "in", "files": 1}',
    without: 'ask the user to put the file into your media root',
  },
  'list-jobs': {
    tool: 'list_jobs',
    call: ({ status }) => `call list_jobs${status === undefined ? '' : ` with {"status": "${status}"}`}`,
    without: 'ask the user for the id of the job',
  },
  'wait-for-job': {
    tool: 'wait_for_job',
    call: ({ jobId }) => `call wait_for_job with {"jobId": "${jobId}"}`,
    without: 'call the tool again later',
  },
  'wait-for-batch': {
    tool: 'wait_for_job',
    call: ({ batchId = 'BATCH_ID' }) => `wait_for_job with {"batchId": ${JSON.stringify(batchId)}}`,
    without: 'list_jobs',
  },
  'list-outputs': {
    tool: 'wait_for_job',
    call: ({ jobId }) => stateCall(jobId),
    without: 'ask the user which outputs there are',
  },
  'measure-errors': {
    tool: 'measure',
    call: ({ input }) => `call probe_media with {"input": ${JSON.stringify(input)}, "measure": ["errors"]}`,
    without: 'check that it plays',
  },
  // No tool shows a log, because logs are too long.
  'read-job-log': {
    tool: 'wait_for_job',
    call: ({ jobId }) => (jobId === undefined ? WITHOUT_LOG : `${stateCall(jobId)} for the reason`),
    without: WITHOUT_LOG,
  },
  'retry-job': {
    tool: 'convert_media',
    call: () => 'call convert_media again',
    without: 'ask the user to convert again',
  },
  'retry-watched-file': {
    tool: 'watch_folder',
    call: ({ watchId, path }) =>
      `call watch_folder with {"action": "retry", "watchId": "${watchId}", "paths": [${JSON.stringify(path)}]}`,
    without: 'ask the user to retry the file in its watch',
  },
  'repeat-request': { call: () => 'call the tool again', without: '' },
  'ask-operator': { call: ({ to }) => `ask the operator to ${to}`, without: '' },
};
