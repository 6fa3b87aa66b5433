import { type Hint, type HintAction, hintText } from '../../domain/hint.ts';

/** The text of a hint for a model, with tool calls instead of HTTP requests. */
export const modelHint = (hint: Hint): string => hintText(hint, modelWords);

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
    case 'list-files':
      return 'ask the user which files there are';
    case 'read-job-log':
      return `call get_job with {"jobId": "${action.jobId}"} for the reason`;
    case 'retry-job':
      return 'call convert_media again';
    case 'repeat-request':
      return 'call the tool again';
  }
}
