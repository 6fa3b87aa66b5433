import { type Hint, type HintAction, hintText } from '../domain/hint.ts';
import { ENDPOINTS, jobPath, pathOf } from './endpoints.ts';

/** The text of a hint for an HTTP client. Its actions are HTTP requests. */
export const httpHint = (hint: Hint): string => hintText(hint, httpWords);

function httpWords(action: HintAction): string {
  switch (action.do) {
    case 'search-capabilities':
      return `GET /api/capabilities/${action.kind}?${action.use === undefined ? '' : `use=${action.use}&`}q=WORDS`;
    case 'list-capabilities':
      return `GET /api/capabilities/${action.kind}`;
    case 'show-capability':
      return `GET /api/capabilities/${action.kind}/${encodeURIComponent(action.name)}`;
    case 'find-recipe':
      return 'GET /api/recipes?q=WORDS';
    case 'list-files':
      return `GET ${ENDPOINTS.listFiles.path}`;
    case 'probe-file':
      return `POST ${ENDPOINTS.probeFile.path}`;
    case 'upload-file':
      return `PUT ${ENDPOINTS.uploadFile.path}`;
    case 'list-jobs':
      return `GET ${ENDPOINTS.listJobs.path}${action.status === undefined ? '' : `?status=${action.status}`}`;
    case 'wait-for-job':
      return `GET ${jobPath(action.jobId)} with "Prefer: wait=30"`;
    case 'wait-for-batch':
      return `GET ${ENDPOINTS.getBatch.path.replace('{batchId}', action.batchId ?? 'BATCH_ID')}`;
    case 'list-outputs':
      return `GET ${jobPath(action.jobId)}/outputs`;
    case 'measure-errors':
      return `POST ${ENDPOINTS.analyzeFile.path} with ${errorsOf(action.input)}`;
    case 'read-job-log':
      return action.jobId === undefined ? 'read the log of the job' : `GET ${jobPath(action.jobId)}/log`;
    case 'retry-job':
      return 'run the job again';
    case 'retry-watched-file':
      return `POST ${pathOf('retryWatchedFiles', { watchId: action.watchId })} with {"paths": [${JSON.stringify(action.path)}]}`;
    case 'repeat-request':
      return 'send the request again';
    case 'ask-operator':
      return `ask the operator to ${action.to}`;
  }
}

const errorsOf = (input: string): string => `{"input": ${JSON.stringify(input)}, "measure": ["errors"]}`;
