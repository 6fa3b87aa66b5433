// The thread that plans a large request: see plan-thread.ts.
import { parentPort, workerData } from 'node:worker_threads';
import type { UrlInputs } from '@telecine/contract/domain/media-root.ts';
import { draftOrPlan } from '@telecine/ffmpeg/plan/plan-step.ts';
import type { PlanMessage } from './plan-thread.ts';

const { task, catalogues, checkedUrls } = workerData as PlanMessage;
const urls: UrlInputs | undefined = checkedUrls && {
  check: (url) => {
    if (!checkedUrls.has(url))
      throw new Error('The request contains a URL that the service did not check before it started this thread.');
    return checkedUrls.get(url);
  },
};
parentPort?.postMessage(draftOrPlan({ ...task, scope: { ...task.scope, urls } }, catalogues));
