import type { CreatedShare, NewShare } from '@telecine/client/api.ts';
import { definedMembers } from '@telecine/contract/domain/defined.ts';
import { minuteOf } from '@telecine/contract/domain/quantity.ts';
import { SHARE_LIMITS } from '@telecine/contract/domain/share.ts';
import type { Command } from 'commander';
import { timeIn } from '../session/command-options.ts';
import { addVerb, type Call, type ServiceFlags } from '../session/service-verbs.ts';
import { pathOnServer } from './convert/file-names.ts';

const HELP = `
  telecine share films/talk.mp4 --for 7d           # a file of the media root; a local file: telecine upload first
  telecine share 0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e10   # the outputs of this job
  telecine shares                                  # lists the links; "telecine shares revoke ID" ends one`;

interface ShareFlags extends ServiceFlags {
  readonly for?: number;
  readonly note?: string;
}

const { minSeconds, maxSeconds } = SHARE_LIMITS;
const JOB_ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

export function declare(share: Command): void {
  addVerb(
    share.argument('<file or job>'),
    share.description(),
    ({ client, signal, flags: { for: seconds, note } }: Call<ShareFlags>, what = '') => {
      // A file whose name looks like the id of a job is written as `server:NAME`.
      const shared = JOB_ID.test(what) ? { jobId: what } : { path: pathOnServer(what) };
      return client.share(definedMembers<NewShare>({ ...shared, seconds, note }), { signal });
    },
    showShare,
  )
    .option(
      '--for <time>',
      'how long the link works: 90m, 48h, 7d (default: 7d)',
      timeIn(`${minSeconds}`, `${maxSeconds}`),
    )
    .option('--note <text>', 'your own note, such as who gets the link')
    .addHelpText('after', HELP);
}

const showShare = ({ url, expiresAt, shareId }: CreatedShare): readonly string[] => [
  `link   ${url}`,
  `until  ${minuteOf(expiresAt)}`,
  `id     ${shareId}`,
  `Copy the link now: it is not shown again. "telecine shares revoke ${shareId}" ends it.`,
];
