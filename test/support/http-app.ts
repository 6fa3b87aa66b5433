import type { FastifyInstance } from 'fastify';
import { onTestFinished } from 'vitest';
import { buildApp } from '../../packages/service/src/http/app.ts';
import type { HttpDeps } from '../../packages/service/src/http/deps.ts';
import { capabilityOperations } from '../../packages/service/src/jobs/capabilities/capabilities.ts';
import { fakeHttpDeps } from './http-deps.ts';
import { fakeAudit, fakeJobs } from './http-fakes.ts';
import { checkedInject } from './openapi-contract.ts';

/** A line of the app's log. */
export interface AppLogLine {
  readonly level: 'info' | 'warn' | 'error';
  readonly fields: Readonly<Record<string, unknown>>;
}

/** The HTTP app on fakes. Closed after the test. Checks each injected response against /openapi.json. */
export function httpApp(change: Partial<HttpDeps> & { jobsChange?: Parameters<typeof fakeJobs>[0] } = {}) {
  const { jobsChange, ...deps } = change;
  const fakes = fakeJobs(jobsChange);
  const audits = fakeAudit();
  const lines: AppLogLine[] = [];
  const logger = {
    error: (fields: object) => {
      lines.push({ level: 'error', fields: { ...fields } });
    },
    warn: (fields: object, msg: string) => {
      lines.push({ level: 'warn', fields: { ...fields, msg } });
    },
  } as unknown as HttpDeps['logger'];
  const capabilities = capabilityOperations(async () => {
    throw new Error('No ffmpeg was found.');
  });
  const onInternalError = (err: unknown) => void lines.push({ level: 'error', fields: { err } });
  const app: FastifyInstance = buildApp({
    ...fakeHttpDeps({ jobs: fakes.jobs, capabilities, onInternalError }),
    audit: audits.audit,
    logger,
    logRequest: (fields) => lines.push({ level: 'info', fields: { ...fields, msg: 'request' } }),
    ...deps,
  });
  onTestFinished(() => app.close());
  const { publicUrl, oauth } = deps;
  // The document has another text for each address of the service, but the same operations and schemas.
  const settings = JSON.stringify([publicUrl !== undefined, oauth !== undefined]);
  return { app, inject: checkedInject(app, settings), lines, audited: audits.events, ...fakes };
}

export const BEARER = { authorization: 'Bearer good' };

export const BODY = { input: 'in.mov', output: 'out.mp4', format: 'mp4', parameters: { 'c:v': 'libx264' } };
