// The thread that plans large requests: see plan-thread.ts.
import { parentPort } from 'node:worker_threads';
import type { UrlInputs } from '@telecine/contract/domain/media-root.ts';
import { draftOrPlan } from '@telecine/ffmpeg/plan/plan-step.ts';
import type { PlanMessage } from './plan-thread.ts';

parentPort?.on('message', ({ task, catalogues, checkedUrls }: PlanMessage) => {
  const urls: UrlInputs | undefined = checkedUrls && {
    check: (url) => {
      if (!checkedUrls.has(url))
        throw new Error('The request contains a URL that the service did not check before it sent it to this thread.');
      return checkedUrls.get(url);
    },
  };
  parentPort?.postMessage(draftOrPlan({ ...task, scope: { ...task.scope, urls } }, catalogues));
});
