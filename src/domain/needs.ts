import type { Requirements } from './lane.ts';

const KINDS: Readonly<Record<string, string>> = { bsf: 'bitstream filter' };

/**
 * Describes what a job needs of its worker, for people: `encoder libsvtav1 and filter zscale`. A need for certain builds
 * says only that not every build of ffmpeg runs the job.
 */
export function describeNeeds(needs: Requirements['needs']): string {
  const named = needs.filter((need) => !need.startsWith('build:')).map(describeNeed);
  const all = named.length < needs.length ? [...named, 'a build of ffmpeg that runs this request'] : named;
  return [all.slice(0, -1).join(', '), ...all.slice(-1)].filter((part) => part !== '').join(' and ');
}

function describeNeed(need: string): string {
  const [kind = '', ...name] = need.split(':');
  // `device:cuda` or `device:h264_nvenc`.
  if (kind === 'device') return `hardware ${name[0]?.includes('_') ? 'encoder' : 'device'} ${name[0]}`;
  return `${KINDS[kind] ?? kind} ${name.join(':')}`;
}
