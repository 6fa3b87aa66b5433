import type { Ready } from '@telecine/client';

type CheckStatus = Ready['checks'][string]['status'];

interface Shown {
  readonly name: string;
  readonly tone: 'good' | 'live' | 'bad';
}

export const CHECK_STATES: Readonly<Record<CheckStatus, Shown>> = {
  ok: { name: 'OK', tone: 'good' },
  paused: { name: 'Paused', tone: 'live' },
  failed: { name: 'Fails', tone: 'bad' },
};

/** The state of the service as its checks say it: the worst of them. */
export function readyState({ status, checks }: Ready): Shown {
  if (status !== 'ready') return { name: 'Not ready', tone: 'bad' };
  return Object.values(checks).some((check) => check.status === 'paused')
    ? CHECK_STATES.paused
    : { name: 'Ready', tone: 'good' };
}
