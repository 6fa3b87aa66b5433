// The thread that plans large requests: see plan-thread.ts.
import { parentPort } from 'node:worker_threads';
import type { UrlInputs } from '@telecine/contract/domain/media-root.ts';
import type { Catalogue } from '@telecine/ffmpeg/catalogue/catalogue.ts';
import { draftOrPlan } from '@telecine/ffmpeg/plan/plan-step.ts';
import type { PlanAnswer, PlanMessage } from './plan-thread.ts';

let catalogues = new Map<number, Catalogue>();

function answer({ task, numbers, added, checkedUrls }: PlanMessage): PlanAnswer {
  const all = new Map([...catalogues, ...added]);
  const catalogueOf = (number: number): Catalogue => {
    const catalogue = all.get(number);
    if (catalogue === undefined)
      throw new Error(`The message names catalogue ${number}, which the service has not sent to this thread.`);
    return catalogue;
  };
  catalogues = new Map(numbers.map((number) => [number, catalogueOf(number)]));
  const urls: UrlInputs | undefined = checkedUrls && {
    check: (url) => {
      if (!checkedUrls.has(url))
        throw new Error(
          'The request contains a URL that the service did not check before it sent the request to this thread.',
        );
      return checkedUrls.get(url);
    },
  };
  return { planned: draftOrPlan({ ...task, scope: { ...task.scope, urls } }, numbers.map(catalogueOf)) };
}

parentPort?.on('message', (message: PlanMessage) => {
  try {
    parentPort?.postMessage(answer(message));
  } catch (error) {
    parentPort?.postMessage({ error } satisfies PlanAnswer);
  }
});
