import { type Hint, type HintAction, hintText } from '../../domain/hint.ts';
import type { Warning } from '../../domain/plan.ts';
import { ALL_TOOLS, type HasTool, type ToolName } from '../tool-names.ts';

/** The text of a hint for a model, with calls of the tools that it has instead of HTTP requests. */
export const modelHint = (hint: Hint, has: HasTool = ALL_TOOLS): string =>
  hintText(hint, (action) => {
    const tool = TOOL_OF[action.do];
    return tool === undefined || has(tool) ? modelWords(action) : WITHOUT_TOOL[action.do];
  });

/** Warnings with the texts of their fixes for a model. */
export const modelWarnings = (warnings: readonly Warning[], has: HasTool): readonly (Warning & { fix?: string })[] =>
  warnings.map(({ fix, ...one }) => (fix === undefined ? one : { ...one, fix: modelHint(fix, has) }));

/** The tool that an action calls. */
const TOOL_OF = {
  'search-capabilities': 'describe_capabilities',
  'list-capabilities': 'describe_capabilities',
  'show-capability': 'describe_capabilities',
  'find-recipe': 'find_recipe',
  'list-files': 'list_files',
  'probe-file': 'probe_media',
  'upload-file': 'create_upload_link',
  'list-jobs': 'list_jobs',
  'wait-for-job': 'wait_for_job',
  'wait-for-batch': 'wait_for_job',
  'list-outputs': 'get_job',
  'measure-errors': 'analyze_media',
  'read-job-log': 'get_job',
  'retry-job': 'convert_media',
  'repeat-request': undefined,
  'ask-operator': undefined,
} as const satisfies Record<HintAction['do'], ToolName | undefined>;

const WITHOUT_TOOL: Readonly<Record<HintAction['do'], string>> = {
  'search-capabilities': 'ask the user which there are',
  'list-capabilities': 'ask the user which there are',
  'show-capability': 'ask the user what it can do',
  'find-recipe': 'ask the user which there are',
  'list-files': 'ask the user which files there are',
  'probe-file': 'ask the user what is in it',
  'upload-file': 'ask the user to put the file into your media root',
  'list-jobs': 'ask the user for the id of the job',
  'wait-for-job': 'call the tool again later',
  'wait-for-batch': 'list_jobs',
  'list-outputs': 'ask the user which outputs there are',
  'measure-errors': 'check that it plays',
  'read-job-log': 'ask the user for the log of the job',
  'retry-job': 'ask the user to convert again',
  'repeat-request': 'call the tool again',
  'ask-operator': 'ask the operator',
};

/** HTTP distinguishes reading a format from decoding a codec; describe_capabilities has one value for both. */
const USES = { read: 'input', decode: 'input', write: 'output', encode: 'output' } as const;

function modelWords(action: HintAction): string {
  switch (action.do) {
    case 'search-capabilities': {
      const use = action.use === undefined ? '' : `"use": "${USES[action.use]}", `;
      return `call describe_capabilities with {"kind": "${action.kind}", ${use}"query": WORDS}`;
    }
    case 'list-capabilities':
      return `call describe_capabilities with {"kind": "${action.kind}"}`;
    case 'show-capability':
      return `call describe_capabilities with {"kind": "${action.kind}", "name": ${JSON.stringify(action.name)}}`;
    case 'find-recipe':
      return 'call find_recipe with {"query": WORDS}';
    case 'list-files':
      return 'call list_files';
    case 'probe-file':
      return 'call probe_media';
    case 'upload-file':
      return 'call create_upload_link';
    case 'list-jobs':
      return `call list_jobs${action.status === undefined ? '' : ` with {"status": "${action.status}"}`}`;
    case 'wait-for-job':
      return `call wait_for_job with {"jobId": "${action.jobId}"}`;
    case 'wait-for-batch':
      return `wait_for_job with {"batchId": ${JSON.stringify(action.batchId ?? 'BATCH_ID')}}`;
    case 'list-outputs':
      return `call get_job with {"jobId": "${action.jobId}"}`;
    case 'measure-errors':
      return `call analyze_media with {"input": ${JSON.stringify(action.input)}, "measure": ["errors"]}`;
    case 'read-job-log':
      // No tool shows a log, which is long.
      return action.jobId === undefined
        ? WITHOUT_TOOL['read-job-log']
        : `call get_job with {"jobId": "${action.jobId}"} for the reason`;
    case 'retry-job':
      return 'call convert_media again';
    case 'repeat-request':
      return 'call the tool again';
    case 'ask-operator':
      return `ask the operator to ${action.to}`;
  }
}
